import type { TrainingFinished } from "../../api/types"
import { formatBytes, formatChange, formatDuration, formatNumber, formatShare } from "../../lib/format"
import type { JobView } from "../../lib/job-view"
import { strings } from "../../strings"
import { tookSeconds } from "./job-stats"

const TIERS = ["device", "host", "nvme"] as const

export function JobResult({ view, result }: { view: JobView; result: TrainingFinished }) {
  const words = strings.result
  const { eval_loss_before: before, eval_loss_after: after, state_bytes: state } = result
  const held = TIERS.filter((tier) => state[tier] > 0).map(
    (tier) => `${formatBytes(state[tier])} ${strings.charts.tiers[tier]}`,
  )
  const rows: [string, string][] = [
    [words.steps, String(result.steps)],
    [words.duration, formatDuration(tookSeconds(view.job))],
    [words.first, formatDuration(result.seconds_to_first_step)],
    [words.tokens, formatNumber(result.tokens_per_second)],
    [words.overlap, formatShare(result.overlap_share)],
    [words.rss, formatBytes(result.peak_rss_bytes)],
    [words.state, held.join(", ") || strings.common.none],
  ]
  return (
    <section className="panel result" aria-label={words.title}>
      <div className="result-loss">
        <h2>{words.evalLoss}</h2>
        <p>
          <span>
            <small>{words.before}</small>
            {formatNumber(before)}
          </span>
          <svg viewBox="0 0 40 12" aria-hidden="true">
            <path d="M1 6h36M32 1.500L37.500 6 32 10.500" />
          </svg>
          <span>
            <small>{words.after}</small>
            {formatNumber(after)}
          </span>
          <strong data-good={(before ?? 0) > (after ?? 0) || undefined}>{formatChange(before, after)}</strong>
        </p>
      </div>
      <table className="facts">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
