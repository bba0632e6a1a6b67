import type { JobState } from "../api/types"
import { strings } from "../strings"

const TONES: Record<JobState, "idle" | "wait" | "busy" | "good" | "bad" | "off"> = {
  queued: "idle",
  waiting: "wait",
  starting: "busy",
  running: "busy",
  pausing: "busy",
  paused: "wait",
  saving: "busy",
  cancelling: "wait",
  succeeded: "good",
  failed: "bad",
  cancelled: "off",
}

/** State by shape, word and colour: never by colour alone. */
export function StateBadge({ state }: { state: JobState }) {
  return (
    <span className="state" data-tone={TONES[state]}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {shapeOf(TONES[state])}
      </svg>
      {strings.states[state]}
    </span>
  )
}

function shapeOf(tone: (typeof TONES)[JobState]) {
  switch (tone) {
    case "good":
      return <path d="M2 6.4l2.8 2.8L10 3.4" className="stroke" />
    case "bad":
      return <path d="M2.6 2.6l6.8 6.8m0-6.8l-6.8 6.8" className="stroke" />
    case "off":
      return <path d="M2 6h8" className="stroke" />
    case "busy":
      return <circle cx="6" cy="6" r="4" className="fill" />
    case "wait":
      return <path d="M3.6 2.4v7.2m4.8-7.2v7.2" className="stroke" />
    case "idle":
      return <circle cx="6" cy="6" r="3.6" className="stroke" />
  }
}
