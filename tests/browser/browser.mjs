// A real Chromium with a profile of its own, and what every page of it is watched for.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const frontend = createRequire(join(dirname(fileURLToPath(import.meta.url)), "..", "..", "frontend", "package.json"))
const { chromium } = frontend("playwright-core")
const axeSource = readFileSync(frontend.resolve("axe-core/axe.min.js"), "utf8")

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

export class Browser {
  #context
  #profile
  #screenshots
  /** Errors of any page: of scripts, of the console, of the content security policy. */
  problems = []
  /** Addresses asked for, in order. */
  requests = []
  /** Set while the server is away on purpose: a failed request is then no finding. */
  isOutageExpected = false

  static async start({ executable, screenshots }) {
    const browser = new Browser()
    browser.#screenshots = screenshots
    if (screenshots) mkdirSync(screenshots, { recursive: true })
    browser.#profile = mkdtempSync(join(tmpdir(), "spillway-browser-"))
    browser.#context = await chromium.launchPersistentContext(browser.#profile, {
      executablePath: executable,
      args: FLAGS,
      viewport: { width: 1440, height: 900 },
      colorScheme: "light",
      reducedMotion: "reduce",
      acceptDownloads: true,
    })
    browser.#context.setDefaultTimeout(30_000)
    return browser
  }

  async newPage() {
    const page = await this.#context.newPage()
    page.on("pageerror", (error) => this.problems.push(`${page.url()}: ${error}`))
    page.on("console", (message) => {
      if (message.type() === "error" && !this.#isExpected(message.text())) this.problems.push(`${page.url()}: ${message.text()}`)
    })
    page.on("request", (request) => this.requests.push(new URL(request.url())))
    return page
  }

  /** The browser itself notes each refused request; the journey provokes some. */
  #isExpected(text) {
    if (/status of (401|404|409|416|422)/.test(text)) return true
    return this.isOutageExpected && /ERR_|Failed to fetch|status of 5/.test(text)
  }

  /** The page in both themes and two widths: pictures when a folder is given, and never a page wider than its window. */
  async show(page, name) {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await page.evaluate(() => {
          scrollTo(0, 0)
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        if (wide > width) this.problems.push(`${name} is ${wide} pixels wide in a window of ${width}`)
        if (this.#screenshots) {
          await page.screenshot({ path: join(this.#screenshots, `${name}-${width}-${colorScheme}.png`), fullPage: !(await page.locator("dialog[open]").count()) })
        }
        if (width === 1440) await this.#audit(page, `${name}, ${colorScheme}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
  }

  /** Serious findings of axe are problems. */
  async #audit(page, name) {
    await page.evaluate(axeSource)
    const { violations } = await page.evaluate(() =>
      globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }),
    )
    for (const { id, impact, nodes } of violations) {
      if (impact !== "serious" && impact !== "critical") continue
      for (const node of nodes.slice(0, 3)) this.problems.push(`${name}: ${id} at ${node.target}: ${node.failureSummary}`)
    }
  }

  async close() {
    await this.#context.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}
