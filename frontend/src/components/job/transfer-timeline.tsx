/** Did the transfers hide behind compute? One step as lanes, with the answer as a sentence above. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { ApiError } from "../../api/client"
import { spanStepsQuery, spansQuery } from "../../api/jobs"
import type { StepSpans } from "../../api/types"
import { formatDuration, formatShare } from "../../lib/format"
import { isFinal, type JobView } from "../../lib/job-view"
import { lanesOf, traceOf, worstStall } from "../../lib/lanes"
import { strings } from "../../strings"
import { ChartFigure } from "../chart-figure"
import { TableToggle } from "../table-toggle"
import { ErrorNotice } from "../ui"
import { type ChartContext, summaryOf } from "./job-charts"
import { LanesCanvas } from "./lanes-canvas"
import { StepPicker } from "./step-picker"

const FOLLOW_MS = 9_000

export function TransferTimeline(props: {
  view: JobView
  context: ChartContext
  step: number | undefined
  onStep: (step: number | undefined) => void
}) {
  const { view, step, onStep } = props
  const words = strings.lanes
  const jobId = view.job.job_id
  const isLive = !isFinal(view.job.state)
  const steps = useQuery({ ...spanStepsQuery(jobId, isLive), enabled: view.last_step !== null })
  const listed = steps.data?.steps
  const known = useMemo(() => (listed ?? []).map((one) => one.step).sort((a, b) => a - b), [listed])
  const followed = useFollowedStep(known, isLive)
  const ready = useReadyStep(jobId, step === undefined ? followed : undefined)
  const shown = step ?? ready ?? followed
  return (
    <section className="panel chart lanes" aria-labelledby="lanes-title">
      <div className="panel-head">
        <h3 id="lanes-title">{words.title}</h3>
        {shown !== undefined && (
          <StepPicker steps={known} step={shown} isFollowing={isLive ? step === undefined : null} onStep={onStep} />
        )}
      </div>
      {shown === undefined ? (
        <div className="plot-empty">
          <p>{words.none}</p>
        </div>
      ) : (
        <Step jobId={jobId} step={shown} />
      )}
      <ShareChart context={props.context} />
    </section>
  )
}

/**
 * The newest step, changed no oftener than every few seconds: looking must not cost the box a file each step.
 * Of a run that has ended the last but one: the last has no next step to hide its transfers behind.
 */
function useFollowedStep(known: readonly number[], isLive: boolean): number | undefined {
  const [picked, setPicked] = useState<{ step: number; at: number } | null>(null)
  const newest = isLive ? known.at(-1) : (known.at(-2) ?? known.at(-1))
  useEffect(() => {
    if (newest === undefined) return
    setPicked((old) => {
      const isDue = old === null || !isLive || Date.now() - old.at > FOLLOW_MS
      return isDue && old?.step !== newest ? { step: newest, at: Date.now() } : old
    })
  }, [newest, isLive])
  return picked?.step ?? newest
}

/** The newest followed step whose lanes are here: the last ones stay in sight while the box is asked for the next. */
function useReadyStep(jobId: string, followed: number | undefined): number | undefined {
  const [ready, setReady] = useState<number>()
  const ahead = useQuery({ ...spansQuery(jobId, followed ?? 0), enabled: followed !== undefined })
  const arrived = ahead.isPlaceholderData ? undefined : ahead.data?.step
  useEffect(() => {
    if (arrived !== undefined) setReady(arrived)
  }, [arrived])
  return ready
}

function Step({ jobId, step }: { jobId: string; step: number }) {
  const spans = useQuery(spansQuery(jobId, step))
  if (spans.isError) {
    const isGone = spans.error instanceof ApiError && spans.error.status === 404
    return (
      <div className="plot-empty">
        {isGone ? (
          <p>{strings.lanes.gone(step)}</p>
        ) : (
          <ErrorNotice error={spans.error} onRetry={() => void spans.refetch()} />
        )}
      </div>
    )
  }
  if (!spans.data) {
    return (
      <div className="plot-empty">
        <p>{spans.data === null ? strings.lanes.asking(step) : ""}</p>
      </div>
    )
  }
  return <Lanes spans={spans.data} isOld={spans.data.step !== step} />
}

function Lanes({ spans, isOld }: { spans: StepSpans; isOld: boolean }) {
  const [isTable, setTable] = useState(false)
  return (
    <div data-old={isOld || undefined} className="lanes-body">
      <div className="lanes-head">
        <Headline spans={spans} />
        <button type="button" className="quiet" title={strings.lanes.traceHint} onClick={() => saveTrace(spans)}>
          {strings.lanes.trace}
        </button>
        <TableToggle isTable={isTable} title={strings.lanes.title} onChange={setTable} />
      </div>
      {isTable ? <LanesTable spans={spans} /> : <LanesCanvas spans={spans} />}
    </div>
  )
}

function ShareChart({ context }: { context: ChartContext }) {
  const title = strings.charts.share
  const columns = useMemo(() => context.column("overlap_share", (step) => step.overlap_share), [context.column])
  const series = useMemo(
    () => [{ label: title, color: "loss", values: columns.last, width: 1.4, fill: 0.12 }],
    [columns, title],
  )
  if (!columns.last.some((value) => value !== null)) return null
  return (
    <ChartFigure
      title={title}
      summary={summaryOf(title, columns)}
      className="small"
      isBare
      x={columns.x}
      series={series}
      minHeight={92}
      formatY={formatShare}
      tickSteps={[0.25, 0.5, 1]}
      isFromZero
      highest={1}
      range={context.range}
      onRange={context.onRange}
    />
  )
}

function Headline({ spans }: { spans: StepSpans }) {
  const words = strings.lanes
  const stall = worstStall(spans)
  return (
    <p className="headline">
      <b>{spans.overlap_share === null ? words.noTransfer : words.hidden(spans.overlap_share)}</b>
      <span data-stalled={stall ? true : undefined}>
        {stall ? words.stalled(stall.seconds, words.causes[stall.cause]) : words.notStalled}
      </span>
    </p>
  )
}

function LanesTable({ spans }: { spans: StepSpans }) {
  const words = strings.lanes
  return (
    <table className="data">
      <thead>
        <tr>
          <th scope="col">{words.lane}</th>
          <th scope="col">{words.busy}</th>
          <th scope="col">{words.bars}</th>
        </tr>
      </thead>
      <tbody>
        {lanesOf(spans.spans, 0).map((lane) => (
          <tr key={lane.name}>
            <th scope="row">{words.names[lane.name]}</th>
            <td>{formatDuration(lane.busySeconds)}</td>
            <td>{lane.bars.length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function saveTrace(spans: StepSpans): void {
  const url = URL.createObjectURL(new Blob([traceOf(spans)], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `step-${spans.step}.trace.json`
  link.click()
  URL.revokeObjectURL(url)
}
