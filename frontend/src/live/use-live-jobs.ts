/** Keeps every list of jobs current: progress is patched in place, a change of state asks the server again. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { jobKeys } from "../api/jobs"
import type { JobSummary, StoredEvent } from "../api/types"
import { patchSummary } from "../lib/job-list"
import { useStream } from "./stream-context"

const ASK_MS = 300

export function useLiveJobs(): void {
  const queries = useQueryClient()
  const stream = useStream()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const ask = () => {
      timer ??= setTimeout(() => {
        timer = null
        void queries.invalidateQueries({ queryKey: jobKeys.lists })
      }, ASK_MS)
    }
    const stop = stream.listen({
      onFresh: ask,
      onEvents: (events) => {
        patchLists(queries, events)
        if (events.some((stored) => stored.event.kind === "state.changed")) ask()
      },
    })
    return () => {
      stop()
      if (timer) clearTimeout(timer)
    }
  }, [queries, stream])
}

function patchLists(queries: QueryClient, events: readonly StoredEvent[]): void {
  queries.setQueriesData<{ items: JobSummary[]; next_cursor?: string | null }>({ queryKey: jobKeys.lists }, (page) => {
    if (!page) return page
    const items = page.items.map((job) => events.reduce(patchSummary, job))
    return items.some((job, at) => job !== page.items[at]) ? { ...page, items } : page
  })
}
