/** Models, datasets and boxes: what a job is made of and where it may run. */
import { queryOptions } from "@tanstack/react-query"
import { answer, CSRF_HEADER, client, toApiError, UnreachableError } from "./client"
import type { DatasetRead, ModelRead } from "./types"

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: () => answer(client.GET("/api/v1/models", { params: { query: { limit: 200 } } })),
})

export const datasetsQuery = queryOptions({
  queryKey: ["datasets"],
  queryFn: () => answer(client.GET("/api/v1/datasets", { params: { query: { limit: 200 } } })),
})

export const boxesQuery = queryOptions({
  queryKey: ["boxes"],
  queryFn: () => answer(client.GET("/api/v1/boxes")),
  refetchInterval: 10_000,
})

export const previewQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", datasetId, "preview"],
    queryFn: () =>
      answer(
        client.GET("/api/v1/datasets/{dataset_id}/preview", {
          params: { path: { dataset_id: datasetId }, query: { rows: 3 } },
        }),
      ),
    // A dataset version never changes: its content is its name.
    staleTime: Number.POSITIVE_INFINITY,
  })

export const addModel = (name: string, source: ModelRead["source"]): Promise<ModelRead> =>
  answer(client.POST("/api/v1/models", { body: { name, source } }))

/** Streams a file up. Raises ApiError with one item a bad line. XHR, because fetch tells no upload progress. */
export function uploadDataset(name: string, file: File, onProgress: (share: number) => void): Promise<DatasetRead> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open("POST", `/api/v1/datasets?name=${encodeURIComponent(name)}`)
    request.setRequestHeader("Content-Type", "application/x-ndjson")
    for (const [header, value] of Object.entries(CSRF_HEADER)) request.setRequestHeader(header, value)
    request.upload.addEventListener("progress", (event) => onProgress(event.total > 0 ? event.loaded / event.total : 0))
    request.addEventListener("error", () => reject(new UnreachableError("upload")))
    request.addEventListener("load", () => {
      const body = parse(request.responseText)
      if (request.status < 300) resolve(body as DatasetRead)
      else reject(toApiError(request.status, body))
    })
    request.send(file)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
