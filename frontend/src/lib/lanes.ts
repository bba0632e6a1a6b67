/** One step's spans laid out as lanes of rectangles, merged so that no view draws more than it has pixels. Pure. */
import type { Span, StepSpans } from "../api/types"

export type LaneName = Span["lane"]
export type Bar = { start: number; end: number; spans: Span[] }
export type Lane = { name: LaneName; bars: Bar[]; busySeconds: number }

const ORDER: readonly LaneName[] = ["compute", "update", "h2d", "d2h", "nvme_read", "nvme_write", "stall"]
const ALWAYS: ReadonlySet<LaneName> = new Set(["compute", "update", "nvme_read", "nvme_write", "stall"])

/** Lanes in reading order; copies between device and host only when there were any. */
export function lanesOf(spans: readonly Span[], secondsPerPixel: number): Lane[] {
  return ORDER.flatMap((name) => {
    const own = spans.filter((span) => span.lane === name).sort((a, b) => a.start_seconds - b.start_seconds)
    if (own.length === 0 && !ALWAYS.has(name)) return []
    return [{ name, bars: merge(own, secondsPerPixel), busySeconds: busy(own) }]
  })
}

/** Bars that no eye could tell apart become one; bars wider than two pixels keep their borders. */
function merge(spans: readonly Span[], secondsPerPixel: number): Bar[] {
  const bars: Bar[] = []
  for (const span of spans) {
    const last = bars.at(-1)
    const isThin = span.end_seconds - span.start_seconds < 2 * secondsPerPixel
    const isLastThin = last !== undefined && last.end - last.start < 2 * secondsPerPixel
    if (last && (isThin || isLastThin) && span.start_seconds - last.end < secondsPerPixel) {
      last.end = Math.max(last.end, span.end_seconds)
      last.spans.push(span)
    } else {
      bars.push({ start: span.start_seconds, end: span.end_seconds, spans: [span] })
    }
  }
  return bars
}

/** Seconds with at least one span; spans of a lane may overlap each other. */
function busy(spans: readonly Span[]): number {
  let total = 0
  let until = Number.NEGATIVE_INFINITY
  for (const span of spans) {
    total += Math.max(0, span.end_seconds - Math.max(span.start_seconds, until))
    until = Math.max(until, span.end_seconds)
  }
  return total
}

export function barAt(lane: Lane, seconds: number, slackSeconds: number): Bar | null {
  return lane.bars.find((bar) => seconds >= bar.start - slackSeconds && seconds <= bar.end + slackSeconds) ?? null
}

/** The largest stall and its seconds; null when compute never waited. */
export function worstStall(spans: StepSpans): { cause: keyof StepSpans["stall_seconds"]; seconds: number } | null {
  const entries = Object.entries(spans.stall_seconds) as [keyof StepSpans["stall_seconds"], number][]
  const [cause, seconds] = entries.reduce((worst, entry) => (entry[1] > worst[1] ? entry : worst))
  return seconds > 0 ? { cause, seconds } : null
}

/** Chrome's trace format, which Perfetto opens: microseconds, one thread a lane. */
export function traceOf(spans: StepSpans): string {
  const names = ORDER.map((name, tid) => ({ name: "thread_name", ph: "M", pid: 1, tid, args: { name } }))
  const events = spans.spans.map((span) => ({
    name: span.partition === null ? span.cause || span.lane : `${span.lane} p${span.partition}`,
    cat: span.lane,
    ph: "X",
    pid: 1,
    tid: ORDER.indexOf(span.lane),
    ts: span.start_seconds * 1e6,
    dur: (span.end_seconds - span.start_seconds) * 1e6,
    args: { partition: span.partition, num_bytes: span.num_bytes, cause: span.cause },
  }))
  return JSON.stringify({ traceEvents: [...names, ...events], displayTimeUnit: "ms" })
}
