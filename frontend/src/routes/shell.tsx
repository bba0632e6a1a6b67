/** Around every page of a signed-in person. */
import { useQueryClient } from "@tanstack/react-query"
import { Link, Outlet, useNavigate, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { meQuery, signOut } from "../api/session"
import type { UserRead } from "../api/types"
import { FreshnessDot, LostBanner } from "../components/freshness"
import { ThemeToggle } from "../components/theme-toggle"
import { StreamProvider, useStreamStatus } from "../live/stream-context"
import { strings } from "../strings"

export function Shell({ user }: { user: UserRead }) {
  return (
    <StreamProvider>
      <a className="skip" href="#content">
        {strings.nav.skip}
      </a>
      <header className="topbar">
        <Link to="/jobs" className="wordmark">
          <Mark />
          {strings.product}
        </Link>
        <nav aria-label={strings.nav.main}>
          <Link to="/jobs" activeOptions={{ exact: true, includeSearch: false }}>
            {strings.nav.jobs}
          </Link>
          <Link to="/jobs/new" activeOptions={{ includeSearch: false }}>
            {strings.nav.newJob}
          </Link>
        </nav>
        <FreshnessDot />
        <ThemeToggle />
        <Account user={user} />
      </header>
      <LostBanner />
      <SignedOutWatch />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </StreamProvider>
  )
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" className="mark" aria-hidden="true">
      <path d="M4 8h9c5.500 0 5.500 8 11 8h4M4 16h6c5.500 0 5.500 8 11 8h7" />
      <path d="M4 24h7" className="spill" />
    </svg>
  )
}

function Account({ user }: { user: UserRead }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await signOut()
    queries.clear()
    await navigate({ to: "/sign-in" })
  }
  return (
    <div className="account">
      <span>{user.username}</span>
      <button type="button" className="quiet" onClick={() => void leave()}>
        {strings.nav.signOut}
      </button>
    </div>
  )
}

/** The session ended elsewhere, or ran out: asking for the person again leads to the sign-in page. */
function SignedOutWatch() {
  const { phase } = useStreamStatus()
  const queries = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    if (phase !== "signed-out") return
    queries.removeQueries({ queryKey: meQuery.queryKey })
    void router.invalidate()
  }, [phase, queries, router])
  return null
}
