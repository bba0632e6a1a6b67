import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { StepSpans } from "../../api/types"
import { formatBytes, formatDuration } from "../../lib/format"
import { type Bar, barAt, type Lane, lanesOf } from "../../lib/lanes"
import { cssColor, useThemeVersion } from "../../lib/theme"
import { strings } from "../../strings"
import { drawLanes, LANE, laneColor, sizeOf } from "./lanes-drawing"

type Hover = { lane: Lane; bar: Bar; left: number; top: number }

export function LanesCanvas({ spans }: { spans: StepSpans }) {
  const holder = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const [hover, setHover] = useState<Hover | null>(null)
  const theme = useThemeVersion()
  const plotWidth = Math.max(1, width - LANE.label - LANE.right)
  const lanes = lanesOf(spans.spans, spans.duration_seconds / plotWidth)
  const height = sizeOf(lanes.length)

  useLayoutEffect(() => {
    const element = holder.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: lanes follow from spans and width; the theme changes colours
  useEffect(() => {
    const element = canvas.current
    if (!element || width === 0) return
    element.width = width * devicePixelRatio
    element.height = height * devicePixelRatio
    const context = element.getContext("2d")
    if (!context) return
    context.scale(devicePixelRatio, devicePixelRatio)
    drawLanes(context, {
      lanes,
      durationSeconds: spans.duration_seconds,
      width,
      font: `12px ${getComputedStyle(document.body).fontFamily}`,
      names: strings.lanes.names,
      ink: cssColor("ink-2"),
      faint: cssColor("ink-3"),
      grid: cssColor("grid"),
      track: cssColor("track"),
      colorOf: (name) => cssColor(laneColor(name)),
      formatTime: formatDuration,
    })
  }, [spans, width, height, theme])

  const onMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const [x, y] = [event.clientX - box.left, event.clientY - box.top]
    const seconds = ((x - LANE.label) / plotWidth) * spans.duration_seconds
    const lane = lanes[Math.floor((y - LANE.top) / LANE.pitch)]
    const bar = lane && barAt(lane, seconds, (2 / plotWidth) * spans.duration_seconds)
    setHover(lane && bar ? { lane, bar, left: x, top: y } : null)
  }

  const summary = lanes
    .map((lane) => `${strings.lanes.names[lane.name]}: ${formatDuration(lane.busySeconds)}`)
    .join(", ")
  return (
    <div ref={holder} className="lanes-holder" style={{ minHeight: height }}>
      <canvas
        ref={canvas}
        style={{ height }}
        role="img"
        aria-label={summary}
        onPointerMove={onMove}
        onPointerLeave={() => setHover(null)}
      />
      {hover && <Tooltip hover={hover} width={width} />}
    </div>
  )
}

function Tooltip({ hover, width }: { hover: Hover; width: number }) {
  const { bar, lane } = hover
  const [first] = bar.spans
  const bytes = bar.spans.reduce((sum, span) => sum + span.num_bytes, 0)
  const isRight = hover.left > width / 2
  const position = isRight
    ? { right: width - hover.left + 12, top: hover.top + 12 }
    : { left: hover.left + 12, top: hover.top + 12 }
  const which =
    bar.spans.length > 1
      ? strings.lanes.several(bar.spans.length)
      : first?.partition != null
        ? strings.lanes.partition(first.partition)
        : first?.cause
  return (
    <div className="tooltip" style={position} aria-hidden="true">
      <b>{strings.lanes.names[lane.name]}</b>
      <span>{formatDuration(bar.end - bar.start)}</span>
      {which && <span>{which}</span>}
      {bytes > 0 && (
        <span>
          {formatBytes(bytes)}, {formatBytes(bytes / (bar.end - bar.start))}/s
        </span>
      )}
    </div>
  )
}
