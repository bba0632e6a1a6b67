import { expect, it } from "vitest"
import { SseParser } from "./sse"

const WIRE = ': hello\n\nid: 7\nevent: step.completed\ndata: {"a":\ndata: 1}\n\nevent: reset\ndata: {}\n\n'

it("reads the same messages however the bytes are cut", () => {
  const whole = new SseParser().push(WIRE)
  expect(whole).toEqual([
    { id: "7", event: "step.completed", data: '{"a":\n1}' },
    { id: "7", event: "reset", data: "{}" },
  ])
  for (let size = 1; size < WIRE.length; size += 1) {
    const parser = new SseParser()
    const pieces = []
    for (let at = 0; at < WIRE.length; at += size) pieces.push(...parser.push(WIRE.slice(at, at + size)))
    expect(pieces).toEqual(whole)
  }
})

it("yields nothing for comments and for an unfinished message", () => {
  expect(new SseParser().push(": heartbeat\n\nid: 3\ndata: x\n")).toEqual([])
})
