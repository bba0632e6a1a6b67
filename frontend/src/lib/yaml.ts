/** A spec as YAML for people to read and copy: block style, nothing quoted that needs no quotes. */

type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml }

const NEEDS_QUOTES = /^$|^[\s\-?:,[\]{}#&*!|>'"%@`]|[:#]\s|[:\s]$|\n|^(true|false|null|yes|no|on|off|~)$|^[\d.+-]/i

export function toYaml(value: Yaml): string {
  return `${lines(value, "").join("\n")}\n`
}

function lines(value: Yaml, indent: string): string[] {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${scalar(item)}`)
  if (value === null || typeof value !== "object") return [`${indent}${scalar(value)}`]
  return Object.entries(value).flatMap(([key, item]) => {
    const isNested = item !== null && typeof item === "object"
    if (!isNested) return [`${indent}${key}: ${scalar(item)}`]
    if (Object.keys(item).length === 0) return [`${indent}${key}: ${Array.isArray(item) ? "[]" : "{}"}`]
    return [`${indent}${key}:`, ...lines(item, `${indent}  `)]
  })
}

function scalar(value: Yaml): string {
  if (typeof value === "string") return NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value
  // YAML 1.1 readers take 2e-5 for text: it wants the point.
  if (typeof value === "number") return String(value).replace(/^(-?\d+)e/, "$1.0e")
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value)
}
