/**
 * One stream a browser. The tab that holds the lock reads it and tells the others; when it closes, the next tab
 * gets the lock and goes on after the last event it was told of. Without Web Locks (plain http on another host)
 * each tab reads its own.
 */
import type { StoredEvent } from "../api/types"
import { readStream, type StreamNews } from "./stream-reader"

export type StreamStatus = {
  phase: "connecting" | "live" | "lost" | "signed-out"
  failures: number
  /** When the stream last said anything, by this machine's clock; heartbeats count. */
  heardAt: number
}

type Listener = { onEvents?: (events: StoredEvent[]) => void; onFresh?: () => void; onStatus?: () => void }
type Note =
  | { type: "news"; news: StreamNews; status: StreamStatus }
  | { type: "hello" }
  | { type: "status"; status: StreamStatus }

const LOCK = "spillway.stream"

export class SharedStream {
  status: StreamStatus = { phase: "connecting", failures: 0, heardAt: Date.now() }
  readonly #listeners = new Set<Listener>()
  readonly #stop = new AbortController()
  readonly #channel: BroadcastChannel | null
  #lastId: number | null = null
  #isReader = false

  constructor() {
    this.#channel = "locks" in navigator ? new BroadcastChannel(LOCK) : null
    this.#channel?.addEventListener("message", (message: MessageEvent<Note>) => this.#hear(message.data))
    void this.#run()
  }

  /** Hears everything from now on; returns how to stop. Listen first, then fetch: nothing falls in between. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#stop.abort()
    this.#channel?.close()
  }

  async #run(): Promise<void> {
    if (this.#channel === null) return this.#read()
    this.#tell({ type: "hello" })
    try {
      // Browsers do not freeze a background tab that holds a lock, so the reader keeps reading.
      await navigator.locks.request(LOCK, { signal: this.#stop.signal }, () => this.#read())
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error
    }
  }

  async #read(): Promise<void> {
    this.#isReader = true
    await readStream({
      lastId: this.#lastId,
      signal: this.#stop.signal,
      onNews: (news) => {
        this.#take(news)
        this.#tell({ type: "news", news, status: this.status })
      },
    })
  }

  #hear(note: Note): void {
    if (note.type === "hello") {
      if (this.#isReader) this.#tell({ type: "status", status: this.status })
    } else if (note.type === "status") {
      this.#setStatus(note.status)
    } else {
      this.#take(note.news)
    }
  }

  #take(news: StreamNews): void {
    const heardAt = Date.now()
    if (news.kind === "opened") this.#setStatus({ phase: "live", failures: 0, heardAt })
    else if (news.kind === "signed-out") this.#setStatus({ ...this.status, phase: "signed-out" })
    else if (news.kind === "lost") this.#setStatus({ ...this.status, phase: "lost", failures: news.failures })
    else this.#setStatus({ ...this.status, phase: "live", heardAt })

    if (news.kind === "opened" && news.fresh) for (const listener of this.#listeners) listener.onFresh?.()
    if (news.kind === "events") {
      this.#lastId = news.events.at(-1)?.event_id ?? this.#lastId
      for (const listener of this.#listeners) listener.onEvents?.(news.events)
    }
  }

  #setStatus(status: StreamStatus): void {
    this.status = status
    for (const listener of this.#listeners) listener.onStatus?.()
  }

  #tell(note: Note): void {
    this.#channel?.postMessage(note)
  }
}
