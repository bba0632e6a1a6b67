/** The only file that knows uPlot. Columns in, a chart out; nothing here decides what to show. */
import { useEffect, useLayoutEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import { cssColor, useThemeVersion } from "../lib/theme"

export type ChartSeries = {
  label: string
  /** Name of a colour token, without its dashes. */
  color: string
  values: (number | null | undefined)[]
  /** What to tell of it, where that is not where it is drawn: a stacked band's own height. */
  told?: (number | null | undefined)[]
  width?: number
  alpha?: number
  dash?: number[]
  points?: boolean
  /** Opacity of the area down to zero. */
  fill?: number
  /** Drawn, but neither named nor told: the edges of a band. */
  hidden?: boolean
}
export type ChartBand = { upper: number; lower: number; color: string; alpha: number }

export type TimeSeriesChartProps = {
  label: string
  x: number[]
  series: ChartSeries[]
  bands?: ChartBand[]
  /** Steps without a finite value. */
  marks?: number[]
  formatY: (value: number) => string
  formatTick?: (value: number) => string
  /** Ticks that are round in the unit shown; without it in decimals. */
  tickSteps?: number[]
  /** The smallest height in pixels; the chart takes more where its panel has more. */
  minHeight: number
  isLog?: boolean
  isFromZero?: boolean
  /** The top of the y axis, where the values have one of their own. */
  highest?: number
  range: { from: number; to: number } | null
  onRange: (range: { from: number; to: number } | null) => void
  onCursor: (index: number | null) => void
}

const SYNC = "job"

export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const theme = useThemeVersion()
  const shape = JSON.stringify([
    props.series.map(({ values: _values, told: _told, ...rest }) => rest),
    props.bands,
    props.isLog,
    props.isFromZero,
    props.highest,
    props.tickSteps,
    theme,
  ])

  // biome-ignore lint/correctness/useExhaustiveDependencies: built anew only when its shape changes; data has its own effect
  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    const made = new uPlot(
      optionsOf(latest, element.clientWidth, element.clientHeight),
      dataOf(latest.current),
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0 && (width !== made.width || height !== made.height)) made.setSize({ width, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [shape])

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the data is made of
  useEffect(() => {
    plot.current?.setData(dataOf(latest.current))
  }, [props.x, props.series, props.marks, props.range])

  const move = (by: number) => {
    const made = plot.current
    if (!made) return
    const last = props.x.length - 1
    const at = Math.max(0, Math.min(last, (made.cursor.idx ?? (by < 0 ? last + 1 : -1)) + by))
    const value = props.x[at]
    if (value !== undefined) made.setCursor({ left: made.valToPos(value, "x"), top: 10 })
  }

  return (
    <div
      ref={host}
      className="plot"
      role="img"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor
      tabIndex={0}
      style={{ minHeight: props.minHeight }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") move(event.shiftKey ? -10 : -1)
        else if (event.key === "ArrowRight") move(event.shiftKey ? 10 : 1)
        else if (event.key === "Escape") props.onRange(null)
        else return
        event.preventDefault()
      }}
    />
  )
}

function dataOf(props: TimeSeriesChartProps): uPlot.AlignedData {
  return [props.x, ...props.series.map((series) => series.values)] as uPlot.AlignedData
}

function optionsOf(latest: { readonly current: TimeSeriesChartProps }, width: number, height: number): uPlot.Options {
  const props = latest.current
  const font = `11px ${getComputedStyle(document.body).fontFamily}`
  const axis = {
    font,
    stroke: cssColor("ink-3"),
    grid: { stroke: cssColor("grid"), width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: SYNC, scales: ["x", null] },
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, width: 2, fill: (_u, at) => color(props.series[at - 1]) },
      bind: {
        dblclick: () => () => {
          latest.current.onRange(null)
          return null
        },
      },
    },
    scales: {
      x: { time: false, range: (_u, min, max) => rangeOfX(latest.current, min, max) },
      y: {
        distr: props.isLog ? 3 : 1,
        ...(props.isFromZero && {
          range: (_u: uPlot, _min: number, max: number) =>
            [0, props.highest ?? (max || 1) * 1.08] as uPlot.Range.MinMax,
        }),
      },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        gap: 4,
        space: 64,
        values: (_u, splits) => splits.map((v) => (Number.isInteger(v) ? String(v) : "")),
      },
      {
        ...axis,
        size: (_u, values) => 14 + Math.max(24, ...(values ?? []).map((v) => v.length * 6.4)),
        gap: 6,
        space: 30,
        ...(props.tickSteps && { incrs: props.tickSteps }),
        values: (_u, splits) => splits.map((v) => (v === null ? "" : (props.formatTick ?? props.formatY)(v))),
      },
    ],
    series: [
      {},
      ...props.series.map((series) => ({
        label: series.label,
        stroke: color(series),
        width: series.width ?? 1.5,
        dash: series.dash ?? [],
        ...(series.fill !== undefined && { fill: cssColor(series.color, series.fill) }),
        points: { show: series.points ?? false, size: 8, fill: color(series) },
      })),
    ],
    bands: (props.bands ?? []).map((band) => ({
      series: [band.upper + 1, band.lower + 1],
      fill: cssColor(band.color, band.alpha),
    })),
    hooks: {
      setSelect: [
        (u) => {
          if (u.select.width < 4) return
          const from = Math.floor(u.posToVal(u.select.left, "x"))
          const to = Math.ceil(u.posToVal(u.select.left + u.select.width, "x"))
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          latest.current.onRange({ from: Math.max(0, from), to })
        },
      ],
      setCursor: [(u) => latest.current.onCursor(u.cursor.idx ?? null)],
      draw: [(u) => drawMarks(u, latest.current.marks ?? [])],
    },
  }
}

function color(series: ChartSeries | undefined): string {
  return series ? cssColor(series.color, series.alpha ?? 1) : "transparent"
}

function rangeOfX(props: TimeSeriesChartProps, min: number, max: number): uPlot.Range.MinMax {
  if (props.range) return [props.range.from, Math.max(props.range.to, props.range.from + 1)]
  const low = min ?? 0
  return [low, Math.max(max ?? 1, low + 1)]
}

/** A cross at the foot of the plot for each place without a finite value: it is told, never bridged. */
function drawMarks(u: uPlot, marks: readonly number[]): void {
  const { ctx, bbox } = u
  const arm = 3.5 * devicePixelRatio
  ctx.save()
  ctx.strokeStyle = cssColor("bad")
  ctx.lineWidth = 1.6 * devicePixelRatio
  for (const step of marks) {
    const x = u.valToPos(step, "x", true)
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) continue
    const y = bbox.top + bbox.height - arm * 2
    ctx.beginPath()
    ctx.moveTo(x - arm, y - arm)
    ctx.lineTo(x + arm, y + arm)
    ctx.moveTo(x + arm, y - arm)
    ctx.lineTo(x - arm, y + arm)
    ctx.stroke()
  }
  ctx.restore()
}
