import { createServer } from 'node:net'
import { EmbeddedPostgresError } from './failure.ts'

/**
 * A free port of 127.0.0.1: the wished one if it is free, else a random one.
 *
 * Below the range that systems give to outgoing connections: from inside it, a client that keeps trying to reach a
 * stopped server can be given the server's own port, connect to itself, and keep the server from coming back.
 */
export const freePort = async (wish?: number): Promise<number> => {
  const random = Array.from({ length: 50 }, () => 15_000 + Math.floor(Math.random() * 17_000))
  for (const port of wish ? [wish, ...random] : random) if (await isFree(port)) return port
  throw new EmbeddedPostgresError('No free port was found for the embedded PostgreSQL between 15000 and 32000.')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)))
  })
