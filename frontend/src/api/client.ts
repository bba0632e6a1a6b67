/** The one HTTP client. Every failure becomes an ApiError with the server's own words. */
import createClient from "openapi-fetch"
import type { paths } from "./generated/schema"
import type { Problem, ProblemItem } from "./types"

/** Tells the server that a page of its own sent this; a foreign site cannot add a header. */
export const CSRF_HEADER = { "X-Spillway-CSRF": "1" } as const

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string,
    readonly errors: readonly ProblemItem[],
    readonly requestId: string,
  ) {
    super(message)
    this.name = "ApiError"
  }
}

/** The server could not be reached at all; it may be restarting. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super("unreachable", { cause })
    this.name = "UnreachableError"
  }
}

export const client = createClient<paths>({ headers: CSRF_HEADER, credentials: "same-origin" })

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** Waits for an answer; raises ApiError for a refusal, UnreachableError without a server. */
export async function answer<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw isAbort(cause) ? cause : new UnreachableError(cause)
  })
  if (!response.ok) throw toApiError(response.status, error)
  return data as T
}

const isAbort = (cause: unknown): boolean => cause instanceof DOMException && cause.name === "AbortError"

export function toApiError(status: number, body: unknown): ApiError {
  const problem: Partial<Problem> = typeof body === "object" && body !== null ? body : {}
  return new ApiError(
    status,
    problem.code ?? `http_${status}`,
    problem.detail || problem.title || `HTTP ${status}`,
    problem.hint ?? "",
    problem.errors ?? [],
    problem.request_id ?? "",
  )
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    return toApiError(response.status, JSON.parse(text))
  } catch {
    // A proxy's own page, not ours: its status is all there is to say.
    return toApiError(response.status, null)
  }
}

/** True when asking again may help: no answer, or one that says "later". */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiError && (error.status >= 502 || error.status === 429))
  )
}
