/** The chosen theme, and token colours for canvases. */
import { useSyncExternalStore } from "react"

export type Theme = "auto" | "light" | "dark"
const KEY = "spillway.theme"
const listeners = new Set<() => void>()
const system = matchMedia("(prefers-color-scheme: dark)")
system.addEventListener("change", tell)
let version = 0

function tell(): void {
  version += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === "light" || chosen === "dark" ? chosen : "auto"
}

export function setTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === "auto") localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  tell()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)

/** Changes whenever colours do: what is drawn on a canvas is drawn again. */
export const useThemeVersion = (): number => useSyncExternalStore(subscribe, () => version)

/** A token's colour as it is now; a probe resolves light-dark(), which a custom property alone does not. */
export function cssColor(token: string, alpha = 1): string {
  const probe = document.createElement("i")
  probe.style.color =
    alpha === 1 ? `var(--${token})` : `color-mix(in srgb, var(--${token}) ${alpha * 100}%, transparent)`
  document.body.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color
}
