/** Runtime functions for Bun. */
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { ofetch } from 'ofetch'
import type {
  DirectOptions,
  NamedRequest,
  PageFile,
  PinnedPost,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/**
 * Far above the service's own limit of 1 MiB, so that the service always rejects large bodies with its own error
 * format.
 */
const maxBodyBytes = 2 ** 40
/** Bun's timer has a step of 4 seconds and fires up to one step early; 255 is the maximum of `idleTimeout`. */
const idleSeconds = (ms: number): number => Math.min(255, Math.ceil(ms / 1000) + 4)

const serve = ({ host, port, keepAliveMs, fetch }: ServeOptions): Server => {
  const server = Bun.serve({
    hostname: host,
    port,
    fetch,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleSeconds(keepAliveMs),
    development: false,
    // By default, Bun lets two services share a port, each receiving some of the requests.
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

const isDisconnect = (request: Request, error: unknown): boolean =>
  request.signal.aborted && error instanceof Error && error.name === 'AbortError'

/**
 * Sends a pinned POST. `native` is the plain `fetch` of ofetch.
 *
 * Its `raw` would need retries, parsing and throwing switched off, and copies the headers for every request. It would
 * then return the same Response.
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

/** Sends a request, through the proxy of the environment if one is set. */
const fetchOnce = ({ url, ...request }: NamedRequest): Promise<Response> => {
  const options: BunFetchRequestInit = { ...request, keepalive: false, redirect: 'manual', decompress: false }
  return ofetch.native(url, options)
}

const fetchDirectly = (url: string, options: DirectOptions = {}): Promise<Response> => {
  const direct: BunFetchRequestInit = { ...options, proxy: false }
  return fetch(url, direct)
}

const pageFiles = async (archive: URL): Promise<PageFile[] | null> => {
  const name = basename(archive.pathname)
  const embedded = Bun.embeddedFiles.find(file => 'name' in file && file.name === name)
  if (!embedded && !existsSync(archive)) throw new Error(`${name} is missing. Run "bun run setup".`)
  const files = await new Bun.Archive(await (embedded ?? Bun.file(archive)).arrayBuffer()).files()
  return Promise.all(
    [...files].map(async ([path, file]) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
  )
}

/** Takes half as long as `createHmac`, which creates a stream for each digest. */
const hmacSha256: Runtime['hmacSha256'] = (key, text, encoding) =>
  new Bun.CryptoHasher('sha256', key).update(text).digest(encoding)

export const bun: Runtime = {
  get name() {
    return `bun ${Bun.version}`
  },
  hmacSha256,
  serve,
  isDisconnect,
  post,
  fetchOnce,
  fetchDirectly,
  pageFiles,
}
