/** The built page carries the licences of what is built into it, as each of them asks. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

const FONTS = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono"]

export function licenses(): Plugin {
  return {
    name: "licenses",
    apply: "build",
    generateBundle() {
      const bundled = [...this.getModuleIds()].flatMap(
        (id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [],
      )
      // Fonts come in by way of a stylesheet, which is no module.
      const names = [...new Set([...bundled, ...FONTS])].sort()
      const source = names.map((name) => `${name}\n\n${licenseOf(name)}`).join(`\n\n${"-".repeat(80)}\n\n`)
      this.emitFile({ type: "asset", fileName: "licenses.txt", source })
    },
  }
}

function licenseOf(name: string): string {
  const folder = join(import.meta.dirname, "node_modules", name)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file) return readFileSync(join(folder, file), "utf8").trim()
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (!license) throw new Error(`${name} tells no licence`)
  return `${license}${author ? `, ${author.name ?? author}` : ""}`
}
