import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type DragEvent, useRef, useState } from "react"
import { ApiError } from "../../api/client"
import { datasetsQuery, uploadDataset } from "../../api/registry"
import type { DatasetRead, ProblemItem } from "../../api/types"
import { formatBytes } from "../../lib/format"
import { strings } from "../../strings"
import { Dialog, ErrorNotice, Field } from "../ui"

export function UploadDialog({
  onUploaded,
  onClose,
}: {
  onUploaded: (dataset: DatasetRead) => void
  onClose: () => void
}) {
  const words = strings.datasets
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState("")
  const [share, setShare] = useState(0)
  const uploading = useMutation({
    mutationFn: ({ file, name }: { file: File; name: string }) => uploadDataset(name, file, setShare),
    onSuccess: async (dataset) => {
      await queries.invalidateQueries(datasetsQuery)
      onUploaded(dataset)
    },
  })
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    uploading.reset()
    setShare(0)
    setFile(chosen)
    setName((old) => old || chosen.name.replace(/\.[^.]*$/, ""))
  }
  const lines = uploading.error instanceof ApiError ? uploading.error.errors : []
  return (
    <Dialog title={words.title} onClose={onClose} isWide={lines.length > 0}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (file) uploading.mutate({ file, name })
        }}
      >
        <DropZone file={file} onFile={choose} />
        <Field label={words.name} help={words.nameHelp}>
          {(attributes) => (
            <input
              {...attributes}
              name="dataset-name"
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {uploading.isPending && (
          <div className="upload-progress">
            <progress value={share} max={1} aria-label={words.uploading(share)} />
            <span>{words.uploading(share)}</span>
          </div>
        )}
        {uploading.isError &&
          (lines.length > 0 ? <LineErrors items={lines} /> : <ErrorNotice error={uploading.error} />)}
        <footer>
          <button type="button" onClick={onClose}>
            {strings.common.cancel}
          </button>
          <button type="submit" className="primary" disabled={!file || uploading.isPending}>
            {words.submit}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function DropZone({ file, onFile }: { file: File | null; onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the button inside does the same by keyboard
    <div
      className="dropzone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <button type="button" onClick={() => input.current?.click()}>
        {file ? file.name : strings.datasets.drop}
      </button>
      <p className="field-help">{file ? formatBytes(file.size) : strings.datasets.format}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".jsonl,.ndjson,.json,.txt"
        onChange={(event) => {
          onFile(event.target.files?.[0])
          // The same file, corrected, must be choosable again.
          event.target.value = ""
        }}
      />
    </div>
  )
}

function LineErrors({ items }: { items: readonly ProblemItem[] }) {
  const words = strings.datasets
  const hints = [...new Set(items.map((item) => item.hint).filter(Boolean))]
  return (
    <div className="notice" data-tone="bad" role="alert">
      <p className="notice-title">{words.invalid(items.length)}</p>
      <ul className="line-errors">
        {items.map((item) => (
          <li key={`${item.pointer}${item.code}`}>
            <code>{item.pointer}</code>
            <span>
              {item.message.startsWith(item.pointer)
                ? item.message.slice(item.pointer.length).replace(/^:\s*/, "")
                : item.message}
            </span>
          </li>
        ))}
      </ul>
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <p>{words.nothingKept}</p>
    </div>
  )
}
