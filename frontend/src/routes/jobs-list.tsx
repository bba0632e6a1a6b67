import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from "react"
import { jobsQuery } from "../api/jobs"
import { boxesQuery } from "../api/registry"
import type { JobState, JobSummary } from "../api/types"
import { CancelDialog } from "../components/cancel-dialog"
import { JobRow } from "../components/job-row"
import { ErrorNotice, Loading } from "../components/ui"
import { neighbour } from "../lib/job-list"
import { useStreamStatus } from "../live/stream-context"
import { useLiveJobs } from "../live/use-live-jobs"
import { strings } from "../strings"

/** Without the stream, a list a few seconds old is better than one that stands still. */
const POLL_MS = 5_000
const FILTERS: readonly JobState[] = ["running", "queued", "waiting", "succeeded", "failed", "cancelled"]

export function JobsListPage() {
  const search = useSearch({ from: "/signed-in/jobs" })
  const navigate = useNavigate({ from: "/jobs" })
  const stream = useStreamStatus()
  const jobs = useQuery({ ...jobsQuery(search), refetchInterval: stream.phase === "lost" ? POLL_MS : false })
  const [chosen, setChosen] = useState<string | null>(null)
  const [cancelling, setCancelling] = useState<JobSummary | null>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  useLiveJobs()

  const items = jobs.data?.items ?? []
  const isFiltered = search.q !== undefined || search.state !== undefined
  const setSearch = (change: { q?: string | undefined; state?: JobState | undefined; cursor?: string | undefined }) =>
    void navigate({ search: (old) => clean({ ...old, cursor: undefined, ...change }), replace: true })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "/") searchBox.current?.focus()
      else if (event.key === "j" || event.key === "k") {
        const next = neighbour(
          items.map((job) => job.job_id),
          chosen,
          event.key === "j" ? 1 : -1,
        )
        setChosen(next)
        if (next) document.getElementById(`row-${next}`)?.focus()
      } else return
      event.preventDefault()
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [items, chosen])

  return (
    <div className="page jobs-page">
      <div className="page-head">
        <h1>{strings.jobs.title}</h1>
        {jobs.data && <p className="count">{strings.jobs.count(items.length, Boolean(jobs.data.next_cursor))}</p>}
        <Link to="/jobs/new" className="button primary">
          {strings.nav.newJob}
        </Link>
      </div>
      <NoBoxNotice isShown={items.some((job) => job.state === "queued" || job.state === "waiting")} />
      {jobs.isError && <ErrorNotice error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isPending && <Loading />}
      {jobs.data && items.length === 0 && !isFiltered && !search.cursor ? (
        <FirstJob />
      ) : (
        jobs.data && (
          <section className="panel flush">
            <div className="list-tools">
              <SearchBox box={searchBox} value={search.q ?? ""} onSearch={(q) => setSearch({ q: q || undefined })} />
              <div className="chips" role="toolbar" aria-label={strings.jobs.filter}>
                {[undefined, ...FILTERS].map((state) => (
                  <button
                    key={state ?? "all"}
                    type="button"
                    aria-pressed={search.state === state}
                    onClick={() => setSearch({ state })}
                  >
                    {state ? strings.states[state] : strings.jobs.all}
                  </button>
                ))}
              </div>
            </div>
            {items.length === 0 ? (
              <div className="none">
                <p>{strings.jobs.noMatch}</p>
                <button type="button" onClick={() => setSearch({ q: undefined, state: undefined })}>
                  {strings.jobs.clear}
                </button>
              </div>
            ) : (
              <JobTable jobs={items} chosen={chosen} onChoose={setChosen} onCancel={setCancelling} />
            )}
            <footer className="list-foot">
              <span className="keys">{strings.jobs.keys}</span>
              {search.cursor && (
                <button type="button" className="quiet" onClick={() => setSearch({})}>
                  {strings.jobs.newest}
                </button>
              )}
              {jobs.data.next_cursor && (
                <button
                  type="button"
                  className="quiet"
                  onClick={() => setSearch({ cursor: jobs.data.next_cursor ?? undefined })}
                >
                  {strings.jobs.more}
                </button>
              )}
            </footer>
          </section>
        )
      )}
      {cancelling && <CancelDialog job={cancelling} onClose={() => setCancelling(null)} />}
    </div>
  )
}

function JobTable(props: {
  jobs: JobSummary[]
  chosen: string | null
  onChoose: (id: string) => void
  onCancel: (job: JobSummary) => void
}) {
  const columns = strings.jobs.columns
  return (
    <table className="jobs">
      <thead>
        <tr>
          <th scope="col">{columns.job}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.progress}</th>
          <th scope="col" className="number">
            {columns.loss}
          </th>
          <th scope="col">{columns.who}</th>
          <th scope="col" className="number">
            {columns.age}
          </th>
          <th scope="col">
            <span className="visually-hidden">{strings.common.cancel}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.jobs.map((job) => (
          <JobRow
            key={job.job_id}
            job={job}
            isChosen={job.job_id === props.chosen}
            onChoose={() => props.onChoose(job.job_id)}
            onCancel={() => props.onCancel(job)}
          />
        ))}
      </tbody>
    </table>
  )
}

/** Writes to the address once typing pauses. */
function SearchBox({
  box,
  value,
  onSearch,
}: {
  box: React.RefObject<HTMLInputElement | null>
  value: string
  onSearch: (q: string) => void
}) {
  const [text, setText] = useState(value)
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => search.current(text), 250)
    return () => clearTimeout(timer)
  }, [text, value])
  const onKeyDown = (event: ReactKeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") {
      setText("")
      event.currentTarget.blur()
    }
  }
  return (
    <input
      ref={box}
      type="search"
      aria-label={strings.jobs.search}
      placeholder={strings.jobs.search}
      title={strings.jobs.searchHint}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  )
}

function NoBoxNotice({ isShown }: { isShown: boolean }) {
  const boxes = useQuery({ ...boxesQuery, enabled: isShown })
  if (!isShown || !boxes.data || boxes.data.items.some((box) => box.is_alive)) return null
  return (
    <div className="notice" data-tone="wait">
      <p className="notice-title">{strings.jobs.noBox}</p>
      <p>{strings.jobs.noBoxHint}</p>
    </div>
  )
}

function FirstJob() {
  return (
    <section className="panel first">
      <h2>{strings.jobs.emptyTitle}</h2>
      <p className="lead">{strings.jobs.emptyLead}</p>
      <ol>
        {strings.jobs.emptySteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Link to="/jobs/new" className="button primary">
        {strings.jobs.emptyAction}
      </Link>
    </section>
  )
}

function clean<T extends object>(search: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never
}

function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog") !== null
}
