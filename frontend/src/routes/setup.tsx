import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useLocation, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { ApiError } from "../api/client"
import { completeSetup, meQuery } from "../api/session"
import { ErrorNotice, Field } from "../components/ui"
import { strings } from "../strings"
import { Gate } from "./sign-in"

export function SetupPage() {
  // The code travels behind the #, which no browser sends to a server and no proxy logs.
  const hash = useLocation({ select: (location) => location.hash })
  const given = new URLSearchParams(hash).get("code") ?? ""
  const [code, setCode] = useState(given)
  const [username, setUsername] = useState("")
  const [password, setPassword] = useState("")
  const queries = useQueryClient()
  const navigate = useNavigate()
  const setup = useMutation({
    mutationFn: completeSetup,
    onSuccess: async (user) => {
      queries.setQueryData(meQuery.queryKey, user)
      await navigate({ to: "/jobs" })
    },
  })
  const errors = setup.error instanceof ApiError ? setup.error.errors : []
  const errorAt = (pointer: string) => errors.find((item) => item.pointer === pointer)?.message
  if (setup.error instanceof ApiError && setup.error.code === "setup_done") {
    return (
      <Gate title={strings.setup.done} lead={strings.setup.doneHint}>
        <Link to="/sign-in" className="button primary">
          {strings.signIn.title}
        </Link>
      </Gate>
    )
  }
  return (
    <Gate title={strings.setup.title} lead={given ? strings.setup.lead : strings.setup.missing}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setup.mutate({ code, username, password })
        }}
      >
        {!given && (
          <Field label={strings.setup.code} help={strings.setup.codeHint}>
            {(attributes) => (
              <input {...attributes} required value={code} onChange={(event) => setCode(event.target.value)} />
            )}
          </Field>
        )}
        <Field label={strings.signIn.username} error={errorAt("/username")}>
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
        <Field label={strings.signIn.password} help={strings.setup.passwordHint} error={errorAt("/password")}>
          {(attributes) => (
            <input
              {...attributes}
              name="password"
              type="password"
              autoComplete="new-password"
              minLength={8}
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {setup.isError && errors.length === 0 && <ErrorNotice error={setup.error} />}
        <button type="submit" className="primary" disabled={setup.isPending}>
          {strings.setup.submit}
        </button>
      </form>
    </Gate>
  )
}
