/** One connection to /stream at a time, opened again with the last event's id until told to stop. */
import type { StoredEvent } from "../api/types"
import { SseParser } from "../lib/sse"

export type StreamNews =
  /** Connected. `fresh`: events may have been missed, so whoever holds a snapshot takes a new one. */
  | { kind: "opened"; fresh: boolean }
  | { kind: "heard" }
  | { kind: "events"; events: StoredEvent[] }
  | { kind: "lost"; failures: number }
  | { kind: "signed-out" }

const SILENT_MS = 40_000
const LONGEST_PAUSE_MS = 8_000

const STREAM_URL = "/api/v1/stream"

export async function readStream(options: {
  url?: string
  lastId: number | null
  signal: AbortSignal
  onNews: (news: StreamNews) => void
}): Promise<void> {
  const { signal, onNews } = options
  let lastId = options.lastId
  let failures = 0
  while (!signal.aborted) {
    try {
      const result = await readOnce({
        url: options.url ?? STREAM_URL,
        lastId,
        signal,
        onOpen: () => {
          onNews({ kind: "opened", fresh: lastId === null })
          failures = 0
        },
        onHeard: () => onNews({ kind: "heard" }),
        onEvents: (events) => {
          lastId = events.at(-1)?.event_id ?? lastId
          onNews({ kind: "events", events })
        },
      })
      if (result === "signed-out") {
        onNews({ kind: "signed-out" })
        return
      }
      if (result === "reset") {
        lastId = null
        continue
      }
    } catch (error) {
      if (signal.aborted) return
      // Any failure of the connection is handled alike: say so, wait, connect again.
      console.debug("stream lost", error)
    }
    failures += 1
    onNews({ kind: "lost", failures })
    await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures), signal)
  }
}

async function readOnce(options: {
  url: string
  lastId: number | null
  signal: AbortSignal
  onOpen: () => void
  onHeard: () => void
  onEvents: (events: StoredEvent[]) => void
}): Promise<"ended" | "reset" | "signed-out"> {
  const connection = new AbortController()
  const abort = () => connection.abort()
  options.signal.addEventListener("abort", abort)
  // A half-open connection delivers nothing and never fails: silence beyond two heartbeats ends it.
  let watchdog = setTimeout(abort, SILENT_MS)
  try {
    const headers: Record<string, string> = { Accept: "text/event-stream" }
    if (options.lastId !== null) headers["Last-Event-ID"] = String(options.lastId)
    const response = await fetch(options.url, { headers, signal: connection.signal, cache: "no-store" })
    if (response.status === 401) return "signed-out"
    if (!response.ok || !response.body) throw new Error(`stream answered ${response.status}`)
    options.onOpen()
    const parser = new SseParser()
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return "ended"
      clearTimeout(watchdog)
      watchdog = setTimeout(abort, SILENT_MS)
      options.onHeard()
      const messages = parser.push(value)
      const resetAt = messages.findIndex((message) => message.event === "reset")
      const before = resetAt < 0 ? messages : messages.slice(0, resetAt)
      const events = before.filter((message) => message.data).map((message) => JSON.parse(message.data) as StoredEvent)
      if (events.length > 0) options.onEvents(events)
      if (resetAt >= 0) return "reset"
    }
  } finally {
    clearTimeout(watchdog)
    options.signal.removeEventListener("abort", abort)
    connection.abort()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
