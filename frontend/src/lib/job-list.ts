/** A row of the job list, moved on by one event. Pure. */
import type { JobSummary, StoredEvent } from "../api/types"

export function patchSummary(job: JobSummary, stored: StoredEvent): JobSummary {
  if (stored.job_id !== job.job_id) return job
  const { event } = stored
  switch (event.kind) {
    case "step.completed":
      // A list fetched meanwhile may be newer than an event still under way.
      return event.step > (job.step ?? 0) ? { ...job, step: event.step, last_loss: event.loss } : job
    case "phase.changed":
      return { ...job, phase: event.phase }
    case "plan.made":
      return { ...job, total_steps: event.total_steps }
    case "state.changed":
      return { ...job, state: event.to_state, reason: event.reason ?? null }
    default:
      return job
  }
}

/** Where j and k lead: the neighbour, staying inside the list; from nowhere to its first row. */
export function neighbour(ids: readonly string[], current: string | null, by: 1 | -1): string | null {
  if (ids.length === 0) return null
  const at = current === null ? -1 : ids.indexOf(current)
  if (at < 0) return ids[0] ?? null
  return ids[Math.max(0, Math.min(ids.length - 1, at + by))] ?? null
}
