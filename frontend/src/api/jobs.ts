import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { answer, client, isPassing } from "./client"
import type { JobRead, JobSnapshot, JobSpec, JobState, PlanRead, StepSpans } from "./types"

export type JobFilter = { state?: JobState | undefined; q?: string | undefined; cursor?: string | undefined }
export const JOBS_PAGE = 100

export const jobKeys = {
  all: ["jobs"] as const,
  lists: ["jobs", "list"] as const,
  view: (jobId: string) => ["jobs", jobId, "view"] as const,
  moves: (jobId: string) => ["jobs", jobId, "moves"] as const,
  artifacts: (jobId: string) => ["jobs", jobId, "artifacts"] as const,
}

export const jobsQuery = (filter: JobFilter) =>
  queryOptions({
    queryKey: [...jobKeys.lists, filter],
    queryFn: ({ signal }) => {
      const query: JobFilter & { limit: number } = { limit: JOBS_PAGE, ...filter }
      return answer(client.GET("/api/v1/jobs", { params: { query: withoutEmpty(query) }, signal }))
    },
    placeholderData: keepPreviousData,
  })

function withoutEmpty<T extends object>(query: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== "")) as never
}

export const fetchSnapshot = (jobId: string, signal?: AbortSignal): Promise<JobSnapshot> =>
  answer(
    client.GET("/api/v1/jobs/{job_id}/snapshot", {
      params: { path: { job_id: jobId } },
      ...(signal && { signal }),
    }),
  )

export const movesQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKeys.moves(jobId),
    queryFn: () => answer(client.GET("/api/v1/jobs/{job_id}/moves", { params: { path: { job_id: jobId } } })),
  })

export const artifactsQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKeys.artifacts(jobId),
    queryFn: () => answer(client.GET("/api/v1/jobs/{job_id}/artifacts", { params: { path: { job_id: jobId } } })),
  })

export const artifactUrl = (jobId: string, name: string): string =>
  `/api/v1/jobs/${jobId}/artifacts/${name.split("/").map(encodeURIComponent).join("/")}`

export const logUrl = (jobId: string): string => `/api/v1/jobs/${jobId}/log`

export const readJob = (jobId: string): Promise<JobRead> =>
  answer(client.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } }))

export const cancelJob = (jobId: string): Promise<JobRead> =>
  answer(client.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: jobId } } }))

/** Submitting again with the same key gives the same job: a lost answer never makes two. */
export const submitJob = (spec: JobSpec, idempotencyKey: string): Promise<JobRead> =>
  answer(client.POST("/api/v1/jobs", { body: spec, headers: { "Idempotency-Key": idempotencyKey } }))

export const planQuery = (spec: JobSpec) =>
  queryOptions({
    queryKey: ["plan", spec],
    queryFn: ({ signal }): Promise<PlanRead> => answer(client.POST("/api/v1/jobs/plan", { body: spec, signal })),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  })

export const spanStepsQuery = (jobId: string, isLive: boolean) =>
  queryOptions({
    queryKey: ["jobs", jobId, "span-steps"],
    queryFn: () => answer(client.GET("/api/v1/jobs/{job_id}/spans", { params: { path: { job_id: jobId } } })),
    refetchInterval: isLive ? 5_000 : false,
    placeholderData: keepPreviousData,
  })

/** The lanes of one step; `null` while the box is still being asked for them. */
export const spansQuery = (jobId: string, step: number) =>
  queryOptions({
    queryKey: ["jobs", jobId, "spans", step],
    queryFn: async ({ signal }): Promise<StepSpans | null> => {
      const spans = await answer<StepSpans | { status: string }>(
        client.GET("/api/v1/jobs/{job_id}/spans/{step}", {
          params: { path: { job_id: jobId, step } },
          signal,
        }),
      )
      return "spans" in spans ? spans : null
    },
    refetchInterval: (query) => (query.state.data === null ? 2_000 : false),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // While the server is away the lanes in sight stay; a refusal (gone, not found) is told at once.
    retry: (_count, error) => isPassing(error),
    retryDelay: 3_000,
  })
