import { describe, expect, it } from "vitest"
import type { Span } from "../api/types"
import { barAt, lanesOf, traceOf, worstStall } from "./lanes"

const span = (lane: Span["lane"], start: number, end: number, partition: number | null = null): Span => ({
  lane,
  start_seconds: start,
  end_seconds: end,
  partition,
  num_bytes: 10,
  cause: "",
})

describe("lanes", () => {
  it("keeps copies out when there is no device, and the rest in reading order", () => {
    const names = lanesOf([span("nvme_read", 0, 1), span("compute", 0, 2)], 0.01).map((lane) => lane.name)
    expect(names).toEqual(["compute", "update", "nvme_read", "nvme_write", "stall"])
    expect(lanesOf([span("d2h", 0, 1)], 0.01).map((lane) => lane.name)).toContain("d2h")
  })
  it("never draws more bars than the view has pixels, and loses no span", () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => span("nvme_read", i / 2000, (i + 0.8) / 2000, i))
    const lane = lanesOf(spans, 10 / 800).find((one) => one.name === "nvme_read")
    expect(lane?.bars.length).toBeLessThanOrEqual(800)
    expect(lane?.bars.flatMap((bar) => bar.spans)).toHaveLength(20_000)
  })
  it("keeps neighbours apart that an eye can tell apart", () => {
    expect(lanesOf([span("update", 0, 1), span("update", 1, 2)], 0.01)[1]?.bars).toHaveLength(2)
  })
  it("counts overlapping transfers once", () => {
    const lane = lanesOf([span("nvme_read", 0, 2), span("nvme_read", 1, 3), span("nvme_read", 5, 6)], 0.01)[2]
    expect(lane?.busySeconds).toBe(4)
    expect(lane && barAt(lane, 5.5, 0)?.start).toBe(5)
    expect(lane && barAt(lane, 4, 0.1)).toBeNull()
  })
})

it("names the worst stall, or none", () => {
  const spans = { step: 1, duration_seconds: 1, overlap_share: 0.9, spans: [] }
  expect(worstStall({ ...spans, stall_seconds: { nvme_read: 0.1, nvme_write: 0.2, update: 0 } })).toEqual({
    cause: "nvme_write",
    seconds: 0.2,
  })
  expect(worstStall({ ...spans, stall_seconds: { nvme_read: 0, nvme_write: 0, update: 0 } })).toBeNull()
})

it("exports a trace in microseconds", () => {
  const trace = JSON.parse(
    traceOf({
      step: 1,
      duration_seconds: 1,
      overlap_share: null,
      stall_seconds: { nvme_read: 0, nvme_write: 0, update: 0 },
      spans: [span("nvme_read", 0.5, 0.75, 3)],
    }),
  )
  expect(trace.traceEvents.at(-1)).toMatchObject({ ph: "X", ts: 500_000, dur: 250_000, name: "nvme_read p3" })
})
