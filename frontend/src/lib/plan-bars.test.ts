import { expect, it } from "vitest"
import type { PlanRead } from "../api/types"
import { barsOf } from "./plan-bars"

const box = {
  box_id: "b",
  name: "pine",
  host_ram_bytes: 100,
  host_ram_available_bytes: 60,
  nvme_free_bytes: 500,
  nvme_total_bytes: 1000,
}
const plan = {
  fits: true,
  num_parameters: 1,
  state_bytes: 80,
  state_bytes_by_tier: { device: 0, host: 70, nvme: 10 },
  box,
  problems: [],
  notes: [],
} as PlanRead

it("tells what others use from what this job adds, and says when it is too much", () => {
  expect(barsOf(plan)).toEqual([
    { tier: "host", totalBytes: 100, usedBytes: 40, stateBytes: 70, freeBytes: 0, isOver: true },
    { tier: "nvme", totalBytes: 1000, usedBytes: 500, stateBytes: 10, freeBytes: 490, isOver: false },
  ])
})

it("draws nothing where nothing is known", () => {
  expect(barsOf({ ...plan, box: null })).toEqual([])
})
