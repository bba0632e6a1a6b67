import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react"
import { SharedStream, type StreamStatus } from "./shared-stream"

const StreamContext = createContext<SharedStream | null>(null)

/** Holds the stream for as long as somebody is signed in. */
export function StreamProvider({ children }: { children: ReactNode }) {
  const [stream, setStream] = useState<SharedStream | null>(null)
  useEffect(() => {
    const opened = new SharedStream()
    setStream(opened)
    return () => opened.close()
  }, [])
  return stream && <StreamContext value={stream}>{children}</StreamContext>
}

export function useStream(): SharedStream {
  const stream = useContext(StreamContext)
  if (!stream) throw new Error("no StreamProvider above")
  return stream
}

export function useStreamStatus(): StreamStatus {
  const stream = useStream()
  return useSyncExternalStore(
    (onStatus) => stream.listen({ onStatus }),
    () => stream.status,
  )
}

/** Re-renders every second: for ages that are on the screen. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** No heartbeat for this long: what is on the screen may be old. */
export const STALE_SECONDS = 20
