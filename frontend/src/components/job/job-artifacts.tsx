import { useQuery } from "@tanstack/react-query"
import { artifactsQuery, artifactUrl } from "../../api/jobs"
import { formatBytes } from "../../lib/format"
import { isFinal, type JobView } from "../../lib/job-view"
import { strings } from "../../strings"
import { ErrorNotice, Loading } from "../ui"

export function JobArtifacts({ view }: { view: JobView }) {
  const { job_id: jobId, state } = view.job
  const words = strings.artifacts
  const artifacts = useQuery(artifactsQuery(jobId))
  if (artifacts.isPending) return <Loading />
  if (artifacts.isError) return <ErrorNotice error={artifacts.error} onRetry={() => void artifacts.refetch()} />
  const { items, complete } = artifacts.data
  if (items.length === 0) return <p className="tab-empty">{isFinal(state) ? words.none : words.empty}</p>
  return (
    <>
      {!complete && <p className="tab-note">{words.incomplete}</p>}
      <table className="data files">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.size}</th>
            <th scope="col">{words.sha}</th>
            <th scope="col">
              <span className="visually-hidden">{strings.common.download}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((file) => (
            <tr key={file.name}>
              <th scope="row">{file.name}</th>
              <td>{formatBytes(file.num_bytes)}</td>
              <td title={file.sha256}>
                <code>{file.sha256.slice(0, 12)}</code>
              </td>
              <td>
                <a
                  href={artifactUrl(jobId, file.name)}
                  download={file.name.split("/").at(-1)}
                  aria-label={`${strings.common.download} ${file.name}`}
                >
                  {strings.common.download}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
