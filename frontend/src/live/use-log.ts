/** A window onto a job's log: its end at first, older pieces on request, new lines while it is written. */
import { useCallback, useEffect, useRef, useState } from "react"
import { type LogPiece, readLog } from "../api/log"
import { linesOf, wholeLines } from "../lib/log-text"

const PIECE_BYTES = 256 * 1024
const POLL_MS = 2_000
const decoder = new TextDecoder()

export type LogWindow = {
  lines: string[]
  hasOlder: boolean
  isLoaded: boolean
  error: unknown
  loadOlder: () => Promise<void>
}

export function useLog(jobId: string, attemptId: string | undefined, isGrowing: boolean): LogWindow {
  const [lines, setLines] = useState<string[]>([])
  const [start, setStart] = useState(0)
  const [isLoaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const end = useRef<number | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt writes another log
  useEffect(() => {
    end.current = null
    setLines([])
    setStart(0)
    setLoaded(false)
  }, [jobId, attemptId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      try {
        let from: number
        if (end.current === null) {
          from = await tailStart(jobId, stop.signal)
          setStart(from)
        } else from = end.current
        // More than one piece may be waiting; each ends at a line's end, so none is decoded by halves.
        for (;;) {
          const piece = await readFrom(jobId, from, stop.signal)
          const isLast = !isGrowing && from + piece.bytes.length >= piece.size
          const whole = isLast ? piece.bytes : wholeLines(piece.bytes)
          from += whole.length
          end.current = from
          if (whole.length === 0) break
          const more = linesOf(decoder.decode(whole))
          setLines((old) => [...old, ...more])
          if (from >= piece.size) break
        }
        setError(null)
        setLoaded(true)
      } catch (cause) {
        if (stop.signal.aborted) return
        setError(cause)
      }
      if (isGrowing && !stop.signal.aborted) timer = setTimeout(() => void read(), POLL_MS)
    }
    void read()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [jobId, attemptId, isGrowing])

  const loadOlder = useCallback(async () => {
    if (start === 0) return
    const from = Math.max(0, start - PIECE_BYTES)
    const piece = await readLog(jobId, from, start)
    const cut = from === 0 ? 0 : piece.bytes.indexOf(0x0a) + 1
    const older = linesOf(decoder.decode(piece.bytes.subarray(cut)))
    setStart(from + cut)
    setLines((old) => [...older, ...old])
  }, [jobId, start])

  return { lines, hasOlder: start > 0, isLoaded, error, loadOlder }
}

/** From one byte earlier, which is there for sure: asking beyond the end is an error in every console. */
async function readFrom(jobId: string, from: number, signal: AbortSignal): Promise<LogPiece> {
  if (from === 0) return readLog(jobId, 0, PIECE_BYTES, signal)
  const piece = await readLog(jobId, from - 1, from + PIECE_BYTES, signal)
  return { ...piece, start: from, bytes: piece.bytes.subarray(1) }
}

/** Where the last piece begins, at a line's start. */
async function tailStart(jobId: string, signal: AbortSignal): Promise<number> {
  const { size } = await readLog(jobId, 0, 1, signal)
  if (size <= PIECE_BYTES) return 0
  const from = size - PIECE_BYTES
  const piece = await readLog(jobId, from, size, signal)
  return from + piece.bytes.indexOf(0x0a) + 1
}
