/** A job's log by byte ranges. */
import { errorOf, UnreachableError } from "./client"
import { logUrl } from "./jobs"

export type LogPiece = { start: number; bytes: Uint8Array; size: number }

/** Bytes from `start` up to and without `end`; `bytes` is empty when nothing is there yet. */
export async function readLog(jobId: string, start: number, end: number, signal?: AbortSignal): Promise<LogPiece> {
  const response = await fetch(logUrl(jobId), {
    headers: { Range: `bytes=${start}-${end - 1}` },
    cache: "no-store",
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new UnreachableError(cause)
  })
  const size = Number(/\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "")?.[1] ?? 0)
  if (response.status === 416 || response.status === 404) return { start, bytes: new Uint8Array(), size }
  if (!response.ok) throw await errorOf(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { start, bytes, size: Math.max(size, start + bytes.length) }
}
