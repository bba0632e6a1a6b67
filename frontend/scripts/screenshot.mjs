// A picture of a job's page on a running server, for the README.
//   node scripts/screenshot.mjs --url http://127.0.0.1:8321 --token-file FILE --job job_… --out ../docs/images/job.png
// [--theme light|dark] [--width 1440] [--all: down to the log, not only to the charts]
import { mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import { chromium } from "playwright-core"

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    "token-file": { type: "string" },
    job: { type: "string" },
    out: { type: "string" },
    theme: { type: "string", default: "light" },
    width: { type: "string", default: "1440" },
    all: { type: "boolean", default: false },
  },
})
const { url, job, out, theme } = values
if (!url || !values["token-file"] || !job || !out) {
  console.error("--url, --token-file, --job and --out are needed; the head of this file tells more.")
  process.exit(2)
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
})
try {
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: 900 },
    colorScheme: theme === "dark" ? "dark" : "light",
    reducedMotion: "reduce",
    extraHTTPHeaders: { Authorization: `Bearer ${readFileSync(values["token-file"], "utf8").trim()}` },
  })
  await page.goto(`${url}/jobs/${job}`)
  await page.locator(".chart.loss canvas").waitFor()
  await page.locator(".lanes-holder canvas").waitFor()
  await page.evaluate(() => document.fonts.ready)
  // Charts are drawn a frame after their data, and the page settles its heights once.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)))
  const height = await page
    .locator(values.all ? ".tabs" : ".charts")
    .evaluate((element) => element.getBoundingClientRect().bottom + 10)
  await page.setViewportSize({ width: Number(values.width), height: Math.ceil(height) })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  mkdirSync(dirname(out), { recursive: true })
  await page.screenshot({ path: out })
  console.log(`wrote ${out}`)
} finally {
  await browser.close()
}
