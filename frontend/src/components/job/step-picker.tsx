import { strings } from "../../strings"

/** Which step's lanes: the newest as they come, or one that stays. */
export function StepPicker(props: {
  steps: number[]
  step: number
  /** Null: there is nothing to follow, the run has ended. */
  isFollowing: boolean | null
  onStep: (step: number | undefined) => void
}) {
  const { steps, step, onStep } = props
  const older = steps.filter((one) => one < step).at(-1)
  const newer = steps.find((one) => one > step)
  const words = strings.lanes
  return (
    <fieldset className="step-picker" aria-label={words.step}>
      <button
        type="button"
        className="icon"
        aria-label={words.older}
        disabled={older === undefined}
        onClick={() => onStep(older)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M10 3.500L5.500 8l4.500 4.500" />
        </svg>
      </button>
      <select aria-label={words.step} value={step} onChange={(event) => onStep(Number(event.target.value))}>
        {!steps.includes(step) && <option value={step}>{step}</option>}
        {steps.toReversed().map((one) => (
          <option key={one} value={one}>
            {words.step} {one}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="icon"
        aria-label={words.newer}
        disabled={newer === undefined}
        onClick={() => onStep(newer)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 3.500L10.500 8 6 12.500" />
        </svg>
      </button>
      {props.isFollowing !== null && (
        <button
          type="button"
          className="quiet"
          aria-pressed={props.isFollowing}
          onClick={() => onStep(props.isFollowing ? step : undefined)}
        >
          {words.newest}
        </button>
      )}
    </fieldset>
  )
}
