import type { SampleGenerated } from "../../api/types"
import { isFinal, type JobView } from "../../lib/job-view"
import { strings } from "../../strings"

export function JobSamples({ view }: { view: JobView }) {
  const words = strings.samples
  const pairs = pairsOf(view.samples)
  if (pairs.length === 0) return <p className="tab-empty">{words.empty}</p>
  const missing = isFinal(view.job.state) ? words.noAfter : words.pending
  return (
    <div className="samples">
      {pairs.map(({ index, prompt, before, after }) => (
        <article key={index}>
          <h3>{prompt}</h3>
          <div>
            <Answer title={words.before} text={before} missing={missing} />
            <Answer title={words.after} text={after} missing={missing} />
          </div>
        </article>
      ))}
    </div>
  )
}

function Answer({ title, text, missing }: { title: string; text: string | undefined; missing: string }) {
  return (
    <section>
      <h4>{title}</h4>
      {text === undefined ? <p className="faint">{missing}</p> : <p className="sample-text">{text}</p>}
    </section>
  )
}

type Pair = { index: number; prompt: string; before?: string; after?: string }

function pairsOf(samples: readonly SampleGenerated[]): Pair[] {
  const pairs = new Map<number, Pair>()
  for (const { index, prompt, text, when } of samples) {
    const pair = pairs.get(index) ?? { index, prompt }
    pairs.set(index, when === "before" ? { ...pair, before: text } : { ...pair, after: text })
  }
  return [...pairs.values()].sort((a, b) => a.index - b.index)
}
