import { useQuery } from "@tanstack/react-query"
import { previewQuery } from "../../api/registry"
import { strings } from "../../strings"

export function DatasetPreview({ datasetId }: { datasetId: string }) {
  const preview = useQuery(previewQuery(datasetId))
  if (!preview.data) return null
  const words = strings.datasets
  return (
    <details className="preview">
      <summary>{words.preview}</summary>
      {preview.data.rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a version never move
        <dl key={at}>
          <dt>{words.asked}</dt>
          <dd>{row.input ? `${row.instruction}\n\n${row.input}` : row.instruction}</dd>
          <dt>{words.answer}</dt>
          <dd className="answer">{row.output}</dd>
        </dl>
      ))}
    </details>
  )
}
