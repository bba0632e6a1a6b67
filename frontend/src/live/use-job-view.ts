/** A job as it is now: a snapshot, then the stream from the snapshot's last event id. A reload is the same path. */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { fetchSnapshot, jobKeys } from "../api/jobs"
import type { StoredEvent } from "../api/types"
import { fold, type JobView, viewOf } from "../lib/job-view"
import { useStream, useStreamStatus } from "./stream-context"

const REMEMBERED_EVENTS = 1000
const PAINT_MS = 200
const SNAPSHOT_TRIES = 3
const FALLBACK_POLL_MS = 5_000

export function useJobView(jobId: string): UseQueryResult<JobView> {
  const queries = useQueryClient()
  const stream = useStream()
  const { phase, failures } = useStreamStatus()
  // Events heard while a snapshot is on its way are folded over it when it arrives.
  const heard = useRef<StoredEvent[]>([])

  useEffect(() => {
    heard.current = []
    let pending: StoredEvent[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const refresh = () => void queries.invalidateQueries({ queryKey: ["jobs", jobId] })
    const paint = () => {
      timer = null
      const view = queries.getQueryData<JobView>(jobKeys.view(jobId))
      const events = pending
      pending = []
      if (!view) return
      const folded = fold(view, events)
      if (folded.view !== view) queries.setQueryData(jobKeys.view(jobId), folded.view)
      if (folded.isStale) refresh()
    }
    const stop = stream.listen({
      onFresh: refresh,
      onEvents: (events) => {
        const own = events.filter((event) => event.job_id === jobId)
        if (own.length === 0) return
        heard.current = [...heard.current, ...own].slice(-REMEMBERED_EVENTS)
        pending.push(...own)
        timer ??= setTimeout(paint, PAINT_MS)
      },
    })
    return () => {
      stop()
      if (timer) clearTimeout(timer)
    }
  }, [jobId, queries, stream])

  return useQuery({
    queryKey: jobKeys.view(jobId),
    queryFn: async ({ signal }): Promise<JobView> => {
      const previous = queries.getQueryData<JobView>(jobKeys.view(jobId))
      for (let tries = 1; ; tries += 1) {
        const snapshot = await fetchSnapshot(jobId, signal)
        const folded = fold(viewOf(snapshot, previous), heard.current)
        // What was heard meanwhile may ask for a newer snapshot, which will hold it.
        if (!folded.isStale || tries === SNAPSHOT_TRIES) return folded.view
      }
    },
    // Another tab's cache or an earlier visit is never shown as live.
    gcTime: 0,
    refetchInterval: phase === "lost" && failures > 1 ? FALLBACK_POLL_MS : false,
    structuralSharing: false,
  })
}
