/** The form's fields, each with its one line of help and its own problem. */
import type { ProblemItem } from "../../api/types"
import { DEFAULT_FORM, type SpecForm } from "../../lib/spec-form"
import { strings } from "../../strings"
import { Field, Segmented } from "../ui"

export type FormProps = {
  form: SpecForm
  set: <K extends keyof SpecForm>(key: K, value: SpecForm[K]) => void
  problemAt: (key: keyof SpecForm) => ProblemItem | undefined
}
type TextKey = { [K in keyof SpecForm]: SpecForm[K] extends string ? K : never }[keyof SpecForm] &
  keyof typeof strings.fields

export function TextField(props: FormProps & { name: TextKey; placeholder?: string }) {
  const { name, form, set } = props
  const { label, help } = strings.fields[name]
  const problem = props.problemAt(name)
  return (
    <Field label={label} help={help} error={problem?.message} errorHint={problem?.hint}>
      {(attributes) => (
        <input
          {...attributes}
          name={name}
          placeholder={props.placeholder}
          autoComplete="off"
          value={form[name]}
          onChange={(event) => set(name, event.target.value as never)}
        />
      )}
    </Field>
  )
}

export function TrainingFields(props: FormProps) {
  const { form, set } = props
  const words = strings.fields
  return (
    <>
      <div className="field-row">
        <div className="field">
          <span className="label">{words.length.label}</span>
          <Segmented
            label={words.length.label}
            value={form.lengthBy}
            onChange={(value) => set("lengthBy", value)}
            options={[
              { value: "epochs", label: words.epochs.label },
              { value: "steps", label: words.max_steps.label },
            ]}
          />
          <p className="field-help">{words.length.help}</p>
        </div>
        {form.lengthBy === "steps" ? <TextField {...props} name="max_steps" /> : <TextField {...props} name="epochs" />}
        <TextField {...props} name="learning_rate" />
      </div>
      <div className="field-row">
        <TextField {...props} name="batch_size" />
        <TextField {...props} name="gradient_accumulation" />
        <TextField {...props} name="sequence_length" />
      </div>
      <details className="more" open={isChanged(form) || undefined}>
        <summary>{strings.newJob.more}</summary>
        <div className="field-row">
          <ChoiceField
            {...props}
            name="learning_rate_schedule"
            options={Object.entries(strings.schedules) as [SpecForm["learning_rate_schedule"], string][]}
          />
          <TextField {...props} name="warmup_steps" />
          <TextField {...props} name="weight_decay" />
        </div>
        <div className="field-row">
          <TextField {...props} name="max_grad_norm" />
          <ChoiceField
            {...props}
            name="dtype"
            options={[
              ["float32", "float32"],
              ["bfloat16", "bfloat16"],
            ]}
          />
          <TextField {...props} name="seed" />
        </div>
        <label className="check spaced">
          <input
            type="checkbox"
            checked={form.gradient_checkpointing}
            onChange={(event) => set("gradient_checkpointing", event.target.checked)}
          />
          <span>
            {words.gradient_checkpointing.label}
            <small>{words.gradient_checkpointing.help}</small>
          </span>
        </label>
      </details>
    </>
  )
}

const MORE = [
  "learning_rate_schedule",
  "warmup_steps",
  "weight_decay",
  "max_grad_norm",
  "dtype",
  "seed",
  "gradient_checkpointing",
] as const
const isChanged = (form: SpecForm): boolean => MORE.some((key) => form[key] !== DEFAULT_FORM[key])

export function RecipeField(props: FormProps) {
  const known = Object.entries(strings.newJob.recipes)
  // A recipe this page has no words for, from a copied job, stays what it is.
  const options = known.some(([name]) => name === props.form.recipe)
    ? known
    : [...known, [props.form.recipe, props.form.recipe] as const]
  return <ChoiceField {...props} name="recipe" options={options} />
}

function ChoiceField<K extends "recipe" | "learning_rate_schedule" | "dtype">(
  props: FormProps & { name: K; options: readonly (readonly [SpecForm[K], string])[] },
) {
  const { name, options, form, set } = props
  const { label, help } = strings.fields[name]
  const problem = props.problemAt(name)
  return (
    <Field label={label} help={help} error={problem?.message} errorHint={problem?.hint}>
      {(attributes) => (
        <select
          {...attributes}
          name={name}
          value={form[name]}
          onChange={(event) => set(name, event.target.value as SpecForm[K])}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function EvaluationFields(props: FormProps) {
  const { form, set } = props
  const { label, help } = strings.fields.sample_prompts
  const problem = props.problemAt("sample_prompts")
  return (
    <>
      <div className="field-row">
        <TextField {...props} name="eval_rows" />
        <TextField {...props} name="sample_tokens" />
      </div>
      <Field label={label} help={help} error={problem?.message} errorHint={problem?.hint}>
        {(attributes) => (
          <textarea
            {...attributes}
            name="sample_prompts"
            rows={2}
            value={form.sample_prompts}
            onChange={(event) => set("sample_prompts", event.target.value)}
          />
        )}
      </Field>
    </>
  )
}

export function PlacementFields(props: FormProps) {
  const { form, set } = props
  const problem = props.problemAt("placement")
  return (
    <>
      <div role="radiogroup" className="cards" aria-label={strings.newJob.sections.placement}>
        {(["nvme", "host", "custom"] as const).map((choice) => (
          <label key={choice} data-on={form.placement === choice || undefined}>
            <input
              type="radio"
              name="placement"
              checked={form.placement === choice}
              onChange={() => set("placement", choice)}
            />
            <b>{strings.placement[choice].label}</b>
            <small>{strings.placement[choice].help}</small>
          </label>
        ))}
      </div>
      {form.placement === "custom" && (
        <div className="field-row">
          <TextField {...props} name="host_bytes" />
          <TextField {...props} name="nvme_bytes" />
        </div>
      )}
      {problem && (
        <p className="field-error" role="alert">
          {problem.message} {problem.hint}
        </p>
      )}
    </>
  )
}
