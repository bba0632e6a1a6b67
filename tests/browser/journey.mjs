// A person's whole way through the dashboard. Told by the environment where the server is and what to bring:
//   SETUP_LINK, MODEL_FOLDER, GOOD_ROWS, BAD_ROWS; CHROMIUM, SCREENSHOTS (optional).
// Where the server must go away and come back it prints a line and waits for one on stdin.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { Browser } from "./browser.mjs"

const { SETUP_LINK, MODEL_FOLDER, GOOD_ROWS, BAD_ROWS, CHROMIUM, SCREENSHOTS } = process.env
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const say = (line) => console.log(line)

/** Ask the one who started this to do something to the server, and wait until it is done. */
async function ask(line) {
  say(`ASK ${line}`)
  const { value, done } = await answers.next()
  assert.ok(!done && value === "done", `nobody did: ${line}`)
}

async function setUp(page) {
  await page.goto(SETUP_LINK)
  await page.getByRole("heading", { name: "Set up Spillway" }).waitFor()
  await page.getByLabel("User name").fill("ada")
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Make the admin" }).click()
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor()
}

async function signOutAndIn(browser, page) {
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  await browser.show(page, "sign-in")
  await page.getByLabel("User name").fill("ada")
  await page.getByLabel("Password").fill("wrong horse battery")
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("alert").waitFor()
  await page.getByLabel("Password").fill("correct horse battery")
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor()
}

