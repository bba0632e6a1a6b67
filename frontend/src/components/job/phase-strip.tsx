import type { JobState, Phase } from "../../api/types"
import { isFinal } from "../../lib/job-view"
import { strings } from "../../strings"

const ORDER: readonly Phase[] = ["load", "tokenize", "plan", "evaluate_before", "train", "evaluate_after", "export"]

export function PhaseStrip({ state, phase }: { state: JobState; phase: Phase | null }) {
  const at = state === "succeeded" ? ORDER.length : phase ? ORDER.indexOf(phase) : -1
  return (
    <ol className="phases">
      {ORDER.map((name, index) => {
        const status = index < at ? "done" : index > at ? "next" : isFinal(state) ? "stopped" : "now"
        return (
          <li key={name} data-status={status} aria-current={status === "now" ? "step" : undefined}>
            <i aria-hidden="true" />
            {strings.phases[name]}
            <span className="visually-hidden">, {strings.phaseState[status]}</span>
          </li>
        )
      })}
    </ol>
  )
}
