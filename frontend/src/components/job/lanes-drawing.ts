/** Draws lanes on a canvas; knows pixels and nothing of the page. */
import type { Lane, LaneName } from "../../lib/lanes"

export const LANE = { label: 112, right: 64, top: 6, pitch: 28, bar: 18, axis: 26 } as const

export const sizeOf = (lanes: number): number => LANE.top + lanes * LANE.pitch + LANE.axis

export const laneColor = (name: LaneName): string => `lane-${name.replace("_", "-")}`

type Drawing = {
  lanes: readonly Lane[]
  durationSeconds: number
  width: number
  font: string
  names: Record<LaneName, string>
  ink: string
  faint: string
  grid: string
  track: string
  colorOf: (name: LaneName) => string
  formatTime: (seconds: number) => string
}

export function drawLanes(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { lanes, width, durationSeconds } = drawing
  const plotWidth = Math.max(1, width - LANE.label - LANE.right)
  const bottom = LANE.top + lanes.length * LANE.pitch
  const xOf = (seconds: number) => LANE.label + (seconds / durationSeconds) * plotWidth
  context.clearRect(0, 0, width, bottom + LANE.axis)
  context.font = drawing.font
  context.textBaseline = "middle"

  drawAxis(context, drawing, plotWidth, bottom, xOf)
  lanes.forEach((lane, at) => {
    const y = LANE.top + at * LANE.pitch
    const middle = y + LANE.pitch / 2
    const top = middle - LANE.bar / 2
    context.fillStyle = drawing.ink
    context.textAlign = "left"
    context.fillText(drawing.names[lane.name], 0, middle, LANE.label - 8)
    context.fillStyle = drawing.faint
    context.textAlign = "right"
    context.fillText(lane.busySeconds > 0 ? drawing.formatTime(lane.busySeconds) : "–", width, middle, LANE.right - 8)
    context.fillStyle = drawing.track
    context.fillRect(LANE.label, top, plotWidth, LANE.bar)
    context.fillStyle = drawing.colorOf(lane.name)
    for (const bar of lane.bars) {
      const left = xOf(bar.start)
      const wide = xOf(bar.end) - left
      // A hair between neighbours shows where one partition ends; never less than a visible line.
      context.fillRect(left, top, Math.max(1, wide > 4 ? wide - 1 : wide), LANE.bar)
    }
  })
}

function drawAxis(
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  plotWidth: number,
  bottom: number,
  xOf: (seconds: number) => number,
): void {
  const step = niceStep(drawing.durationSeconds / Math.max(2, plotWidth / 90))
  context.strokeStyle = drawing.grid
  context.fillStyle = drawing.faint
  context.lineWidth = 1
  context.textAlign = "center"
  for (let at = 0; at <= drawing.durationSeconds * 1.0001; at += step) {
    const x = Math.round(xOf(at)) + 0.5
    context.beginPath()
    context.moveTo(x, LANE.top)
    context.lineTo(x, bottom + 4)
    context.stroke()
    context.fillText(at === 0 ? "0" : drawing.formatTime(Number(at.toPrecision(6))), x, bottom + 14)
  }
}

/** 1, 2 or 5 times a power of ten. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = rough / power
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10)
}
