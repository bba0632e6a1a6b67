import { strings } from "../strings"

/** Every picture of numbers is also a table. */
export function TableToggle(props: { isTable: boolean; title: string; onChange: (isTable: boolean) => void }) {
  const text = props.isTable ? strings.charts.chart : strings.charts.table
  return (
    <button
      type="button"
      className="icon"
      aria-label={`${text}: ${props.title}`}
      title={text}
      onClick={() => props.onChange(!props.isTable)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {props.isTable ? (
          <path d="M2.500 12.500l3.500-5 3 3 4.500-6.500" />
        ) : (
          <path d="M2.500 3.500h11v9h-11zM2.500 6.500h11M2.500 9.500h11M6.500 3.500v9" />
        )}
      </svg>
    </button>
  )
}
