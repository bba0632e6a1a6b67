/** The log as a virtual list: only lines in sight are in the page, however many there are. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { UnreachableError } from "../../api/client"
import { logUrl } from "../../api/jobs"
import { isFinal, type JobView } from "../../lib/job-view"
import { matchingLines, toneOf } from "../../lib/log-text"
import { useLog } from "../../live/use-log"
import { strings } from "../../strings"
import { ErrorNotice } from "../ui"

const LINE = 19
const SPARE_LINES = 20

export function JobLog({ view }: { view: JobView }) {
  const { job, attempt } = view
  const log = useLog(job.job_id, attempt?.attempt_id, !isFinal(job.state))
  const [isFollowing, setFollowing] = useState(true)
  const [search, setSearch] = useState("")
  const [match, setMatch] = useState(0)
  const [window, setWindow] = useState({ top: 0, height: 0 })
  const scroller = useRef<HTMLDivElement>(null)
  const matches = useMemo(() => matchingLines(log.lines, search), [log.lines, search])
  const words = strings.log
  const current = matches.length > 0 ? matches[Math.min(match, matches.length - 1)] : undefined

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (isFollowing && log.lines.length > 0) element.scrollTop = element.scrollHeight
    setWindow({ top: element.scrollTop, height: element.clientHeight })
  }, [log.lines, isFollowing])

  useEffect(() => {
    if (current === undefined || !scroller.current) return
    setFollowing(false)
    scroller.current.scrollTop = current * LINE - scroller.current.clientHeight / 2
  }, [current])

  const go = (by: number) =>
    setMatch((old) =>
      matches.length === 0 ? 0 : (Math.min(old, matches.length - 1) + by + matches.length) % matches.length,
    )
  const onScroll = (element: HTMLDivElement) => {
    setWindow({ top: element.scrollTop, height: element.clientHeight })
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 2 * LINE
    if (isAtEnd !== isFollowing) setFollowing(isAtEnd)
  }
  const loadOlder = async () => {
    const element = scroller.current
    const before = element?.scrollHeight ?? 0
    await log.loadOlder()
    // What was in sight stays in sight.
    requestAnimationFrame(() => {
      if (element) element.scrollTop += element.scrollHeight - before
    })
  }

  const first = Math.max(0, Math.floor(window.top / LINE) - SPARE_LINES)
  const last = Math.min(log.lines.length, Math.ceil((window.top + window.height) / LINE) + SPARE_LINES)
  const marked = new Set(matches)
  return (
    <div className="log">
      <div className="log-tools">
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setMatch(0)
          }}
          onKeyDown={(event) => event.key === "Enter" && go(event.shiftKey ? -1 : 1)}
        />
        {search && (
          <span className="sub">
            {words.matches(matches.length === 0 ? 0 : Math.min(match, matches.length - 1) + 1, matches.length)}
          </span>
        )}
        <span className="spacer" />
        {log.hasOlder && (
          <button type="button" className="quiet" onClick={() => void loadOlder()}>
            {words.older}
          </button>
        )}
        <label className="check">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          {words.follow}
        </label>
        <a className="button quiet" href={logUrl(job.job_id)} download={`${job.job_id}.log`}>
          {strings.common.download}
        </a>
      </div>
      {/* A server that is away has its banner already; the lines read so far stay. */}
      {log.error !== null && !(log.error instanceof UnreachableError) && <ErrorNotice error={log.error} />}
      {log.lines.length === 0 ? (
        <p className="tab-empty">{log.isLoaded ? words.empty : ""}</p>
      ) : (
        <section
          ref={scroller}
          className="log-lines"
          aria-label={`${words.label}, ${words.lines(log.lines.length)}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
          tabIndex={0}
          onScroll={(event) => onScroll(event.currentTarget as HTMLDivElement)}
        >
          <div style={{ height: log.lines.length * LINE }}>
            <pre style={{ transform: `translateY(${first * LINE}px)` }}>
              {log.lines.slice(first, last).map((line, at) => {
                const number = first + at
                return (
                  <span
                    key={number}
                    data-tone={toneOf(line)}
                    data-match={marked.has(number) || undefined}
                    data-current={number === current || undefined}
                  >
                    {line || " "}
                  </span>
                )
              })}
            </pre>
          </div>
        </section>
      )}
    </div>
  )
}
