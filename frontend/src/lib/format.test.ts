import { describe, expect, it } from "vitest"
import {
  formatAge,
  formatBytes,
  formatBytesTick,
  formatChange,
  formatCount,
  formatDuration,
  formatNumber,
  formatShare,
  formatTick,
} from "./format"

describe("format", () => {
  it("writes sizes in binary units with three figures", () => {
    expect([0, 1023, 1024, 1_076_120_064, 188_743_680, 2 ** 45].map(formatBytes)).toEqual([
      "0 B",
      "1023 B",
      "1.00 KiB",
      "1.00 GiB",
      "180 MiB",
      "32.0 TiB",
    ])
  })
  it("writes a missing number as a dash, whatever is missing", () => {
    expect([formatBytes(null), formatDuration(undefined), formatNumber(Number.NaN), formatShare(null)]).toEqual(
      Array(4).fill("–"),
    )
  })
  it("writes durations with two parts at most", () => {
    expect([0.0034, 0.12, 6.13, 41.2, 61, 3599, 3840, 90_000].map(formatDuration)).toEqual([
      "3.4 ms",
      "0.12 s",
      "6.1 s",
      "41 s",
      "1 min 1 s",
      "1 h 0 min",
      "1 h 4 min",
      "1 d 1 h",
    ])
  })
  it("never rounds an almost complete share up to all of it", () => {
    expect([0.94, 0.996, 1, 0].map(formatShare)).toEqual(["94%", "99.6%", "100%", "0%"])
  })
  it("keeps small numbers readable", () => {
    expect([2e-5, 2.1384, 0.0512, 1234.5, 12.345, 0].map(formatNumber)).toEqual([
      "2.00e-5",
      "2.138",
      "0.0512",
      "1235",
      "12.35",
      "0",
    ])
  })
  it("writes ticks as short as they can be said", () => {
    expect([3.75, 2, 2e-5, 0, 1200, 0.05].map(formatTick)).toEqual(["3.75", "2", "2e-5", "0", "1200", "0.05"])
    expect([2 ** 28, 2 ** 30, 1.5 * 2 ** 30, 0].map(formatBytesTick)).toEqual(["256 MiB", "1 GiB", "1.5 GiB", "0 B"])
  })
  it("names the change with its sign", () => {
    expect([formatChange(3.418, 1.982), formatChange(1, 1.5), formatChange(null, 1)]).toEqual(["−42.0%", "+50.0%", "–"])
  })
  it("counts and ages coarsely", () => {
    expect([formatCount(134_515_008), formatCount(2000), formatAge(59.9), formatAge(7300)]).toEqual([
      "134.5 M",
      "2,000",
      "59 s",
      "2 h",
    ])
  })
})
