import type { PlanMade } from "../../api/types"
import { formatBytes, formatCount } from "../../lib/format"
import { strings } from "../../strings"

/** What the engine decided before the first step, and why. */
export function PlanFacts({ plan }: { plan: PlanMade }) {
  const words = strings.planFacts
  const rows: [string, string][] = [
    [words.parameters, formatCount(plan.num_parameters)],
    [words.partitions, String(plan.num_partitions)],
    [words.rows, words.rowsOf(plan.train_rows, plan.eval_rows)],
    [words.buffer, formatBytes(plan.buffer_bytes)],
    [words.io, plan.direct_io ? words.direct : words.cached],
    [words.schedule, plan.schedule],
  ]
  return (
    <section className="plan-facts" aria-label={words.title}>
      <h3>{words.title}</h3>
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
      {plan.schedule_reason && <p className="faint">{plan.schedule_reason}</p>}
    </section>
  )
}
