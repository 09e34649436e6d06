/** HTTP servers for tests, for any runtime. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HttpServer {
  readonly port: number
  /** Closes every connection, even in the middle of a request. */
  stop(): Promise<void>
}

/** Listens on any free port, or on the given one. */
export const startHttpServer = async (listener: RequestListener, host = '127.0.0.1', port = 0): Promise<HttpServer> => {
  const server = createServer(listener)
  await new Promise<void>((listening, failed) => server.on('error', failed).listen(port, host, listening))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise(stopped => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}

/**
 * Returns a port that was free a moment ago, for a program that gets its port before it starts. It is below those that a
 * system gives to servers without a port of their own, so that none of them takes it meanwhile.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 20; tries++) {
    const port = 10_000 + Math.floor(Math.random() * 5000)
    const server = await startHttpServer(() => {}, '127.0.0.1', port).catch(() => null)
    if (server === null) continue
    await server.stop()
    return port
  }
  throw new Error('No port from 10000 to 14999 is free.')
}
