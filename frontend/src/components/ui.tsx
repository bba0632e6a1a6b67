/** Small parts that every page uses. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { ApiError, UnreachableError } from "../api/client"
import { strings } from "../strings"

export function CopyButton({ text, label = strings.common.copy }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <button type="button" className="quiet" onClick={() => void copy(text).then(() => setDone(true))}>
      {isDone ? strings.common.copied : label}
    </button>
  )
}

/** The clipboard of a page served by plain http is a selection and an old command. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}

export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, hint, meta } = describe(error)
  return (
    <div className="notice" data-tone="bad" role="alert">
      <p className="notice-title">{title}</p>
      {hint && <p>{hint}</p>}
      <div className="notice-foot">
        {meta && <code>{meta}</code>}
        {onRetry && (
          <button type="button" className="quiet" onClick={onRetry}>
            {strings.common.retry}
          </button>
        )}
        {meta && (
          <CopyButton text={[title, hint, meta].filter(Boolean).join("\n")} label={strings.errors.copyDetails} />
        )}
      </div>
    </div>
  )
}

export function describe(error: unknown): { title: string; hint: string; meta: string } {
  if (error instanceof ApiError) {
    const request = error.requestId ? ` · ${strings.common.request(error.requestId)}` : ""
    return { title: error.message, hint: error.hint, meta: `${strings.common.code(error.code)}${request}` }
  }
  if (error instanceof UnreachableError) {
    return { title: strings.errors.unreachable, hint: strings.errors.unreachableHint, meta: "" }
  }
  return {
    title: strings.errors.unexpected,
    hint: error instanceof Error ? error.message : String(error),
    meta: "",
  }
}

export function Field(props: {
  label: string
  help?: string | undefined
  error?: string | undefined
  errorHint?: string | undefined
  className?: string
  children: (attributes: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ReactNode
}) {
  const id = useId()
  return (
    <div className={`field ${props.className ?? ""}`} data-invalid={props.error ? true : undefined}>
      <label htmlFor={id}>{props.label}</label>
      {props.children({ id, "aria-describedby": `${id}-note`, "aria-invalid": Boolean(props.error) })}
      <p id={`${id}-note`} className={props.error ? "field-error" : "field-help"}>
        {props.error ? (
          <>
            {props.error} {props.errorHint && <span>{props.errorHint}</span>}
          </>
        ) : (
          props.help
        )}
      </p>
    </div>
  )
}

/** A modal of the platform's own kind: focus, Escape and backdrop come with it. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode; isWide?: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // Beside the page, never inside it: a form in a dialog must not stand in, or submit, the form that opened it.
  return createPortal(
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={props.isWide ? "wide" : ""}
      onClose={props.onClose}
      onSubmit={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={id}>{props.title}</h2>
        <button type="button" className="icon" aria-label={strings.common.close} onClick={props.onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3.5 3.5l9 9m0-9l-9 9" />
          </svg>
        </button>
      </header>
      {props.children}
    </dialog>,
    document.body,
  )
}

export function Segmented<T extends string>(props: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  className?: string
}) {
  const name = useId()
  return (
    <div role="radiogroup" className={`segmented ${props.className ?? ""}`} aria-label={props.label}>
      {props.options.map((option) => (
        <label key={option.value} data-on={option.value === props.value || undefined}>
          <input
            type="radio"
            name={name}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{strings.common.loading}</span>
    </div>
  )
}
