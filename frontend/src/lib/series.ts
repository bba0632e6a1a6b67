/** Chart columns from server buckets and the live tail. Pure. Holes and NaN stay holes; nothing is bridged. */

export type Bucket = {
  from_step: number
  to_step: number
  min: number | null
  max: number | null
  last: number | null
  count: number
  nan_count: number
}
export type Point = { step: number; value: number | null }
type Column = (number | null)[]
export type Columns = { x: number[]; min: Column; max: Column; last: Column; nanAt: number[] }

/**
 * Bucket edges are stable, so the newest bucket may end beyond the newest step: `lastStep` says what they really hold,
 * and the tail adds what came after it.
 */
export function columnsOf(buckets: readonly Bucket[], lastStep: number, tail: readonly Point[]): Columns {
  const columns: Columns = { x: [], min: [], max: [], last: [], nanAt: [] }
  let expected: number | null = null
  for (const bucket of buckets) {
    if (expected !== null && bucket.from_step > expected) push(columns, expected, null, null, null)
    const at = Math.min(bucket.to_step, Math.max(lastStep, bucket.from_step))
    push(columns, at, bucket.min, bucket.max, bucket.last)
    if (bucket.nan_count > 0) columns.nanAt.push(at)
    expected = at + 1
  }
  for (const { step, value } of tail) {
    if (step <= lastStep || (expected !== null && step < expected)) continue
    if (expected !== null && step > expected) push(columns, expected, null, null, null)
    push(columns, step, value, value, value)
    if (value === null) columns.nanAt.push(step)
    expected = step + 1
  }
  return columns
}

function push(columns: Columns, x: number, min: number | null, max: number | null, last: number | null): void {
  columns.x.push(x)
  columns.min.push(min)
  columns.max.push(max)
  columns.last.push(last)
}

/** Whether some point stands for several steps: then its edges say more than its line. */
export function isFolded({ min, max }: Columns): boolean {
  return max.some((value, at) => value !== min[at])
}

/** Exponential mean without the start's bias; a hole stays a hole and the mean goes on behind it. */
export function smooth(values: Column, weight: number): Column {
  let mean = 0
  let seen = 0
  return values.map((value) => {
    if (value === null) return null
    mean = mean * weight + value * (1 - weight)
    seen += 1
    return mean / (1 - weight ** seen)
  })
}

/** Each column on top of those before it; a hole in one counts as nothing there. */
export function stack(columns: readonly Column[]): Column[] {
  const sums: number[] = []
  return columns.map((column) =>
    column.map((value, at) => {
      const sum = (sums[at] ?? 0) + (value ?? 0)
      sums[at] = sum
      return sum
    }),
  )
}

/** Values of points that have their own steps, put on the columns' x; the x grows by steps it lacks. */
export function alignPoints(x: readonly number[], points: readonly Point[]): { x: number[]; at: Map<number, number> } {
  const all = new Set(x)
  const at = new Map<number, number>()
  for (const { step, value } of points) {
    all.add(step)
    if (value !== null) at.set(step, value)
  }
  return { x: [...all].sort((a, b) => a - b), at }
}

/** A column moved to another x: steps it does not know are `undefined`, which a chart neither draws nor breaks at. */
export function spread(from: readonly number[], column: Column, to: readonly number[]): (number | null | undefined)[] {
  const known = new Map(from.map((step, at) => [step, column[at] ?? null]))
  return to.map((step) => known.get(step))
}
