import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { readStream, type StreamNews } from "./stream-reader"

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const message = (id: number) =>
  `id: ${id}\nevent: step.completed\ndata: {"event_id": ${id}, "event": {"kind": "step.completed"}}\n\n`

const sends =
  (text: string, isEnding = true): Answer =>
  (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" })
    response.write(text)
    if (isEnding) response.end()
  }

/** What a reader tells, against a real server that answers each connection in turn, until `isEnough`. */
async function follow(answers: Answer[], isEnough: (news: StreamNews[]) => boolean, lastId: number | null = null) {
  const asked: (string | undefined)[] = []
  server = createServer((request, response) => {
    asked.push(request.headers["last-event-id"]?.toString())
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    answer?.(request, response)
  })
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const news: StreamNews[] = []
  const stop = new AbortController()
  await readStream({
    url: `http://127.0.0.1:${port}/stream`,
    lastId,
    signal: stop.signal,
    onNews: (one) => {
      news.push(one)
      if (isEnough(news)) stop.abort()
    },
  })
  const ids = news.flatMap((one) => (one.kind === "events" ? one.events.map((event) => event.event_id) : []))
  const openings = news.flatMap((one) => (one.kind === "opened" ? [one.fresh] : []))
  return { asked, ids, openings, news }
}

it("resumes after the last event it has heard, and says that nothing was missed", async () => {
  const told = await follow([sends(message(7) + message(8)), sends(message(9), false)], (news) => count(news) === 3)
  expect(told.asked).toEqual([undefined, "8"])
  expect(told.ids).toEqual([7, 8, 9])
  expect(told.openings).toEqual([true, false])
})

it("starts over after a reset, and says that a snapshot is due", async () => {
  const reset = sends(`${message(7)}event: reset\ndata: {}\n\n`, false)
  const told = await follow([reset, sends(message(100), false)], (news) => count(news) === 2, 6)
  expect(told.asked).toEqual(["6", undefined])
  expect(told.ids).toEqual([7, 100])
  expect(told.openings).toEqual([false, true])
})

it("hears heartbeats, which are no events", async () => {
  const told = await follow([sends(": heartbeat\n\n", false)], (news) => news.some((one) => one.kind === "heard"))
  expect(told.ids).toEqual([])
})

it("counts failures until a connection stands, and stops when the session has ended", async () => {
  const fails: Answer = (_request, response) => response.writeHead(503).end()
  const ends: Answer = (_request, response) => response.writeHead(401).end()
  const told = await follow([fails, sends(message(1)), ends], () => false)
  expect(
    told.news.map((one) => (one.kind === "lost" ? one.failures : one.kind)).filter((one) => one !== "heard"),
  ).toEqual([1, "opened", "events", 1, "signed-out"])
})

const count = (news: StreamNews[]): number =>
  news.reduce((sum, one) => sum + (one.kind === "events" ? one.events.length : 0), 0)
