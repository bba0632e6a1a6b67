/** What each tier held, stacked, and how much it may hold at most: a band that touches its line is full. */
import { useMemo } from "react"
import type { PlanMade, TierBytes } from "../../api/types"
import { BYTE_STEPS, formatBytes, formatBytesTick } from "../../lib/format"
import { stack } from "../../lib/series"
import { strings } from "../../strings"
import { ChartFigure } from "../chart-figure"
import type { ChartContext } from "./job-charts"

const TIERS = ["device", "host", "nvme"] as const satisfies readonly (keyof TierBytes)[]
const SERIES = {
  device: "occupancy_device_bytes",
  host: "occupancy_host_bytes",
  nvme: "occupancy_nvme_bytes",
} as const

export function TierMemoryChart({ context, plan }: { context: ChartContext; plan: PlanMade | null }) {
  const words = strings.charts.tiers
  const columns = useMemo(
    () => TIERS.map((tier) => context.column(SERIES[tier], (step) => step.occupancy_bytes[tier])),
    [context.column],
  )
  const x = columns[0]?.x ?? []
  const { series, bands, held } = useMemo(
    () =>
      layersOf(
        columns.map((column) => column.max),
        plan,
      ),
    [columns, plan],
  )
  return (
    <ChartFigure
      title={words.title}
      summary={held ? strings.charts.summaryTiers(held.host, held.nvme, held.device) : strings.charts.summaryNone}
      className="tiers"
      x={x}
      series={series}
      bands={bands}
      minHeight={240}
      formatY={formatBytes}
      formatTick={formatBytesTick}
      tickSteps={BYTE_STEPS}
      isFromZero
      range={context.range}
      onRange={context.onRange}
    />
  )
}

type Column = (number | null)[]

function layersOf(columns: Column[], plan: PlanMade | null) {
  // A tier that neither holds nor may hold anything is no band, only a word in the way.
  const used = TIERS.map((tier, at) => ({ tier, own: columns[at] ?? [] })).filter(
    ({ tier, own }) => (plan?.limit_bytes[tier] ?? 0) > 0 || own.some((value) => (value ?? 0) > 0),
  )
  const tops = stack(used.map(({ own }) => own))
  const words = strings.charts.tiers
  const bandSeries = used.map(({ tier, own }, at) => ({
    label: words[tier],
    color: `tier-${tier}`,
    values: tops[at] ?? [],
    told: own,
    width: 1.2,
    ...(at === 0 && { fill: 0.34 }),
  }))
  const limitSeries = used.flatMap(({ tier }, at) => {
    const limit = plan?.limit_bytes[tier] ?? 0
    if (limit === 0) return []
    const below = at === 0 ? null : tops[at - 1]
    const values = (tops[at] ?? []).map((_, index) => (below?.[index] ?? 0) + limit)
    return [
      {
        label: words.limit(words[tier]),
        color: `tier-${tier}`,
        values,
        told: values.map(() => limit),
        width: 1.4,
        dash: [5, 4],
      },
    ]
  })
  const bands = used.slice(1).map(({ tier }, at) => ({ upper: at + 1, lower: at, color: `tier-${tier}`, alpha: 0.34 }))
  const last = (tier: keyof TierBytes) => columns[TIERS.indexOf(tier)]?.at(-1) ?? 0
  const held = (columns[0]?.length ?? 0) > 0 ? { device: last("device"), host: last("host"), nvme: last("nvme") } : null
  return { series: [...bandSeries, ...limitSeries], bands, held }
}
