/**
 * What only Bun has, kept in one place: the rest of the source is Web APIs and `node:` modules.
 */

/**
 * Options of `fetch` for a request whose URL holds an IP address that was checked, and whose `Host` header says whose
 * address it is. The connection goes straight there, past any proxy of the environment, and what comes back is left
 * as it was sent: a small compressed body can expand into gigabytes.
 *
 * @param serverName the host name the certificate is verified against and that TLS asks for; undefined where the URL
 *   is plain http or names an IP address itself. Connections are only shared between requests of one server name.
 */
export const pinnedFetchOptions = (serverName: string | undefined): RequestInit => {
  const options: BunFetchRequestInit = { proxy: false, decompress: false }
  if (serverName !== undefined) options.tls = { serverName }
  return options
}

/** `fetch` of something on this very machine, which a proxy of the environment would look for on its own. */
export const fetchDirectly = (url: string, options: RequestInit = {}): Promise<Response> => {
  const direct: BunFetchRequestInit = { ...options, proxy: false }
  return fetch(url, direct)
}

/** How to serve HTTP. */
export interface ServeOptions {
  host: string
  /** 0 = any free port. */
  port: number
  fetch: (request: Request) => Promise<Response>
}

/** A listening server. */
export interface Server {
  readonly port: number
  /** The network address a request came from. */
  addressOf(request: Request): string
  /** Requests that are being answered. */
  readonly pending: number
  /** Accepts no more; resolves when what is under way has been answered, or at once with `now`. */
  stop(now?: boolean): Promise<void>
}

/** Far above the service's own limit of 1 MiB, so that it is always the service that answers, with its envelope. */
const maxBodyBytes = 2 ** 40
/** Seconds without traffic; the default of 10 would also end slow handlers. */
const idleSeconds = 30

/** Listens; throws when the address or port cannot be had. */
export const serve = ({ host, port, fetch }: ServeOptions): Server => {
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
