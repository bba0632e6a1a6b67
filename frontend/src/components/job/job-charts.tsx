/** The charts of one job: buckets from the server, the live tail behind them. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { metricsQuery, type Range, type SeriesName } from "../../api/metrics"
import type { StepCompleted } from "../../api/types"
import { formatAge, formatNumber, formatTick } from "../../lib/format"
import { isFinal, type JobView } from "../../lib/job-view"
import { type Columns, columnsOf, isFolded } from "../../lib/series"
import { useNow } from "../../live/stream-context"
import { strings } from "../../strings"
import { ChartFigure } from "../chart-figure"
import { ErrorNotice } from "../ui"
import { LossChart } from "./loss-chart"
import { TierMemoryChart } from "./tier-memory-chart"
import { TransferTimeline } from "./transfer-timeline"

export type ChartContext = {
  column: (name: SeriesName, of: (step: StepCompleted) => number | null) => Columns
  range: Range
  onRange: (range: Range) => void
}

const TAIL_BEFORE_REFETCH = 256

export function JobCharts(props: {
  view: JobView
  range: Range
  onRange: (range: Range) => void
  step: number | undefined
  onStep: (step: number | undefined) => void
}) {
  const { view, range, onRange } = props
  const buckets = useChartWidth()
  const metrics = useQuery(metricsQuery(view.job.job_id, view.attempt?.attempt_id, range, buckets))
  const { data, refetch } = metrics
  const behind = data && range === null ? (view.last_step?.step ?? 0) - data.lastStep : 0
  const hasHole = data !== undefined && range === null && (view.tail[0]?.step ?? 0) > data.lastStep + 1

  // A long tail of raw steps becomes buckets again, so that a week-long run stays as light as a short one.
  useEffect(() => {
    if (behind > TAIL_BEFORE_REFETCH || hasHole) void refetch()
  }, [behind, hasHole, refetch])

  const column = useMemo(
    () => (name: SeriesName, of: (step: StepCompleted) => number | null) => {
      if (!data) return columnsOf([], 0, [])
      const tail = view.tail
        .filter((step) => range === null || step.step <= range.to)
        .map((step) => ({ step: step.step, value: of(step) }))
      return columnsOf(data.buckets[name], data.lastStep, tail)
    },
    [data, range, view.tail],
  )
  const context: ChartContext = { column, range, onRange }
  if (!view.last_step) return <NoSteps view={view} />
  const evaluations = view.evaluations.map(({ step, loss }) => ({ step, value: loss }))
  return (
    <section className="charts" aria-label={strings.job.zoomHint}>
      {metrics.isError && !data && <ErrorNotice error={metrics.error} onRetry={() => void refetch()} />}
      <LossChart context={context} evaluations={evaluations} />
      <div className="chart-column">
        <Plain
          title={strings.charts.learningRate}
          context={context}
          name="learning_rate"
          of={(step) => step.learning_rate}
          color="ink-2"
          isFromZero
        />
        <Plain
          title={strings.charts.gradNorm}
          context={context}
          name="grad_norm"
          of={(step) => step.grad_norm}
          color="violet"
        />
        <Plain
          title={strings.charts.throughput}
          context={context}
          name="tokens_per_second"
          of={(step) => step.tokens_per_second}
          color="green"
          isFromZero
        />
      </div>
      <TierMemoryChart context={context} plan={view.plan} />
      <TransferTimeline view={view} context={context} step={props.step} onStep={props.onStep} />
    </section>
  )
}

function Plain(props: {
  title: string
  context: ChartContext
  name: SeriesName
  of: (step: StepCompleted) => number | null
  color: string
  isFromZero?: boolean
}) {
  const { title, context, color } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` belongs to `name`
  const columns = useMemo(() => context.column(props.name, props.of), [context.column, props.name])
  const series = useMemo(() => {
    const edge = bandEdge(isFolded(columns))
    return [
      { label: `${title}, ${strings.charts.loss.max}`, color, values: columns.max, hidden: true, ...edge },
      { label: `${title}, ${strings.charts.loss.min}`, color, values: columns.min, hidden: true, ...edge },
      { label: title, color, values: columns.last, width: 1.4 },
    ]
  }, [columns, color, title])
  return (
    <ChartFigure
      title={title}
      summary={summaryOf(title, columns)}
      className="small"
      x={columns.x}
      series={series}
      bands={[{ upper: 0, lower: 1, color, alpha: 0.18 }]}
      marks={columns.nanAt}
      minHeight={104}
      formatY={formatNumber}
      formatTick={formatTick}
      isFromZero={props.isFromZero ?? false}
      range={context.range}
      onRange={context.onRange}
    />
  )
}

/** How a band's edges are drawn: a fine line keeps a single spike among thousands of steps in sight. */
export const bandEdge = (folded: boolean) => ({ width: folded ? 1 : 0, alpha: 0.28 })

export function summaryOf(name: string, columns: Columns): string {
  const finite = columns.last.filter((value): value is number => value !== null)
  const [first, last] = [finite[0], finite.at(-1)]
  if (first === undefined || last === undefined) return strings.charts.summaryNone
  const words = strings.charts.summary(name, first, last, columns.x.at(-1) ?? 0)
  return columns.nanAt.length > 0 ? `${words} ${strings.charts.nan(columns.nanAt.length)}` : words
}

/** In place of empty axes: what the job is doing instead. */
function NoSteps({ view }: { view: JobView }) {
  const now = useNow()
  const { job, phase } = view
  const since = formatAge((now - Date.parse(job.started_at ?? job.created_at)) / 1000)
  const text = isFinal(job.state)
    ? strings.job.noStepsEver
    : phase
      ? strings.job.noSteps(strings.phaseDoing[phase], since)
      : strings.job.noStepsQueued
  return (
    <section className="panel no-steps" data-live={(phase && !isFinal(job.state)) || undefined}>
      <svg viewBox="0 0 240 40" aria-hidden="true">
        <path d="M0 8h60c40 0 40 12 80 12h100M0 20h30c40 0 40 12 80 12h130" />
      </svg>
      <p>{text}</p>
    </section>
  )
}

/** As many buckets as the widest chart has pixels, in coarse steps: a resize by a pixel asks nothing new. */
function useChartWidth(): number {
  const [width, setWidth] = useState(() => bucketsFor(innerWidth))
  useEffect(() => {
    const onResize = () => setWidth(bucketsFor(innerWidth))
    addEventListener("resize", onResize)
    return () => removeEventListener("resize", onResize)
  }, [])
  return width
}

const bucketsFor = (pixels: number): number => Math.min(1600, Math.max(400, Math.ceil(pixels / 400) * 400))
