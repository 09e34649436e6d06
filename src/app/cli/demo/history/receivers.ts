/** Receivers of the two endpoints of the history. They keep running, because today's webhooks reach them, too. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LocalServer } from '../local-server.ts'

export class HistoryReceiver extends LocalServer {
  /** True while it answers every webhook with 503. */
  fails = false

  /** `latencyMs` returns the time that it takes for one webhook. */
  constructor(latencyMs: () => number) {
    super(async (request, response) => {
      request.resume()
      await sleep(latencyMs())
      response.writeHead(this.fails ? 503 : 204).end()
    })
  }
}
