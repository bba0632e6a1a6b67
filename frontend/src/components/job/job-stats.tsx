/** The numbers one looks at first. While the job runs they are its newest step; afterwards its last. */
import type { ReactNode } from "react"
import { formatAge, formatBytes, formatDuration, formatNumber, formatShare } from "../../lib/format"
import { isFinal, type JobView, secondsLeft, stepSeconds } from "../../lib/job-view"
import { useNow } from "../../live/stream-context"
import { strings } from "../../strings"

export function JobStats({ view }: { view: JobView }) {
  const { job, last_step: last, evaluations } = view
  const now = useNow()
  if (!last) return null
  const names = strings.job.stats
  const total = job.total_steps
  const evaluation = evaluations.at(-1)
  const stalls = last.stall_seconds
  const isDone = isFinal(job.state)
  return (
    <dl className="stats">
      <Stat
        name={names.step}
        note={isDone ? undefined : strings.job.stepAge(formatAge((now - Date.parse(last.time)) / 1000))}
      >
        {last.step}
        {total && <small> / {total}</small>}
        {total && (
          <span className="bar" aria-hidden="true">
            <i
              style={{ width: `${Math.min(1, last.step / total) * 100}%` }}
              data-live={job.state === "running" || undefined}
            />
          </span>
        )}
      </Stat>
      <Stat name={names.loss} note={evaluation && `${names.evalLoss} ${formatNumber(evaluation.loss)}`}>
        {formatNumber(last.loss)}
      </Stat>
      <Stat name={names.tokens} note={`${names.stepTime} ${formatDuration(stepSeconds(view))}`}>
        {last.tokens_per_second.toFixed(last.tokens_per_second < 100 ? 1 : 0)}
      </Stat>
      {isDone ? (
        <Stat name={names.took}>{formatDuration(tookSeconds(job))}</Stat>
      ) : (
        <Stat name={names.left} note={view.phase ? strings.phaseDoing[view.phase] : undefined}>
          {formatDuration(secondsLeft(view))}
        </Stat>
      )}
      <Stat
        name={names.hidden}
        note={`${names.stalled} ${formatDuration(stalls.nvme_read + stalls.nvme_write + stalls.update)}`}
      >
        {formatShare(last.overlap_share)}
      </Stat>
      <Stat name={names.rss} note={`${formatBytes(last.occupancy_bytes.nvme)} ${strings.charts.tiers.nvme}`}>
        {formatBytes(last.rss_bytes)}
      </Stat>
    </dl>
  )
}

export function tookSeconds(job: JobView["job"]): number | null {
  if (!job.started_at || !job.finished_at) return null
  return (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1000
}

function Stat({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note && <dd className="note">{note}</dd>}
    </div>
  )
}
