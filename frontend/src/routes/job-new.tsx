import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react"
import { ApiError } from "../api/client"
import { planQuery, readJob, submitJob } from "../api/jobs"
import { datasetsQuery } from "../api/registry"
import type { JobRead, JobSpec, ProblemItem } from "../api/types"
import { PlanPanel } from "../components/new-job/plan-panel"
import { DatasetField, ModelField } from "../components/new-job/source-fields"
import {
  EvaluationFields,
  type FormProps,
  PlacementFields,
  RecipeField,
  TextField,
  TrainingFields,
} from "../components/new-job/spec-fields"
import { SpecText } from "../components/new-job/spec-text"
import { ErrorNotice, Loading } from "../components/ui"
import { randomKey } from "../lib/random-key"
import { DEFAULT_FORM, fieldOf, formOf, type SpecForm, specOf } from "../lib/spec-form"
import { strings } from "../strings"

const DEBOUNCE_MS = 300

export function JobNewPage() {
  const { from } = useSearch({ from: "/signed-in/jobs/new" })
  const parent = useQuery({
    queryKey: ["jobs", from, "spec"],
    queryFn: () => readJob(from ?? ""),
    enabled: from !== undefined,
  })
  if (from !== undefined && parent.isPending) return <Loading />
  return <NewJob key={from ?? ""} parent={parent.data} error={parent.error} />
}

function NewJob({ parent, error }: { parent: JobRead | undefined; error: Error | null }) {
  const [form, setForm] = useState<SpecForm>(() => (parent ? formOf(parent.spec) : DEFAULT_FORM))
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ spec: JobSpec; items: readonly ProblemItem[] } | null>(null)
  const navigate = useNavigate()
  const words = strings.newJob
  const suggested = useSuggestedName(form)
  const spec = useMemo(() => specOf({ ...form, name: form.name.trim() || suggested }), [form, suggested])
  const settled = useSettled(spec, DEBOUNCE_MS)
  const isAsked = settled.model !== "" && settled.dataset !== ""
  // The plan wants a whole spec; a name is the last thing one thinks of.
  const plan = useQuery({ ...planQuery({ ...settled, name: settled.name || "unnamed" }), enabled: isAsked })

  const key = useIdempotencyKey(spec)
  const submitting = useMutation({
    mutationFn: () => submitJob(spec, key()),
    onSuccess: (job) => navigate({ to: "/jobs/$jobId", params: { jobId: job.job_id } }),
    onError: (cause) => setRefused(cause instanceof ApiError ? { spec, items: cause.errors } : null),
  })

  const planProblems = plan.error instanceof ApiError ? plan.error.errors : (plan.data?.problems ?? [])
  // What a refused submit said holds until the form is changed.
  const problems = [...(refused?.spec === spec ? refused.items : []), ...(isAsked ? planProblems : [])]
  const problemAt = (name: keyof SpecForm) => {
    const missing = isTried && isRequired(name) && form[name].trim() === "" ? words.needs[name] : undefined
    if (missing) return { pointer: `/${name}`, code: "missing", message: missing, hint: "" }
    return problems.find((item) => fieldOf(item.pointer) === name)
  }
  const unplaced = problems.filter((item) => fieldOf(item.pointer) === null)
  const fields: FormProps = {
    form,
    set: (name, value) => setForm((old) => ({ ...old, [name]: value })),
    problemAt,
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    const missing = REQUIRED.find((name) => form[name].trim() === "")
    if (missing) event.currentTarget.querySelector<HTMLElement>(`[name=${missing}]`)?.focus()
    else submitting.mutate()
  }
  return (
    <div className="page new-job">
      <title>{`${words.title} · ${strings.product}`}</title>
      <div className="page-head">
        <h1>{words.title}</h1>
        <p className="count">{parent ? words.cloned(parent.name) : words.lead}</p>
      </div>
      {error && <ErrorNotice error={error} />}
      <form onSubmit={onSubmit} noValidate>
        <div className="new-job-fields">
          <Section title={words.sections.what}>
            <ModelField {...fields} />
            <div className="field-row">
              <TextField {...fields} name="name" placeholder={suggested} />
              <RecipeField {...fields} />
            </div>
          </Section>
          <Section title={words.sections.data}>
            <DatasetField {...fields} />
          </Section>
          <Section title={words.sections.placement}>
            <PlacementFields {...fields} />
          </Section>
          <Section title={words.sections.training}>
            <TrainingFields {...fields} />
          </Section>
          <Section title={words.sections.evaluation}>
            <EvaluationFields {...fields} />
          </Section>
        </div>
        <aside className="new-job-side">
          <PlanPanel
            plan={plan}
            isAsked={isAsked}
            problems={planProblems.filter((item) => fieldOf(item.pointer) === null)}
            placement={form.placement}
            onPlacement={(placement) => fields.set("placement", placement)}
          />
          {submitting.isError && (unplaced.length > 0 || problems.length === 0) && (
            <ErrorNotice error={submitting.error} />
          )}
          <button type="submit" className="primary large" disabled={submitting.isPending}>
            {submitting.isPending ? words.submitting : words.submit}
          </button>
          <SpecText spec={spec} />
        </aside>
      </form>
    </div>
  )
}

/** A name is asked for last and often not at all: left empty, it says what the job is made of. */
function useSuggestedName({ model, dataset }: SpecForm): string {
  const datasets = useQuery(datasetsQuery)
  const name = datasets.data?.items.find((one) => one.dataset_id === dataset)?.name ?? dataset
  return model && name ? strings.newJob.suggestedName(name, model).slice(0, 100) : ""
}

const REQUIRED = ["model", "dataset"] as const
const isRequired = (name: keyof SpecForm): name is (typeof REQUIRED)[number] => REQUIRED.includes(name as never)

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="panel form-section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** One key a spec: pressing again after a lost answer finds the same job, a changed form makes another. */
function useIdempotencyKey(spec: JobSpec): () => string {
  const made = useRef<{ text: string; key: string } | null>(null)
  return () => {
    const text = JSON.stringify(spec)
    if (made.current?.text !== text) made.current = { text, key: randomKey() }
    return made.current.key
  }
}
