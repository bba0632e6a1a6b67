import { expect, it } from "vitest"
import type { JobSummary, StoredEvent } from "../api/types"
import { neighbour, patchSummary } from "./job-list"

const job = { job_id: "job_1", state: "running", step: 7, last_loss: 2, phase: "train" } as JobSummary
const event = (body: object, job_id = "job_1") =>
  ({ event_id: 1, job_id, attempt_id: "a", time: "", event: body }) as StoredEvent

it("moves a row forward, never back", () => {
  expect(patchSummary(job, event({ kind: "step.completed", step: 8, loss: 1.5 }))).toMatchObject({
    step: 8,
    last_loss: 1.5,
  })
  expect(patchSummary(job, event({ kind: "step.completed", step: 6, loss: 9 }))).toBe(job)
  expect(patchSummary(job, event({ kind: "step.completed", step: 8, loss: 1 }, "job_2"))).toBe(job)
  expect(patchSummary(job, event({ kind: "state.changed", to_state: "failed", reason: "diverged" }))).toMatchObject({
    state: "failed",
    reason: "diverged",
  })
})

it("moves through the list without leaving it", () => {
  expect([
    neighbour(["a", "b"], null, 1),
    neighbour(["a", "b"], "a", 1),
    neighbour(["a", "b"], "b", 1),
    neighbour(["a", "b"], "a", -1),
    neighbour([], null, 1),
    neighbour(["a"], "gone", 1),
  ]).toEqual(["a", "b", "b", "a", null, "a"])
})
