/** Log bytes to lines a page can show. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of terminals are control characters
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Colour codes go, and of a progress bar redrawn with \r only its last form stays. */
export function linesOf(text: string): string[] {
  const lines = text.replace(ESCAPES, "").split(/\r?\n/)
  if (lines.at(-1) === "") lines.pop()
  return lines.map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1).replace(/\r$/, ""))
}

export function matchingLines(lines: readonly string[], search: string): number[] {
  if (search === "") return []
  const wanted = search.toLowerCase()
  return lines.flatMap((line, at) => (line.toLowerCase().includes(wanted) ? [at] : []))
}

export type LineTone = "error" | "warning" | "plain"

export function toneOf(line: string): LineTone {
  if (/\b(error|critical|fatal|traceback|exception)\b/i.test(line)) return "error"
  return /\bwarn(ing)?\b/i.test(line) ? "warning" : "plain"
}

/** Cut at the last complete line, so that a character split between two ranges is never decoded by halves. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a)
  return bytes.subarray(0, end + 1)
}
