/** Receivers of the two endpoints of the history. They keep running, because today's webhooks reach them, too. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export class HistoryReceiver {
  /** True while it answers every webhook with 503. */
  fails = false
  readonly #server: Server

  /** `latencyMs` returns the time that it takes for one webhook. */
  constructor(latencyMs: () => number) {
    this.#server = createServer(async (request, response) => {
      request.resume()
      await sleep(latencyMs())
      response.writeHead(this.fails ? 503 : 204).end()
    })
  }

  /** Listens on a free port of the loopback interface. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', resolve)
    })
  }

  /** Address as `host:port`. */
  get target(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}
