/** The form's state and the spec made of it. Text stays as typed: the server is the judge of every value. */
import type { JobSpec } from "../api/types"

export type PlacementChoice = "nvme" | "host" | "custom"

export type SpecForm = {
  name: string
  model: string
  dataset: string
  recipe: string
  lengthBy: "steps" | "epochs"
  max_steps: string
  epochs: string
  batch_size: string
  gradient_accumulation: string
  sequence_length: string
  learning_rate: string
  learning_rate_schedule: JobSpec["training"]["learning_rate_schedule"]
  warmup_steps: string
  weight_decay: string
  max_grad_norm: string
  dtype: JobSpec["training"]["dtype"]
  gradient_checkpointing: boolean
  seed: string
  eval_rows: string
  sample_prompts: string
  sample_tokens: string
  placement: PlacementChoice
  host_bytes: string
  nvme_bytes: string
}

export const DEFAULT_FORM: SpecForm = {
  name: "",
  model: "",
  dataset: "",
  recipe: "sft",
  lengthBy: "epochs",
  max_steps: "100",
  epochs: "1",
  batch_size: "4",
  gradient_accumulation: "1",
  sequence_length: "256",
  learning_rate: "2e-5",
  learning_rate_schedule: "cosine",
  warmup_steps: "0",
  weight_decay: "0",
  max_grad_norm: "1",
  dtype: "float32",
  gradient_checkpointing: false,
  seed: "0",
  eval_rows: "64",
  sample_prompts: "",
  sample_tokens: "64",
  placement: "nvme",
  host_bytes: "",
  nvme_bytes: "",
}

/** A number where the text is one, else the text itself: the server then says what is wrong with it, at its field. */
function numeric(text: string): number {
  const value = Number(text)
  return (text.trim() !== "" && Number.isFinite(value) ? value : text) as number
}

const optional = (text: string): number | null => (text.trim() === "" ? null : numeric(text))

export function specOf(form: SpecForm): JobSpec {
  return {
    version: 1,
    name: form.name.trim(),
    model: form.model,
    dataset: form.dataset,
    recipe: form.recipe,
    training: {
      max_steps: form.lengthBy === "steps" ? numeric(form.max_steps) : null,
      epochs: form.lengthBy === "epochs" ? numeric(form.epochs) : 1,
      batch_size: numeric(form.batch_size),
      gradient_accumulation: numeric(form.gradient_accumulation),
      sequence_length: numeric(form.sequence_length),
      learning_rate: numeric(form.learning_rate),
      learning_rate_schedule: form.learning_rate_schedule,
      warmup_steps: numeric(form.warmup_steps),
      weight_decay: numeric(form.weight_decay),
      max_grad_norm: optional(form.max_grad_norm),
      dtype: form.dtype,
      gradient_checkpointing: form.gradient_checkpointing,
      seed: numeric(form.seed),
    },
    evaluation: {
      rows: numeric(form.eval_rows),
      sample_prompts: form.sample_prompts.split("\n").filter((line) => line.trim() !== ""),
      sample_tokens: numeric(form.sample_tokens),
    },
    placement: placementOf(form),
    engine: { buffer_bytes: null, partition_bytes: null, schedule: "auto" },
  }
}

function placementOf(form: SpecForm): JobSpec["placement"] {
  if (form.placement === "nvme") return { host_bytes: 0, nvme_bytes: null }
  if (form.placement === "host") return { host_bytes: null, nvme_bytes: 0 }
  return { host_bytes: optional(form.host_bytes), nvme_bytes: optional(form.nvme_bytes) }
}

/** A spec back into the form, for "run again". Engine settings the form does not show go back to their defaults. */
export function formOf(spec: JobSpec): SpecForm {
  const { training, evaluation, placement } = spec
  const host = placement.host_bytes ?? null
  const nvme = placement.nvme_bytes ?? null
  const isNvme = host === 0 && nvme === null
  const isHost = host === null && nvme === 0
  const text = (value: number | null | undefined) => (value == null ? "" : String(value))
  return {
    name: spec.name,
    model: spec.model,
    dataset: spec.dataset,
    recipe: spec.recipe,
    lengthBy: training.max_steps == null ? "epochs" : "steps",
    max_steps: text(training.max_steps ?? 100),
    epochs: text(training.epochs),
    batch_size: text(training.batch_size),
    gradient_accumulation: text(training.gradient_accumulation),
    sequence_length: text(training.sequence_length),
    learning_rate: text(training.learning_rate),
    learning_rate_schedule: training.learning_rate_schedule,
    warmup_steps: text(training.warmup_steps),
    weight_decay: text(training.weight_decay),
    max_grad_norm: text(training.max_grad_norm),
    dtype: training.dtype,
    gradient_checkpointing: training.gradient_checkpointing,
    seed: text(training.seed),
    eval_rows: text(evaluation.rows),
    sample_prompts: evaluation.sample_prompts.join("\n"),
    sample_tokens: text(evaluation.sample_tokens),
    placement: isNvme ? "nvme" : isHost ? "host" : "custom",
    host_bytes: isNvme || isHost ? "" : text(host),
    nvme_bytes: isNvme || isHost ? "" : text(nvme),
  }
}

/** "/training/batch_size" -> the form's field; null when the form has none and the problem belongs at its top. */
export function fieldOf(pointer: string): keyof SpecForm | null {
  const parts = pointer.split("/").filter((part) => part !== "" && part !== "body")
  const [first, second] = parts
  if (first === "evaluation" && second === "rows") return "eval_rows"
  const leaf = first === "training" || first === "evaluation" || first === "placement" ? (second ?? first) : first
  return leaf !== undefined && leaf in DEFAULT_FORM ? (leaf as keyof SpecForm) : null
}

/** The same request for a terminal. The token is a placeholder: no page can read one back. */
export function curlOf(origin: string, spec: JobSpec): string {
  const body = JSON.stringify(spec, null, 2).replaceAll("'", "'\\''")
  return `curl ${origin}/api/v1/jobs \\\n  -H "Authorization: Bearer $SPILLWAY_TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'\n`
}
