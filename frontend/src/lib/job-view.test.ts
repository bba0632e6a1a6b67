import { describe, expect, it } from "vitest"
import type { JobSnapshot, StepCompleted, StoredEvent } from "../api/types"
import { applyEvent, fold, secondsLeft, viewOf } from "./job-view"

const TIME = "2026-11-29T12:00:00.000Z"

function step(number: number, seq: number): StepCompleted {
  return {
    kind: "step.completed",
    seq,
    time: TIME,
    step: number,
    loss: 3 - number / 100,
    learning_rate: 2e-5,
    grad_norm: 1,
    finite: true,
    skipped: false,
    step_seconds: 2,
    tokens: 100,
    tokens_per_second: 50,
    overlap_share: 0.9,
    stall_seconds: { nvme_read: 0.1, nvme_write: 0, update: 0 },
    read_bytes: 1,
    written_bytes: 1,
    occupancy_bytes: { device: 0, host: 1, nvme: 2 },
    rss_bytes: 3,
  }
}

function stored(event_id: number, event: StoredEvent["event"], attempt = "att_1", job_id = "job_1"): StoredEvent {
  return { event_id, job_id, attempt_id: attempt, time: TIME, event }
}

function snapshot(last: StepCompleted | null, last_event_id: number): JobSnapshot {
  return {
    job: {
      job_id: "job_1",
      state: "running",
      step: last?.step ?? null,
      total_steps: 100,
    } as JobSnapshot["job"],
    attempt: { attempt_id: "att_1" } as JobSnapshot["attempt"],
    phase: "train",
    plan: null,
    last_step: last,
    evaluations: [],
    samples: [],
    result: null,
    last_event_id,
    server_time: TIME,
  }
}

describe("job view", () => {
  it("takes no step twice: not by event id, not by seq", () => {
    const start = viewOf(snapshot(step(5, 10), 50))
    const [once] = applyEvent(start, stored(51, step(6, 11)))
    expect(applyEvent(once, stored(51, step(6, 11)))).toEqual([once, "ignored"])
    expect(applyEvent(once, stored(52, step(6, 11)))[1]).toBe("ignored")
    expect(applyEvent(start, stored(50, step(5, 10)))[1]).toBe("ignored")
    expect(once.tail.map((s) => s.step)).toEqual([5, 6])
    expect(once.job.step).toBe(6)
  })

  it("asks for a snapshot when a seq is missing, and shows nothing made up meanwhile", () => {
    const [one] = applyEvent(viewOf(snapshot(step(5, 10), 50)), stored(51, step(6, 11)))
    const [same, verdict] = applyEvent(one, stored(53, step(8, 13)))
    expect(verdict).toBe("gap")
    expect(same).toBe(one)
  })

  it("asks for a snapshot when another attempt begins", () => {
    const view = viewOf(snapshot(step(5, 10), 50))
    expect(applyEvent(view, stored(51, step(1, 9), "att_2"))[1]).toBe("gap")
  })

  it("ignores other jobs", () => {
    const view = viewOf(snapshot(null, 1))
    expect(applyEvent(view, stored(2, step(1, 1), "att_1", "job_2"))).toEqual([view, "ignored"])
  })

  it("shows a change of state at once and asks for the words that belong to it", () => {
    const change = {
      kind: "state.changed" as const,
      seq: null,
      time: TIME,
      from_state: "running" as const,
      to_state: "failed" as const,
      reason: "diverged" as const,
      message: "NaN at step 6",
      actor: "box",
    }
    const { view, isStale } = fold(viewOf(snapshot(step(5, 10), 50)), [stored(51, change as StoredEvent["event"])])
    expect(view.job.state).toBe("failed")
    expect(view.job.message).toBe("NaN at step 6")
    expect(isStale).toBe(true)
  })

  it("folds a replay over a fresh snapshot to the same view as the live stream", () => {
    const events = [6, 7, 8, 9].map((n) => stored(45 + n, step(n, 5 + n)))
    const live = fold(viewOf(snapshot(step(5, 10), 50)), events).view
    const reloaded = fold(viewOf(snapshot(step(7, 12), 52), live), events).view
    expect(reloaded.tail.map((s) => s.step)).toEqual([5, 6, 7, 8, 9])
    expect(reloaded.last_step).toEqual(live.last_step)
    expect(reloaded.last_event_id).toBe(live.last_event_id)
  })

  it("leaves no hole in the tail when a snapshot jumps ahead", () => {
    const before = viewOf(snapshot(step(5, 10), 50))
    expect(viewOf(snapshot(step(9, 14), 60), before).tail.map((s) => s.step)).toEqual([9])
  })

  it("estimates the time left from this attempt's own steps, only while it trains", () => {
    const view = viewOf(snapshot(step(40, 45), 50))
    expect(secondsLeft(view)).toBe(120)
    expect(secondsLeft({ ...view, phase: "evaluate_after" })).toBeNull()
  })
})
