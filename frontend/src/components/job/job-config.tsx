import type { JobView } from "../../lib/job-view"
import { curlOf } from "../../lib/spec-form"
import { toYaml } from "../../lib/yaml"
import { strings } from "../../strings"
import { CodeBlock } from "../code-block"
import { CopyButton } from "../ui"
import { PlanFacts } from "./plan-facts"

export function JobConfig({ view }: { view: JobView }) {
  const { spec } = view.job
  const yaml = toYaml(spec)
  return (
    <div className="config">
      {view.plan && <PlanFacts plan={view.plan} />}
      <div className="config-tools">
        <CopyButton text={yaml} label={`${strings.common.copy} ${strings.newJob.asYaml}`} />
        <CopyButton text={curlOf(location.origin, spec)} label={`${strings.common.copy} ${strings.newJob.asCurl}`} />
      </div>
      <CodeBlock label={strings.config.title} text={yaml} />
    </div>
  )
}
