import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../api/client"
import { addModel, modelsQuery } from "../../api/registry"
import type { ModelRead } from "../../api/types"
import { strings } from "../../strings"
import { Dialog, ErrorNotice, Field, Segmented } from "../ui"

type Kind = ModelRead["source"]["kind"]

export function AddModelDialog({ onAdded, onClose }: { onAdded: (model: ModelRead) => void; onClose: () => void }) {
  const words = strings.models
  const queries = useQueryClient()
  const [kind, setKind] = useState<Kind>("local_folder")
  const [path, setPath] = useState("")
  const [repo, setRepo] = useState("")
  const [revision, setRevision] = useState("main")
  const [name, setName] = useState("")
  // The last part of a path or an id is what people call a model; typing a name of one's own wins.
  const suggested = (kind === "local_folder" ? path : repo).split("/").filter(Boolean).at(-1) ?? ""
  const adding = useMutation({
    mutationFn: () => addModel(name || suggested, kind === "local_folder" ? { kind, path } : { kind, repo, revision }),
    onSuccess: async (model) => {
      await queries.invalidateQueries(modelsQuery)
      onAdded(model)
    },
  })
  const errors = adding.error instanceof ApiError ? adding.error.errors : []
  const errorAt = (end: string) => errors.find((item) => item.pointer.endsWith(end))?.message
  const isPlaced = errors.length > 0 && errors.every((item) => /\/(path|repo|revision|name)$/.test(item.pointer))
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          adding.mutate()
        }}
      >
        <Segmented
          label={words.title}
          value={kind}
          onChange={setKind}
          options={[
            { value: "local_folder", label: words.folder },
            { value: "hugging_face", label: words.hub },
          ]}
        />
        {kind === "local_folder" ? (
          <Field label={words.folder} help={words.folderHelp} error={errorAt("/path")}>
            {(attributes) => (
              <input
                {...attributes}
                className="mono"
                name="path"
                required
                placeholder="/data/models/smollm2"
                value={path}
                onChange={(event) => setPath(event.target.value)}
              />
            )}
          </Field>
        ) : (
          <div className="field-row">
            <Field label={words.hub} help={words.hubHelp} error={errorAt("/repo")}>
              {(attributes) => (
                <input
                  {...attributes}
                  className="mono"
                  name="repo"
                  required
                  placeholder="HuggingFaceTB/SmolLM2-135M-Instruct"
                  value={repo}
                  onChange={(event) => setRepo(event.target.value)}
                />
              )}
            </Field>
            <Field label={words.revision} help={words.revisionHelp} error={errorAt("/revision")} className="narrow">
              {(attributes) => (
                <input
                  {...attributes}
                  className="mono"
                  name="revision"
                  required
                  value={revision}
                  onChange={(event) => setRevision(event.target.value)}
                />
              )}
            </Field>
          </div>
        )}
        <Field label={words.name} help={words.nameHelp} error={errorAt("/name")}>
          {(attributes) => (
            <input
              {...attributes}
              name="model-name"
              placeholder={suggested}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {adding.isError && !isPlaced && <ErrorNotice error={adding.error} />}
        <footer>
          <button type="button" onClick={onClose}>
            {strings.common.cancel}
          </button>
          <button type="submit" className="primary" disabled={adding.isPending}>
            {words.submit}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
