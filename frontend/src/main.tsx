import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { isPassing } from "./api/client"
import { makeRouter } from "./routes/router"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/shell.css"
import "./styles/jobs.css"
import "./styles/job.css"
import "./styles/charts.css"
import "./styles/tabs.css"
import "./styles/form.css"

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => isPassing(error) && count < 3,
    },
  },
})
const router = makeRouter(queries)
const element = document.getElementById("root")
if (!element) throw new Error("index.html has no #root")

createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
