import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { Bucket } from "../lib/series"
import { answer, client } from "./client"

export const SERIES = [
  "loss",
  "eval_loss",
  "learning_rate",
  "grad_norm",
  "tokens_per_second",
  "overlap_share",
  "occupancy_device_bytes",
  "occupancy_host_bytes",
  "occupancy_nvme_bytes",
] as const
export type SeriesName = (typeof SERIES)[number]
export type Range = { from: number; to: number } | null
export type Metrics = { lastStep: number; buckets: Record<SeriesName, Bucket[]> }

/** All series of the page in one request, at most `buckets` wide; asked again for each zoom and width. */
export const metricsQuery = (jobId: string, attempt: string | undefined, range: Range, buckets: number) =>
  queryOptions({
    queryKey: ["jobs", jobId, "metrics", attempt ?? null, range, buckets],
    queryFn: async ({ signal }): Promise<Metrics> => {
      const query = {
        names: SERIES.join(","),
        buckets,
        ...(range && { from_step: range.from, to_step: range.to }),
      }
      const read = await answer(
        client.GET("/api/v1/jobs/{job_id}/metrics", { params: { path: { job_id: jobId }, query }, signal }),
      )
      const found = new Map(read.series.map((series) => [series.name as string, series.buckets]))
      const entries = SERIES.map((name) => [name, found.get(name) ?? []])
      return { lastStep: read.last_step ?? 0, buckets: Object.fromEntries(entries) }
    },
    enabled: attempt !== undefined,
    // The live tail begins where the page was opened: buckets older than that would leave a hole before it.
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
  })
