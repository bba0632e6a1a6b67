import { expect, it } from "vitest"
import { linesOf, matchingLines, toneOf, wholeLines } from "./log-text"

it("makes terminal output plain", () => {
  expect(linesOf("\u001b[31mred\u001b[0m\n 10%\r 50%\r100%\nend\r\n\n")).toEqual(["red", "100%", "end", ""])
})

it("finds lines whatever their case", () => {
  expect(matchingLines(["a", "Loss 1", "loss 2"], "LOSS")).toEqual([1, 2])
  expect(matchingLines(["a"], "")).toEqual([])
})

it("tells errors and warnings from the rest", () => {
  expect(["ValueError: x", "UserWarning", "Error: disk", "WARNING low", "terror"].map(toneOf)).toEqual([
    "plain",
    "plain",
    "error",
    "warning",
    "plain",
  ])
})

it("never cuts inside a line", () => {
  const bytes = new TextEncoder().encode("one\ntwo\nthr")
  expect(new TextDecoder().decode(wholeLines(bytes))).toBe("one\ntwo\n")
  expect(wholeLines(new TextEncoder().encode("thr"))).toHaveLength(0)
})
