/** Server-sent events, parsed as they arrive. Unlike EventSource this also sees comments, the stream's heartbeat. */

export type SseMessage = { id: string | null; event: string; data: string }

export class SseParser {
  #rest = ""
  #id: string | null = null
  #event = ""
  #data: string[] = []

  /** Complete messages in this piece of text; the unfinished end waits for the next piece. */
  push(text: string): SseMessage[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ""
    const messages: SseMessage[] = []
    for (const line of lines) {
      const message = this.#line(line)
      if (message) messages.push(message)
    }
    return messages
  }

  #line(line: string): SseMessage | null {
    if (line === "") return this.#dispatch()
    if (line.startsWith(":")) return null
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "id") this.#id = value
    else if (field === "event") this.#event = value
    else if (field === "data") this.#data.push(value)
    return null
  }

  #dispatch(): SseMessage | null {
    const event = this.#event || "message"
    const isEmpty = this.#data.length === 0 && this.#event === ""
    const message = { id: this.#id, event, data: this.#data.join("\n") }
    this.#event = ""
    this.#data = []
    return isEmpty ? null : message
  }
}
