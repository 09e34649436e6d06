/** What the runtimes do each in their own way. All other source is Web APIs and `node:` modules. */

/** What the service needs of the runtime that carries it. */
export interface Runtime {
  /** Listens; throws an error with a `code` when the address or port cannot be had. */
  serve(options: ServeOptions): Server
  /** Whether a body could not be read, which failed with this error, because its sender went away in the middle of it. */
  brokeOff(request: Request, error: unknown): boolean
  /**
   * Sends a POST straight to the address in its URL, past any proxy of the environment; follows nothing. Rejects with
   * what the signal was aborted with, with an error that has a `code` where nobody answered as HTTP does, and without
   * one where the request itself cannot be sent.
   */
  post(request: PinnedPost): Promise<Answer>
  /**
   * Sends a request to a host by its name, once, whatever becomes of it; follows nothing. Its connection is its own: one
   * that was kept may have been closed meanwhile, and then nobody knows whether the request arrived. Rejects as `post`.
   */
  ask(request: NamedRequest): Promise<Answer>
  /** `fetch` of something on this very machine, which a proxy of the environment would look for on its own. */
  fetchDirectly(url: string, options?: DirectOptions): Promise<Response>
  /**
   * The files of the page with this source, as a browser loads them: those that were compiled into the binary under this
   * name, else bundled from their sources now, which takes a second or two. null where this runtime can do neither.
   */
  pageFiles(name: string, source: URL): Promise<PageFile[] | null>
  /** The same files as one archive, for the binary; only where there are sources. */
  packPage(source: URL): Promise<Uint8Array>
}

/** A file of a page. */
export interface PageFile {
  /** Below the root, without a slash in front; `index.html` is the page itself, all others carry a hash in their name. */
  path: string
  bytes: Uint8Array
}

/** How to serve HTTP. */
export interface ServeOptions {
  host: string
  /** 0 = any free port. */
  port: number
  /**
   * Milliseconds without traffic, at most 240,000, after which a connection may be closed; not before. Bun also ends a
   * handler that sends nothing for as long.
   */
  keepAliveMs: number
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

/** A request to an address that was checked, whatever its host name would lead to by now. */
export interface PinnedPost {
  /** With the address for a host; whose address it is, the header `Host` says. */
  url: string
  /**
   * The host name the certificate is verified against and that TLS asks for; undefined where the URL is plain http or
   * the host is an address itself. Connections are only shared between requests of one server name.
   */
  serverName: string | undefined
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** A request to a host that the operator or the service itself has named. */
export interface NamedRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** An answer whose body is left as it was sent: a small compressed one can expand into gigabytes. */
export type Answer = Pick<Response, 'status' | 'headers' | 'body' | 'arrayBuffer'>

/** What of `fetch` is used on this machine. */
export interface DirectOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}
