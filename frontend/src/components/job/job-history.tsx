import { useQuery } from "@tanstack/react-query"
import { movesQuery } from "../../api/jobs"
import { formatTime } from "../../lib/format"
import type { JobView } from "../../lib/job-view"
import { strings } from "../../strings"
import { StateBadge } from "../state-badge"
import { ErrorNotice, Loading } from "../ui"

export function JobHistory({ view }: { view: JobView }) {
  const moves = useQuery(movesQuery(view.job.job_id))
  const words = strings.history
  if (moves.isPending) return <Loading />
  if (moves.isError) return <ErrorNotice error={moves.error} onRetry={() => void moves.refetch()} />
  return (
    <table className="data history">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.change}</th>
          <th scope="col">{words.actor}</th>
          <th scope="col">{words.why}</th>
        </tr>
      </thead>
      <tbody>
        {moves.data.items.toReversed().map((move) => (
          <tr key={`${move.time}${move.to_state}`}>
            <td>{formatTime(move.time)}</td>
            <td>
              <StateBadge state={move.to_state} />
            </td>
            <td>{move.actor}</td>
            <td>
              {[move.reason && (strings.reasons[move.reason] ?? move.reason), move.message].filter(Boolean).join(": ")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
