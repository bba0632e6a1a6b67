/** What every chart has around it: title, legend with values under the cursor, a sentence, and itself as a table. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { MISSING } from "../lib/format"
import { strings } from "../strings"
import { TableToggle } from "./table-toggle"
import { TimeSeriesChart, type TimeSeriesChartProps } from "./time-series-chart"

export type ChartFigureProps = Omit<TimeSeriesChartProps, "label" | "onCursor"> & {
  title: string
  summary: string
  aside?: ReactNode
  className?: string
  /** Without a panel of its own, inside another. */
  isBare?: boolean
}

const TABLE_ROWS = 200

export function ChartFigure({ title, summary, aside, className, isBare, ...chart }: ChartFigureProps) {
  const [isTable, setTable] = useState(false)
  const [cursor, setCursor] = useState<number | null>(null)
  const id = useId()
  const spoken = useSlow(summary, 10_000)
  const shown = chart.series.filter((series) => !series.hidden)
  return (
    <figure className={`${isBare ? "" : "panel "}chart ${className ?? ""}`} aria-labelledby={id}>
      <div className="panel-head">
        <h3 id={id}>{title}</h3>
        <div className="panel-tools">
          {aside}
          <TableToggle isTable={isTable} title={title} onChange={setTable} />
        </div>
      </div>
      <Legend
        series={shown}
        x={chart.x}
        cursor={cursor}
        format={chart.formatY}
        isShown={shown.length > 1 || cursor !== null}
      />
      {isTable ? (
        <SeriesTable title={title} x={chart.x} series={shown} height={chart.minHeight} format={chart.formatY} />
      ) : (
        <TimeSeriesChart {...chart} label={`${title}. ${summary}`} onCursor={setCursor} />
      )}
      <figcaption className="visually-hidden" aria-live="polite">
        {spoken}
      </figcaption>
    </figure>
  )
}

type Shown = ChartFigureProps["series"]

function Legend(props: {
  series: Shown
  x: number[]
  cursor: number | null
  format: (value: number) => string
  isShown: boolean
}) {
  const step = props.cursor === null ? undefined : props.x[props.cursor]
  return (
    <div className="legend" data-shown={props.isShown || undefined}>
      {props.series.map((series) => {
        const value = props.cursor === null ? undefined : (series.told ?? series.values)[props.cursor]
        return (
          <span key={series.label} className="legend-item">
            <i
              className="swatch"
              data-dash={series.dash ? true : undefined}
              data-points={series.points || undefined}
              style={{ color: `var(--${series.color})`, opacity: Math.max(0.5, series.alpha ?? 1) }}
            />
            {series.label}
            {step !== undefined && <b>{value == null ? MISSING : props.format(value)}</b>}
          </span>
        )
      })}
      {step !== undefined && (
        <span className="legend-step">
          {strings.charts.step.toLowerCase()} <b>{step}</b>
        </span>
      )}
    </div>
  )
}

function SeriesTable(props: {
  title: string
  x: number[]
  series: Shown
  height: number
  format: (value: number) => string
}) {
  const cell = (value: number | null | undefined) => (value == null ? MISSING : props.format(value))
  const rows = props.x
    .map((step, at) => ({ step, at }))
    .slice(-TABLE_ROWS)
    .reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
    <section className="table-scroll" style={{ height: props.height }} tabIndex={0} aria-label={props.title}>
      <table className="data">
        <caption>{strings.charts.tableNote(rows.length, props.x.length)}</caption>
        <thead>
          <tr>
            <th scope="col">{strings.charts.step}</th>
            {props.series.map((series) => (
              <th scope="col" key={series.label}>
                {series.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ step, at }) => (
            <tr key={step}>
              <th scope="row">{step}</th>
              {props.series.map((series) => (
                <td key={series.label}>{cell((series.told ?? series.values)[at])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The newest value at most every `ms`: a screen reader must not read a live chart aloud. */
function useSlow(value: string, ms: number): string {
  const [slow, setSlow] = useState(value)
  const newest = useRef(value)
  newest.current = value
  useEffect(() => {
    const timer = setInterval(() => setSlow(newest.current), ms)
    return () => clearInterval(timer)
  }, [ms])
  return slow
}