async function addModel(page) {
  await page.getByRole("button", { name: "Add a model" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.locator("[name=path]").fill(`${MODEL_FOLDER}-that-is-not-there`)
  await dialog.getByRole("button", { name: "Add model" }).click()
  await dialog.locator(".field-error, .notice").first().waitFor()
  await dialog.locator("[name=path]").fill(MODEL_FOLDER)
  await dialog.locator("[name=model-name]").fill("tiny-llama")
  await dialog.getByRole("button", { name: "Add model" }).click()
  await dialog.waitFor({ state: "detached" })
  assert.equal(await page.locator("select[name=model]").inputValue(), "tiny-llama")
}

/** The bad file first: each bad line named, nothing stored; then the good one in the same dialog. */
async function uploadRows(browser, page) {
  await page.getByRole("button", { name: "Upload rows" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.locator("input[type=file]").setInputFiles(BAD_ROWS)
  await dialog.getByRole("button", { name: "Upload", exact: true }).click()
  await dialog.getByText("line 2, field output").waitFor()
  await dialog.getByText("line 4", { exact: true }).waitFor()
  await browser.show(page, "upload-refused")
  await dialog.locator("input[type=file]").setInputFiles(GOOD_ROWS)
  await dialog.locator("[name=dataset-name]").fill("rows")
  await dialog.getByRole("button", { name: "Upload", exact: true }).click()
  await dialog.waitFor({ state: "detached" })
  const datasets = await page.locator("select[name=dataset] option").allTextContents()
  assert.deepEqual(datasets, ["Choose rows", "rows"], "the refused file left something behind")
}

async function fillForm(browser, page) {
  await page.getByRole("link", { name: "New job" }).first().click()
  await addModel(page)
  await uploadRows(browser, page)
  await page.getByText("Fits on box").waitFor()
  await page.getByText("First rows").click()

  await page.getByText("Split", { exact: true }).click()
  await page.locator("[name=host_bytes]").fill("10 KiB")
  await page.locator("[name=nvme_bytes]").fill("10 KiB")
  await page.getByText("Does not fit").waitFor()
  await browser.show(page, "new-job-does-not-fit")
  await page.getByRole("button", { name: "Put it all on NVMe" }).click()
  await page.getByText("Fits on box").waitFor()

  await page.locator("[name=batch_size]").fill("many")
  await page.locator("[name=batch_size][aria-invalid=true]").waitFor()
  await page.locator("[name=batch_size]").fill("2")
  await page.locator("[name=batch_size][aria-invalid=false]").waitFor()
  await page.getByText("Steps", { exact: true }).click()
  await page.locator("[name=max_steps]").fill("20000")
  await page.locator("[name=sequence_length]").fill("64")
  await page.locator("[name=learning_rate]").fill("1e-3")
  await page.locator("[name=eval_rows]").fill("4")
  await page.locator("[name=sample_tokens]").fill("8")
  await page.locator("[name=name]").fill("long run")
  await page.getByText("The same as text").click()
  await page.getByText("learning_rate: 0.001").waitFor()
  await browser.show(page, "new-job")
  await page.getByRole("button", { name: "Submit job" }).click()
  await page.waitForURL(/\/jobs\/job_/)
}

const stepOf = async (page) => Number.parseInt(await page.locator(".stats dd").first().innerText(), 10)
const pixelsOf = (page) => page.locator(".chart.loss canvas").evaluate((canvas) => canvas.toDataURL())

/** Steps and the drawn loss move on a page that nobody touches. */
async function watchItMove(page, seconds = 60) {
  await page.locator(".chart.loss canvas").waitFor({ timeout: 120_000 })
  const [step, pixels] = [await stepOf(page), await pixelsOf(page)]
  await page.waitForFunction((from) => Number.parseInt(document.querySelector(".stats dd")?.innerText ?? "0", 10) > from + 3, step, {
    timeout: seconds * 1000,
  })
  await page.waitForFunction((from) => document.querySelector(".chart.loss canvas")?.toDataURL() !== from, pixels)
}

/** A second tab shows the same and opens no stream of its own. */
async function openSecondTab(browser, page) {
  const streams = () => browser.requests.filter((url) => url.pathname === "/api/v1/stream").length
  const before = streams()
  const second = await browser.newPage()
  await second.goto(page.url())
  await watchItMove(second)
  assert.equal(streams(), before, "the second tab opened a stream of its own")
  await page.close()
  await watchItMove(second)
  assert.equal(streams(), before + 1, "nobody took the stream over")
  return second
}

/** The server goes away: the page says so; it comes back: the page goes on by itself, without a lost or doubled step. */
async function surviveOutage(browser, page) {
  browser.isOutageExpected = true
  await ask("stop the api")
  await page.locator(".banner").waitFor()
  await page.locator(".freshness[data-tone=stale]").waitFor()
  await browser.show(page, "job-server-away")
  await ask("start the api")
  await page.locator(".banner").waitFor({ state: "detached" })
  await page.locator(".freshness[data-tone=live]").waitFor()
  browser.isOutageExpected = false
  await watchItMove(page)
  await page.getByRole("button", { name: "Show as table: Loss" }).click()
  const steps = await page.locator(".chart.loss tbody th").allTextContents()
  assert.ok(steps.length > 3)
  steps.map(Number).forEach((step, at, all) => {
    if (at > 0) assert.ok(step < all[at - 1], `step ${step} after ${all[at - 1]}: lost or doubled`)
  })
  await page.getByRole("button", { name: "Show as chart: Loss" }).click()
}

async function submitShortRun(page) {
  await page.getByRole("link", { name: "Run again" }).click()
  await page.getByText("Copied from").waitFor()
  assert.equal(await page.locator("[name=max_steps]").inputValue(), "20000")
  await page.locator("[name=max_steps]").fill("24")
  await page.locator("[name=name]").fill("short run")
  await page.getByText("Fits on box").waitFor()
  await page.getByRole("button", { name: "Submit job" }).click()
  await page.waitForURL(/\/jobs\/job_/)
  await page.getByText("It is next in line.").waitFor()
  await page.getByText("Every box is busy with an earlier job.").waitFor()
}

async function cancelFromTheList(browser, page) {
  await page.getByRole("link", { name: "Jobs" }).first().click()
  const row = (name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) })
  await row("short run").getByText("next in line").waitFor()
  await browser.show(page, "jobs")
  await page.keyboard.press("/")
  await page.keyboard.type("long")
  await row("short run").waitFor({ state: "detached" })
  assert.match(page.url(), /q=long/)
  await page.keyboard.press("Escape")
  await row("short run").waitFor()
  await page.keyboard.press("j")
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "short run")

  await page.getByRole("button", { name: "Cancel long run" }).click()
  await browser.show(page, "cancel")
  await page.getByRole("button", { name: "Cancel the job" }).click()
  // No reload from here on: both rows change because the stream says so.
  await row("long run").getByText("Cancelled").waitFor({ timeout: 60_000 })
  await row("short run").getByText("Succeeded").waitFor({ timeout: 120_000 })
  await row("short run").getByText("24 / 24").waitFor()
  await page.getByRole("link", { name: "short run" }).click()
}

async function readTheResult(browser, page) {
  await page.getByRole("region", { name: "Result" }).waitFor()
  await page.getByText(/of transfer time hidden|Nothing was transferred/).first().waitFor()
  await page.locator(".lanes-holder canvas").waitFor()
  await page.locator(".log-lines span").first().waitFor()
  await browser.show(page, "job-succeeded")
  await page.getByRole("tab", { name: "Samples" }).click()
  await page.getByRole("heading", { name: "After" }).first().waitFor()
  await browser.show(page, "job-samples")
  await page.getByRole("tab", { name: "History" }).click()
  await page.getByRole("cell", { name: "Succeeded" }).waitFor()
  await browser.show(page, "job-history")
  await page.getByRole("tab", { name: "Config" }).click()
  await page.getByText("max_steps: 24").waitFor()
  await page.getByRole("tab", { name: "Artifacts" }).click()
  const file = page.getByRole("row").filter({ hasText: "model.safetensors" })
  const sha256 = await file.locator("td[title]").getAttribute("title")
  await browser.show(page, "job-artifacts")
  const [download] = await Promise.all([page.waitForEvent("download"), file.getByRole("link").click()])
  assert.equal(download.suggestedFilename(), "model.safetensors")
  const bytes = readFileSync(await download.path())
  assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256)
  say(`downloaded ${bytes.length} bytes, hash as shown`)
}

const browser = await Browser.start({ executable: CHROMIUM ?? "/usr/bin/chromium", screenshots: SCREENSHOTS })
try {
  let page = await browser.newPage()
  await setUp(page)
  say("admin made")
  await browser.show(page, "jobs-empty")
  await signOutAndIn(browser, page)
  await fillForm(browser, page)
  say("submitted")
  await watchItMove(page)
  // Nobody had looked yet: the lanes come from the box because this page asks for them.
  await page.locator(".lanes-holder canvas").waitFor()
  await browser.show(page, "job-running")
  page = await openSecondTab(browser, page)
  say("one stream for two tabs")
  await surviveOutage(browser, page)
  say("outage survived")
  await submitShortRun(page)
  await browser.show(page, "job-queued")
  await cancelFromTheList(browser, page)
  say("cancelled one, the other succeeded")
  await readTheResult(browser, page)
  await page.goto(new URL("/jobs/job_nothing", page.url()).href)
  await page.getByText("There is no such job.").waitFor()
  assert.deepEqual(browser.problems, [])
  say("JOURNEY COMPLETE")
} catch (error) {
  console.error(error)
  console.error([...new Set(browser.problems)].join("\n"))
  process.exitCode = 1
} finally {
  await browser.close()
  process.stdin.unref()
  process.stdin.destroy()
}
