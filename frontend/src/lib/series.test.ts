import { describe, expect, it } from "vitest"
import { alignPoints, columnsOf, isFolded, smooth, spread, stack } from "./series"

const bucket = (from: number, to: number, last: number | null, nan = 0) => ({
  from_step: from,
  to_step: to,
  min: last,
  max: last === null ? null : last + 1,
  last,
  count: to - from + 1,
  nan_count: nan,
})

describe("columns", () => {
  it("appends only the live steps that no bucket holds yet", () => {
    const columns = columnsOf(
      [bucket(1, 2, 5), bucket(3, 4, 4)],
      4,
      [3, 4, 5, 6].map((step) => ({ step, value: step })),
    )
    expect(columns.x).toEqual([2, 4, 5, 6])
    expect(columns.last).toEqual([5, 4, 5, 6])
    expect(columns.max).toEqual([6, 5, 5, 6])
  })
  it("does not believe a bucket's edge beyond the newest step", () => {
    const columns = columnsOf(
      [bucket(0, 3, 5), bucket(4, 7, 4)],
      5,
      [5, 6, 7, 8].map((step) => ({ step, value: step })),
    )
    expect(columns.x).toEqual([3, 5, 6, 7, 8])
  })
  it("breaks the line where steps are missing", () => {
    const columns = columnsOf([bucket(1, 2, 5)], 2, [{ step: 9, value: 1 }])
    expect(columns.x).toEqual([2, 3, 9])
    expect(columns.last).toEqual([5, null, 1])
  })
  it("marks NaN and leaves a hole for it", () => {
    const columns = columnsOf([bucket(1, 1, 5), bucket(2, 2, null, 1), bucket(3, 4, 4, 1)], 4, [
      { step: 5, value: null },
    ])
    expect(columns.last).toEqual([5, null, 4, null])
    expect(columns.nanAt).toEqual([2, 4, 5])
  })
})

it("knows whether points stand for several steps", () => {
  expect(isFolded(columnsOf([bucket(1, 2, 5)], 2, []))).toBe(true)
  expect(isFolded(columnsOf([], 0, [{ step: 1, value: 5 }]))).toBe(false)
})

it("smooths without bias at the start and passes holes", () => {
  expect(smooth([4, 4, null, 4], 0.9).map((v) => (v === null ? null : Number(v.toFixed(9))))).toEqual([4, 4, null, 4])
})

it("stacks by accumulating", () => {
  expect(
    stack([
      [1, 2],
      [10, null],
      [100, 100],
    ]),
  ).toEqual([
    [1, 2],
    [11, 2],
    [111, 102],
  ])
})

it("aligns sparse points without breaking the dense column", () => {
  const { x, at } = alignPoints(
    [2, 4],
    [
      { step: 0, value: 9 },
      { step: 4, value: 7 },
      { step: 5, value: null },
    ],
  )
  expect(x).toEqual([0, 2, 4, 5])
  expect([...at]).toEqual([
    [0, 9],
    [4, 7],
  ])
  expect(spread([2, 4], [1, null], x)).toEqual([undefined, 1, null, undefined])
})
