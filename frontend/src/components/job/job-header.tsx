import { Link } from "@tanstack/react-router"
import { formatAge, formatTime } from "../../lib/format"
import { isFinal, type JobView } from "../../lib/job-view"
import { useNow } from "../../live/stream-context"
import { strings } from "../../strings"
import { isCancellable } from "../cancel-dialog"
import { StateBadge } from "../state-badge"

export function JobHeader({ view, onCancel }: { view: JobView; onCancel: () => void }) {
  const { job, attempt } = view
  const now = useNow()
  return (
    <header className="job-head">
      <div className="job-title">
        <p className="crumb">
          <Link to="/jobs">{strings.nav.jobs}</Link>
        </p>
        <h1>{job.name}</h1>
        <p className="job-meta">
          <StateBadge state={job.state} />
          <span>{job.model.name}</span>
          <span>{job.dataset.name}</span>
          <span title={formatTime(job.created_at)}>
            {strings.job.by(job.created_by, formatAge((now - Date.parse(job.created_at)) / 1000))}
          </span>
          {attempt && <span>{strings.job.on(attempt.box_name)}</span>}
          {job.attempt_number > 1 && <span>{strings.job.attempt(job.attempt_number)}</span>}
        </p>
      </div>
      <div className="job-actions">
        <Link to="/jobs/new" search={{ from: job.job_id }} className="button">
          {strings.job.again}
        </Link>
        {isCancellable(job.state) && (
          <button type="button" className="danger" onClick={onCancel}>
            {strings.job.cancel}
          </button>
        )}
      </div>
      <Why view={view} />
    </header>
  )
}

const TONE = { failed: "bad", waiting: "wait", queued: "idle" } as const

function Why({ view }: { view: JobView }) {
  const { reason_text: words, message, queue_position: position, state } = view.job
  // While all is well the state says it; words come with a reason, a place in line, or an end.
  if (!words && position === null && !(message && isFinal(state) && state !== "succeeded")) return null
  return (
    <div className="notice why" data-tone={state in TONE ? TONE[state as keyof typeof TONE] : "idle"} role="status">
      <p>
        {words && <b>{words.sentence} </b>}
        {message}
        {position !== null && ` ${strings.job.queue(position)}`}
      </p>
      {words && (
        <p className="why-next">
          <b>{strings.job.next}</b> {words.next_step}
        </p>
      )}
    </div>
  )
}
