/** What only Bun has. */
import { ofetch } from 'ofetch'
import type { DirectOptions, NamedRequest, PinnedPost, Runtime, ServeOptions, Server } from './runtime-interface.ts'

/** Far above the service's own limit of 1 MiB, so that it is always the service that answers, with its envelope. */
const maxBodyBytes = 2 ** 40
/** Seconds without traffic; the default of 10 would also end slow handlers. */
const idleSeconds = 30

const serve = ({ host, port, fetch }: ServeOptions): Server => {
  const server = Bun.serve({
    hostname: host,
    port,
    fetch,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleSeconds,
    development: false,
    // Bun would else let two services share a port, each answering some of the requests.
    reusePort: false,
    error: () => new Response(null, { status: 500 }),
  })
  return {
    port: server.port ?? port,
    addressOf: request => server.requestIP(request)?.address ?? 'unknown',
    get pending() {
      return server.pendingRequests
    },
    stop: now => server.stop(now),
  }
}

const brokeOff = (request: Request, error: unknown): boolean =>
  request.signal.aborted && error instanceof Error && error.name === 'AbortError'

/**
 * `native` is ofetch's way to the plain `fetch`. Its `raw` would do only with retries, parsing and throwing each
 * switched off, and still copies the headers into an object of its own for every request; what it returns is then
 * the very same Response.
 */
const post = ({ url, serverName, headers, body, signal }: PinnedPost): Promise<Response> => {
  const options: BunFetchRequestInit = {
    method: 'POST',
    redirect: 'manual',
    proxy: false,
    decompress: false,
    headers,
    body,
    signal,
  }
  if (serverName !== undefined) options.tls = { serverName }
  return ofetch.native(url, options)
}

/** Through a proxy of the environment, where there is one. */
const ask = ({ url, ...request }: NamedRequest): Promise<Response> => {
  const options: BunFetchRequestInit = { ...request, keepalive: false, redirect: 'manual', decompress: false }
  return ofetch.native(url, options)
}

const fetchDirectly = (url: string, options: DirectOptions = {}): Promise<Response> => {
  const direct: BunFetchRequestInit = { ...options, proxy: false }
  return fetch(url, direct)
}

export const bun: Runtime = { serve, brokeOff, post, ask, fetchDirectly }
