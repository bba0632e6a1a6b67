/** How old the page is, always in sight, and a banner when it is not live. */
import { useSyncExternalStore } from "react"
import { formatAge } from "../lib/format"
import { STALE_SECONDS, useNow, useStreamStatus } from "../live/stream-context"
import { strings } from "../strings"

type Freshness = { tone: "live" | "wait" | "stale"; text: string; ageSeconds: number; isLost: boolean }

export function useFreshness(): Freshness {
  const status = useStreamStatus()
  const now = useNow()
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const ageSeconds = Math.max(0, (now - status.heardAt) / 1000)
  const age = formatAge(ageSeconds)
  if (status.phase === "lost" || !isOnline) return { tone: "stale", text: strings.live.lost, ageSeconds, isLost: true }
  if (status.phase === "connecting") return { tone: "wait", text: strings.live.connecting, ageSeconds, isLost: false }
  if (ageSeconds > STALE_SECONDS) return { tone: "stale", text: strings.live.stale(age), ageSeconds, isLost: false }
  return { tone: "live", text: strings.live.live, ageSeconds, isLost: false }
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener("online", listener)
  addEventListener("offline", listener)
  return () => {
    removeEventListener("online", listener)
    removeEventListener("offline", listener)
  }
}

export function FreshnessDot() {
  const { tone, text } = useFreshness()
  return (
    <span className="freshness" data-tone={tone} title={strings.live.title}>
      <i aria-hidden="true" />
      <span role="status">{text}</span>
    </span>
  )
}

export function LostBanner() {
  const { isLost, ageSeconds } = useFreshness()
  if (!isLost) return null
  return (
    <div className="banner" role="alert">
      {strings.live.banner(formatAge(ageSeconds))}
    </div>
  )
}
