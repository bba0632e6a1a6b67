import { useMemo, useState } from "react"
import { formatNumber, formatTick } from "../../lib/format"
import { alignPoints, isFolded, type Point, smooth, spread } from "../../lib/series"
import { strings } from "../../strings"
import { ChartFigure } from "../chart-figure"
import { bandEdge, type ChartContext, summaryOf } from "./job-charts"

/** Short runs are smoothed less: a mean over more steps than there are only lags behind. */
const smoothing = (points: number): number => Math.max(0, Math.min(0.9, 1 - 10 / points))

export function LossChart({ context, evaluations }: { context: ChartContext; evaluations: Point[] }) {
  const [isLog, setLog] = useState(false)
  const words = strings.charts.loss
  const raw = useMemo(() => context.column("loss", (step) => step.loss), [context.column])
  const { x, series } = useMemo(() => {
    const points = raw.x.length > 0 ? evaluations : []
    const { x, at } = alignPoints(raw.x, points)
    const folded = isFolded(raw)
    const edge = bandEdge(folded)
    const on = (column: (number | null)[]) => spread(raw.x, column, x)
    return {
      x,
      series: [
        { label: words.max, color: "loss", values: on(raw.max), hidden: true, ...edge },
        { label: words.min, color: "loss", values: on(raw.min), hidden: true, ...edge },
        {
          label: folded ? words.folded : words.raw,
          color: "loss",
          values: on(raw.last),
          width: 1,
          alpha: folded ? 0.3 : 0.45,
        },
        {
          label: words.smooth,
          color: "loss",
          values: on(smooth(raw.last, smoothing(raw.last.length))),
          width: 2.2,
        },
        // Biased points between evaluations would lie: a dashed line joins what was measured.
        {
          label: words.eval,
          color: "eval",
          values: x.map((step) => at.get(step)),
          width: 1.4,
          dash: [4, 4],
          points: true,
        },
      ],
    }
  }, [raw, evaluations, words])
  return (
    <ChartFigure
      title={words.title}
      summary={summaryOf(words.title, raw)}
      className="loss"
      x={x}
      series={series}
      bands={[{ upper: 0, lower: 1, color: "loss", alpha: 0.16 }]}
      marks={raw.nanAt}
      minHeight={280}
      formatY={formatNumber}
      formatTick={formatTick}
      isLog={isLog}
      range={context.range}
      onRange={context.onRange}
      aside={
        <>
          {context.range && (
            <button type="button" className="quiet" onClick={() => context.onRange(null)}>
              {strings.job.resetZoom}
            </button>
          )}
          <label className="check">
            <input type="checkbox" checked={isLog} onChange={(event) => setLog(event.target.checked)} />
            {strings.charts.log}
          </label>
        </>
      }
    />
  )
}
