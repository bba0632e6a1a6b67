import type { UseQueryResult } from "@tanstack/react-query"
import { ApiError } from "../../api/client"
import type { PlanRead, ProblemItem } from "../../api/types"
import { formatBytes } from "../../lib/format"
import { barsOf, type TierBar } from "../../lib/plan-bars"
import type { PlacementChoice } from "../../lib/spec-form"
import { strings } from "../../strings"
import { ErrorNotice } from "../ui"

export function PlanPanel(props: {
  plan: UseQueryResult<PlanRead>
  isAsked: boolean
  /** Those no field shows. */
  problems: readonly ProblemItem[]
  placement: PlacementChoice
  onPlacement: (placement: PlacementChoice) => void
}) {
  const { plan } = props
  const words = strings.plan
  const isRefused = plan.error instanceof ApiError && plan.error.status === 422
  return (
    <section className="panel plan" aria-label={words.title} aria-busy={plan.isFetching}>
      <div className="panel-head">
        <h2>{words.title}</h2>
        {plan.data && props.isAsked && !plan.isError && <Verdict plan={plan.data} />}
      </div>
      {!props.isAsked ? (
        <p className="faint">{words.waiting}</p>
      ) : plan.isError && !isRefused ? (
        <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
      ) : isRefused ? (
        <Problems items={props.problems} fallback={plan.error?.message ?? words.unavailable} />
      ) : (
        plan.data && <Answer {...props} plan={plan.data} />
      )}
    </section>
  )
}

function Verdict({ plan }: { plan: PlanRead }) {
  const tone = plan.fits === null ? "wait" : plan.fits ? "good" : "bad"
  const words = strings.plan
  return (
    <span className="verdict" data-tone={tone} role="status">
      {plan.fits === null ? words.unknown : plan.fits ? words.fits(plan.box?.name ?? "") : words.doesNotFit}
    </span>
  )
}

function Answer(props: {
  plan: PlanRead
  problems: readonly ProblemItem[]
  placement: PlacementChoice
  onPlacement: (placement: PlacementChoice) => void
}) {
  const { plan, problems, placement, onPlacement } = props
  const words = strings.plan
  const fixes = (["nvme", "host"] as const).filter((choice) => choice !== placement)
  return (
    <>
      {plan.state_bytes !== null && <p className="plan-size">{words.stateOf(plan.state_bytes, plan.num_parameters)}</p>}
      {plan.box === null && <p className="faint">{words.noBox}</p>}
      {barsOf(plan).map((bar) => (
        <Bar key={bar.tier} bar={bar} />
      ))}
      <Problems items={problems} />
      {plan.fits === false && (
        <div className="fixes">
          {fixes.map((choice) => (
            <button key={choice} type="button" onClick={() => onPlacement(choice)}>
              {words.fix[choice]}
            </button>
          ))}
        </div>
      )}
      {plan.notes.length > 0 && (
        <ul className="notes">
          {plan.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function Bar({ bar }: { bar: TierBar }) {
  const words = strings.plan
  const share = (bytes: number) => `${(bytes / Math.max(bar.totalBytes, bar.usedBytes + bar.stateBytes)) * 100}%`
  const state = bar.stateBytes > 0 ? `${formatBytes(bar.stateBytes)} ${words.state}` : words.noState
  const label = `${words.tiers[bar.tier]}: ${state}, ${formatBytes(bar.usedBytes)} ${words.used}, ${words.free(bar.freeBytes)}`
  return (
    <div className="tier-bar" data-over={bar.isOver || undefined}>
      <div className="tier-bar-head">
        <b>{words.tiers[bar.tier]}</b>
        <span>{words.ofTotal(bar.totalBytes)}</span>
      </div>
      <div className="tier-bar-track" role="img" aria-label={label}>
        <i className="used" style={{ width: share(bar.usedBytes) }} />
        <i className={`own tier-${bar.tier}`} style={{ width: share(bar.stateBytes) }} />
      </div>
      <div className="tier-bar-foot">
        <span>{state}</span>
        <span>{words.free(bar.freeBytes)}</span>
      </div>
    </div>
  )
}

function Problems({ items, fallback }: { items: readonly ProblemItem[]; fallback?: string }) {
  if (items.length === 0) return fallback ? <p className="field-error">{fallback}</p> : null
  return (
    <div role="alert">
      <ul className="problems">
        {items.map((item) => (
          <li key={`${item.pointer}${item.code}`}>
            {item.message} {item.hint && <span>{item.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
