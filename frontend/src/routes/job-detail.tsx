import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { ApiError } from "../api/client"
import { CancelDialog } from "../components/cancel-dialog"
import { JobCharts } from "../components/job/job-charts"
import { JobHeader } from "../components/job/job-header"
import { JobResult } from "../components/job/job-result"
import { JobStats } from "../components/job/job-stats"
import { JobTabs } from "../components/job/job-tabs"
import { PhaseStrip } from "../components/job/phase-strip"
import { ErrorNotice, Loading } from "../components/ui"
import { isFinal } from "../lib/job-view"
import { useJobView } from "../live/use-job-view"
import { strings } from "../strings"

export function JobDetailPage() {
  const { jobId } = useParams({ from: "/signed-in/jobs/$jobId" })
  // Another job is another page: nothing of the last one's state may shine through.
  return <JobPage key={jobId} jobId={jobId} />
}

function JobPage({ jobId }: { jobId: string }) {
  const job = useJobView(jobId)
  const search = useSearch({ from: "/signed-in/jobs/$jobId" })
  const navigate = useNavigate({ from: "/jobs/$jobId" })
  const [isCancelling, setCancelling] = useState(false)
  if (job.isPending) return <Loading />
  if (!job.data) {
    const isMissing = job.error instanceof ApiError && job.error.status === 404
    return (
      <div className="lone">
        {isMissing ? (
          <p>{strings.job.notFound}</p>
        ) : (
          <ErrorNotice error={job.error} onRetry={() => void job.refetch()} />
        )}
        <Link to="/jobs">{strings.errors.toJobs}</Link>
      </div>
    )
  }
  const view = job.data
  const range = search.from !== undefined && search.to !== undefined ? { from: search.from, to: search.to } : null
  const change = (part: Partial<typeof search>) =>
    void navigate({
      search: (old) =>
        Object.fromEntries(Object.entries({ ...old, ...part }).filter(([, value]) => value !== undefined)),
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="page job-page">
      <title>{`${view.job.name} · ${strings.product}`}</title>
      <JobHeader view={view} onCancel={() => setCancelling(true)} />
      <PhaseStrip state={view.job.state} phase={view.phase} />
      {view.result && isFinal(view.job.state) ? (
        <JobResult view={view} result={view.result} />
      ) : (
        <JobStats view={view} />
      )}
      <JobCharts
        view={view}
        range={range}
        onRange={(next) => change({ from: next?.from as number, to: next?.to as number })}
        step={search.step}
        onStep={(step) => change({ step: step as number })}
      />
      <JobTabs view={view} tab={search.tab ?? "log"} onTab={(tab) => change({ tab })} />
      {isCancelling && <CancelDialog job={view.job} onClose={() => setCancelling(false)} />}
    </div>
  )
}
