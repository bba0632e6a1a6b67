/**
 * What the job page knows: a snapshot, folded forward by the stream. Pure.
 * A reload is a new snapshot folded by the same function, so live and history cannot differ.
 */
import type { JobSnapshot, JobState, StepCompleted, StoredEvent } from "../api/types"

export type JobView = JobSnapshot & {
  /** Steps seen since the page was opened, in order, without holes; charts append them to their buckets. */
  tail: StepCompleted[]
  /** Last `seq` seen of the attempt; null: the snapshot does not tell. */
  seq: number | null
}

/** `gap`: an event was missed; `renewed`: the server knows more than the event says. Both ask for a new snapshot. */
export type Verdict = "applied" | "ignored" | "gap" | "renewed"

const TAIL_STEPS = 2000
const FINAL: ReadonlySet<JobState> = new Set(["succeeded", "failed", "cancelled"])

export const isFinal = (state: JobState): boolean => FINAL.has(state)

export function viewOf(snapshot: JobSnapshot, previous?: JobView): JobView {
  const sameAttempt = previous?.attempt?.attempt_id === snapshot.attempt?.attempt_id
  return { ...snapshot, seq: null, tail: tailOf(snapshot, sameAttempt ? previous : undefined) }
}

/** Steps already shown stay when the snapshot meets them; a hole between empties the tail, and buckets fill it. */
function tailOf(snapshot: JobSnapshot, previous: JobView | undefined): StepCompleted[] {
  const last = snapshot.last_step
  if (!last) return []
  const kept = (previous?.tail ?? []).filter((step) => step.step < last.step)
  return kept.at(-1)?.step === last.step - 1 ? [...kept, last] : [last]
}

export function fold(view: JobView, events: readonly StoredEvent[]): { view: JobView; isStale: boolean } {
  let isStale = false
  let current = view
  for (const stored of events) {
    const [next, verdict] = applyEvent(current, stored)
    current = next
    isStale ||= verdict === "gap" || verdict === "renewed"
  }
  return { view: current, isStale }
}

export function applyEvent(view: JobView, stored: StoredEvent): [JobView, Verdict] {
  if (stored.job_id !== view.job.job_id || stored.event_id <= view.last_event_id) return [view, "ignored"]
  const { event } = stored
  const seen = { ...view, last_event_id: stored.event_id }

  if (event.kind === "state.changed") {
    const job = { ...view.job, state: event.to_state, reason: event.reason ?? null, message: event.message }
    return [{ ...seen, job }, "renewed"]
  }
  if (stored.attempt_id !== view.attempt?.attempt_id) return [view, "gap"]
  if (view.seq !== null && event.seq <= view.seq) return [view, "ignored"]
  if (view.seq !== null && event.seq > view.seq + 1) return [view, "gap"]

  const next = { ...seen, seq: event.seq }
  switch (event.kind) {
    case "phase.changed":
      return [{ ...next, phase: event.phase, job: { ...view.job, phase: event.phase } }, "applied"]
    case "plan.made":
      return [{ ...next, plan: event, job: { ...view.job, total_steps: event.total_steps } }, "applied"]
    case "step.completed":
      return [withStep(next, event), "applied"]
    case "evaluation.completed":
      return [{ ...next, evaluations: [...view.evaluations, event] }, "applied"]
    case "sample.generated":
      return [{ ...next, samples: [...view.samples, event] }, "applied"]
    case "training.finished":
      return [{ ...next, result: event }, "applied"]
    default:
      // Its consequence arrives as a change of state with the reason in words.
      return [next, "applied"]
  }
}

function withStep(view: JobView, step: StepCompleted): JobView {
  const follows = view.tail.length === 0 || view.tail.at(-1)?.step === step.step - 1
  const tail = follows ? [...view.tail, step].slice(-TAIL_STEPS) : [step]
  const job = { ...view.job, step: step.step, last_loss: step.loss }
  return { ...view, last_step: step, tail, job }
}

/** Mean seconds a step over the last twenty steps of this attempt; null before the first. */
export function stepSeconds(view: JobView): number | null {
  const recent = view.tail.slice(-20)
  if (recent.length === 0) return null
  return recent.reduce((sum, step) => sum + step.step_seconds, 0) / recent.length
}

/** Training time left at this attempt's own rate; null when nothing can be said. */
export function secondsLeft(view: JobView): number | null {
  const { step, total_steps: total } = view.job
  const rate = stepSeconds(view)
  if (view.phase !== "train" || step == null || total == null || rate == null) return null
  return Math.max(0, total - step) * rate
}
