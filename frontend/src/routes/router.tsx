/** Addresses to pages. The address holds what a page shows, so a link shows the same to the next person. */
import type { QueryClient } from "@tanstack/react-query"
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  Outlet,
  redirect,
  useRouter,
} from "@tanstack/react-router"
import { ApiError } from "../api/client"
import { meQuery, needsSetup } from "../api/session"
import type { JobState, UserRead } from "../api/types"
import { ErrorNotice } from "../components/ui"
import { type JobSearch, TABS, type Tab } from "../lib/job-search"
import { strings } from "../strings"
import { JobDetailPage } from "./job-detail"
import { JobNewPage } from "./job-new"
import { JobsListPage } from "./jobs-list"
import { SetupPage } from "./setup"
import { Shell } from "./shell"
import { SignInPage } from "./sign-in"

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: RootError,
})

async function requirePerson(queries: QueryClient, from: string): Promise<UserRead> {
  try {
    return await queries.ensureQueryData(meQuery)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if (await needsSetup()) throw redirect({ to: "/setup" })
    throw redirect({ to: "/sign-in", search: from === "/" || from === "/jobs" ? {} : { next: from } })
  }
}

const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => ({
    user: await requirePerson(context.queries, location.href),
  }),
  component: function SignedIn() {
    const { user } = signedIn.useRouteContext()
    return <Shell user={user} />
  },
})

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/jobs" })
  },
})

const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: "/jobs",
  validateSearch: (search): { state?: JobState; q?: string; cursor?: string } => ({
    ...(typeof search.state === "string" && search.state in strings.states && { state: search.state as JobState }),
    ...text("q", search.q),
    ...text("cursor", search.cursor),
  }),
  component: JobsListPage,
})

const jobNew = createRoute({
  getParentRoute: () => signedIn,
  path: "/jobs/new",
  validateSearch: (search): { from?: string } => text("from", search.from),
  component: JobNewPage,
})

const jobDetail = createRoute({
  getParentRoute: () => signedIn,
  path: "/jobs/$jobId",
  validateSearch: (search): JobSearch => ({
    ...(TABS.includes(search.tab as Tab) && { tab: search.tab as Tab }),
    ...integer("from", search.from),
    ...integer("to", search.to),
    ...integer("step", search.step),
  }),
  component: JobDetailPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): { next?: string } => text("next", search.next),
  component: SignInPage,
})

const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: SetupPage })

function text<K extends string>(key: K, value: unknown): { [P in K]?: string } {
  return (typeof value === "string" && value !== "" ? { [key]: value } : {}) as { [P in K]?: string }
}

function integer<K extends string>(key: K, value: unknown): { [P in K]?: number } {
  const number = Number(value)
  return (value !== undefined && Number.isInteger(number) && number >= 0 ? { [key]: number } : {}) as {
    [P in K]?: number
  }
}

function RootError({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <div className="lone">
      <ErrorNotice error={error} onRetry={() => void router.invalidate()} />
    </div>
  )
}

function NotFound() {
  return (
    <div className="lone">
      <p>{strings.errors.notFound}</p>
      <Link to="/jobs">{strings.errors.toJobs}</Link>
    </div>
  )
}

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([index, signIn, setup, signedIn.addChildren([jobs, jobNew, jobDetail])]),
    context: { queries },
    scrollRestoration: true,
  })
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
