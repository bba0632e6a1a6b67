/** The plan's numbers as bars: what others use, what this job adds, what stays free. Pure. */
import type { PlanRead } from "../api/types"

export type TierBar = {
  tier: "host" | "nvme"
  totalBytes: number
  usedBytes: number
  stateBytes: number
  freeBytes: number
  isOver: boolean
}

export function barsOf(plan: PlanRead): TierBar[] {
  const { box, state_bytes_by_tier: state } = plan
  if (!box || !state) return []
  return [
    bar("host", box.host_ram_bytes, box.host_ram_available_bytes, state.host),
    bar("nvme", box.nvme_total_bytes, box.nvme_free_bytes, state.nvme),
  ]
}

function bar(tier: TierBar["tier"], totalBytes: number, availableBytes: number, stateBytes: number): TierBar {
  return {
    tier,
    totalBytes,
    usedBytes: Math.max(0, totalBytes - availableBytes),
    stateBytes,
    freeBytes: Math.max(0, availableBytes - stateBytes),
    isOver: stateBytes > availableBytes,
  }
}
