/** Server on a free port of the loopback interface, for the receivers of the demo. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export class LocalServer {
  readonly #server: Server

  constructor(onRequest: RequestListener) {
    this.#server = createServer(onRequest)
  }

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
