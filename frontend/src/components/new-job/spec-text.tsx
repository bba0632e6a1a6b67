import { useState } from "react"
import type { JobSpec } from "../../api/types"
import { curlOf } from "../../lib/spec-form"
import { toYaml } from "../../lib/yaml"
import { strings } from "../../strings"
import { CodeBlock } from "../code-block"
import { CopyButton, Segmented } from "../ui"

/** The form as the file or the request it stands for. */
export function SpecText({ spec }: { spec: JobSpec }) {
  const [form, setForm] = useState<"yaml" | "curl">("yaml")
  const words = strings.newJob
  const text = form === "yaml" ? toYaml(spec) : curlOf(location.origin, spec)
  return (
    <details className="panel spec-text">
      <summary>{words.specTitle}</summary>
      <div className="config-tools">
        <Segmented
          label={words.specTitle}
          value={form}
          onChange={setForm}
          options={[
            { value: "yaml", label: words.asYaml },
            { value: "curl", label: words.asCurl },
          ]}
        />
        <CopyButton text={text} />
      </div>
      <CodeBlock label={words.specTitle} text={text} />
      {form === "yaml" && <p className="field-help">{words.specHint}</p>}
    </details>
  )
}
