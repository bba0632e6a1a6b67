/** Numbers as people read them. Pure; a missing number is always the same dash. */

export const MISSING = "–"

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const

/** 1076120064 -> "1.00 GiB": binary units with three figures. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes == null || !Number.isFinite(bytes)) return MISSING
  let value = Math.abs(bytes)
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  const sign = bytes < 0 ? "−" : ""
  return unit === 0 ? `${sign}${value} B` : `${sign}${threeFigures(value)} ${UNITS[unit]}`
}

function threeFigures(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Two parts at most: "1 h 4 min", "41.2 s", "350 ms". */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return MISSING
  if (seconds < 0) return "0 s"
  if (seconds > 0 && seconds < 0.0995) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`
  if (seconds < 9.95) return `${seconds.toFixed(seconds < 0.995 ? 2 : 1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (seconds < 3570) {
    const whole = Math.floor(Math.round(seconds) / 60)
    return `${whole} min ${Math.round(seconds) % 60} s`
  }
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** How long ago, coarse: "just now", "12 s", "4 min", "3 h", "5 d". */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** Four figures, and an exponent only where the plain form would hide them: 2.138, 2.00e-5. */
export function formatNumber(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return MISSING
  const size = Math.abs(value)
  if (size === 0) return "0"
  if (size < 1e-3 || size >= 1e6) return value.toExponential(2).replace("e+", "e")
  if (size >= 1000) return value.toFixed(0)
  if (size >= 100) return value.toFixed(1)
  return size >= 10 ? value.toFixed(2) : value.toFixed(size >= 1 ? 3 : 4)
}

/** A tick on an axis: as short as it can be said. */
export function formatTick(value: number): string {
  return formatNumber(value)
    .replace(/(\.\d*?)0+(?=e|$)/, "$1")
    .replace(/\.(?=e|$)/, "")
}

export function formatBytesTick(bytes: number): string {
  return formatBytes(bytes)
    .replace(/(\.\d*?)0+(?= )/, "$1")
    .replace(/\.(?= )/, "")
}

/** Steps of a byte axis: powers of two, so that its ticks are round in the units shown. */
export const BYTE_STEPS: number[] = Array.from({ length: 46 }, (_, power) => 2 ** power)

/** 134515008 -> "134.5 M". */
export function formatCount(value: number | null | undefined): string {
  if (value == null) return MISSING
  if (value >= 1e9) return `${(value / 1e9).toFixed(2)} B`
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`
  return value >= 10_000 ? `${(value / 1e3).toFixed(1)} k` : value.toLocaleString("en-US")
}

export function formatShare(share: number | null | undefined): string {
  if (share == null || !Number.isFinite(share)) return MISSING
  // 99.6% must not read as "all of it".
  const percent = share * 100
  return percent > 99 && percent < 100 ? `${percent.toFixed(1)}%` : `${Math.round(percent)}%`
}

/** Change from before to after as a signed percentage: "−42.0%". */
export function formatChange(before: number | null | undefined, after: number | null | undefined): string {
  if (before == null || after == null || before === 0) return MISSING
  const change = (after / before - 1) * 100
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(1)}%`
}

export function formatTime(iso: string | null | undefined): string {
  if (!iso) return MISSING
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" }).format(new Date(iso))
}
