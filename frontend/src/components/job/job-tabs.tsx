import type { KeyboardEvent } from "react"
import { TABS, type Tab } from "../../lib/job-search"
import type { JobView } from "../../lib/job-view"
import { strings } from "../../strings"
import { JobArtifacts } from "./job-artifacts"
import { JobConfig } from "./job-config"
import { JobHistory } from "./job-history"
import { JobLog } from "./job-log"
import { JobSamples } from "./job-samples"

export function JobTabs({ view, tab, onTab }: { view: JobView; tab: Tab; onTab: (tab: Tab) => void }) {
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (by === 0) return
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]
    if (next) {
      onTab(next)
      document.getElementById(`tab-${next}`)?.focus()
    }
  }
  return (
    <section className="panel flush tabs">
      <div role="tablist" aria-label={strings.job.tabsLabel} onKeyDown={onKey}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="tab-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onTab(name)}
          >
            {strings.job.tabs[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === "log" && <JobLog view={view} />}
        {tab === "samples" && <JobSamples view={view} />}
        {tab === "artifacts" && <JobArtifacts view={view} />}
        {tab === "config" && <JobConfig view={view} />}
        {tab === "history" && <JobHistory view={view} />}
      </div>
    </section>
  )
}
