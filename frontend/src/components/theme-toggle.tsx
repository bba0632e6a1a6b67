import { setTheme, type Theme, useTheme } from "../lib/theme"
import { strings } from "../strings"

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" }

export function ThemeToggle() {
  const theme = useTheme()
  return (
    <button
      type="button"
      className="icon"
      aria-label={`${strings.theme.label}: ${strings.theme[theme]}`}
      title={`${strings.theme.label}: ${strings.theme[theme]}`}
      onClick={() => setTheme(NEXT[theme])}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {theme === "auto" && (
          <>
            <circle cx="8" cy="8" r="5.500" />
            <path d="M8 2.500a5.500 5.500 0 0 1 0 11z" className="fill" />
          </>
        )}
        {theme === "light" && (
          <>
            <circle cx="8" cy="8" r="3" />
            <path d="M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1.100 1.100M11.900 11.900L13 13M13 3l-1.100 1.100M4.100 11.900L3 13" />
          </>
        )}
        {theme === "dark" && <path d="M13 9.700A5.500 5.500 0 0 1 6.300 3 5.500 5.500 0 1 0 13 9.700z" />}
      </svg>
    </button>
  )
}
