import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { meQuery, signIn } from "../api/session"
import { ThemeToggle } from "../components/theme-toggle"
import { ErrorNotice, Field } from "../components/ui"
import { strings } from "../strings"
import { Mark } from "./shell"

/** The pages outside: one card on the water. */
export function Gate({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <main className="gate">
      <div className="gate-tools">
        <ThemeToggle />
      </div>
      <section className="gate-card">
        <p className="wordmark">
          <Mark />
          {strings.product}
        </p>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {children}
      </section>
    </main>
  )
}

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" })
  const navigate = useNavigate()
  const router = useRouter()
  const queries = useQueryClient()
  const [username, setUsername] = useState("")
  const [password, setPassword] = useState("")
  const signing = useMutation({
    mutationFn: signIn,
    onSuccess: async (user) => {
      queries.setQueryData(meQuery.queryKey, user)
      // Only a path of our own: an address in the link must not lead elsewhere.
      if (next?.startsWith("/jobs")) router.history.push(next)
      else await navigate({ to: "/jobs" })
    },
  })
  return (
    <Gate title={strings.signIn.title} lead={strings.signIn.lead}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          signing.mutate({ username, password })
        }}
      >
        <Field label={strings.signIn.username}>
          {(attributes) => (
            <input
              {...attributes}
              name="username"
              autoComplete="username"
              required
              value={username}
              onChange={(event) => setUsername(event.target.value)}
            />
          )}
        </Field>
        <Field label={strings.signIn.password}>
          {(attributes) => (
            <input
              {...attributes}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {signing.isError && <ErrorNotice error={signing.error} />}
        <button type="submit" className="primary" disabled={signing.isPending}>
          {strings.signIn.submit}
        </button>
        <p className="field-help">{strings.signIn.forgotten}</p>
      </form>
    </Gate>
  )
}
