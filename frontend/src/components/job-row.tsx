import { Link } from "@tanstack/react-router"
import type { JobSummary } from "../api/types"
import { formatAge, formatNumber, formatTime } from "../lib/format"
import { useNow } from "../live/stream-context"
import { strings } from "../strings"
import { isCancellable } from "./cancel-dialog"
import { StateBadge } from "./state-badge"

export function JobRow(props: { job: JobSummary; isChosen: boolean; onChoose: () => void; onCancel: () => void }) {
  const { job } = props
  const now = useNow(10_000)
  const age = formatAge((now - Date.parse(job.created_at)) / 1000)
  return (
    <tr data-chosen={props.isChosen || undefined}>
      <th scope="row">
        <Link
          id={`row-${job.job_id}`}
          to="/jobs/$jobId"
          params={{ jobId: job.job_id }}
          onFocus={props.onChoose}
          className="row-link"
        >
          {job.name}
        </Link>
        <span className="sub">{job.model.name}</span>
      </th>
      <td className="cell-state">
        <StateBadge state={job.state} />
        <Why job={job} />
      </td>
      <td className="cell-progress">
        <Progress job={job} />
      </td>
      <td className="number cell-loss">
        {job.step !== null && formatNumber(job.last_loss)}
        {job.eval_loss_after !== null && (
          <span className="sub">{strings.jobs.evalLoss(formatNumber(job.eval_loss_after))}</span>
        )}
      </td>
      <td className="cell-who">{job.created_by}</td>
      <td className="number cell-age" title={formatTime(job.created_at)}>
        {strings.jobs.ago(age)}
      </td>
      <td className="cell-action">
        {isCancellable(job.state) && (
          <button
            type="button"
            className="quiet"
            aria-label={strings.jobs.cancelNamed(job.name)}
            onClick={props.onCancel}
          >
            {strings.jobs.cancel}
          </button>
        )}
      </td>
    </tr>
  )
}

function Why({ job }: { job: JobSummary }) {
  const parts = [
    job.queue_position === null ? null : strings.jobs.queuePosition(job.queue_position),
    job.reason === null ? null : (strings.reasons[job.reason] ?? job.reason),
  ].filter((part) => part !== null)
  return parts.length > 0 && <span className="sub">{parts.join(" · ")}</span>
}

function Progress({ job }: { job: JobSummary }) {
  if (job.step === null) {
    const isBusy = job.state === "running" || job.state === "starting"
    return isBusy && job.phase ? <span className="sub">{strings.phaseDoing[job.phase]}</span> : null
  }
  const share = job.total_steps ? Math.min(1, job.step / job.total_steps) : 0
  return (
    <span className="progress">
      <span className="bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} data-live={job.state === "running" || undefined} />
      </span>
      <span>{strings.jobs.step(job.step, job.total_steps)}</span>
    </span>
  )
}
