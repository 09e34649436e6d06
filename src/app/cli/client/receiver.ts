/** A receiver on this machine that verifies every webhook, for a first look without own code. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSigned } from './sign.ts'

export interface Receiver {
  url: string
  stop(): void
}

/** Maximum size of a body. Webhooks are smaller. */
const maxBytes = 1024 * 1024

/**
 * Starts the receiver on a free port of 127.0.0.1. It answers 200 if both signatures are valid, 413 to a body that is
 * too large, and otherwise 401.
 */
export const startReceiver = async (secret: string): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes <= maxBytes) parts.push(part)
    }
    const body = Buffer.concat(parts).toString('utf8')
    const isValid = isSigned(request.headers, body, secret, Math.floor(Date.now() / 1000))
    response.writeHead(bytes > maxBytes ? 413 : isValid ? 200 : 401).end()
  })
  await new Promise<void>((listening, failed) => server.on('error', failed).listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
