/** Functions that each runtime implements differently. All other source uses Web APIs and `node:` modules. */

/** Functions that the service needs from its runtime. */
export interface Runtime {
  /** Name and version, such as `bun 1.4.5`. */
  readonly name: string
  /** Returns the HMAC-SHA256 of a text in UTF-8. A key that is a string is used as its UTF-8 bytes. */
  hmacSha256(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string
  /** Starts a server. Throws an error with a `code` if the address or port is not available. */
  serve(options: ServeOptions): Server
  /** Returns whether a body could not be read, with this error, because the sender closed the connection. */
  isDisconnect(request: Request, error: unknown): boolean
  /**
   * Sends a POST directly to the address in its URL, bypassing any proxy of the environment. Follows no redirects.
   *
   * Rejects with the reason of the signal. Rejects with an error that has a `code` if there is no valid HTTP response,
   * and without a `code` if the request cannot be sent.
   */
  post(request: PinnedPost): Promise<RawResponse>
  /**
   * Sends a request to a host name, once, and follows no redirects.
   *
   * It uses a new connection: a kept connection can be closed in the meantime, and it would be unknown whether the
   * request arrived. Rejects like `post`.
   */
  fetchOnce(request: NamedRequest): Promise<RawResponse>
  /** Calls `fetch` for a URL on this machine, bypassing any proxy of the environment. */
  fetchDirectly(url: string, options?: DirectOptions): Promise<Response>
  /**
   * Returns the files of a page from an archive: the one with this file name in the binary, otherwise the file itself.
   * Rejects if neither exists. Null if this runtime cannot read archives.
   */
  pageFiles(archive: URL): Promise<PageFile[] | null>
}

/** File of a page. */
export interface PageFile {
  /** Path below the root, without a leading slash. `index.html` is the page itself; all other names contain a hash. */
  path: string
  bytes: Uint8Array
}

/** Options of an HTTP server. */
export interface ServeOptions {
  host: string
  /** Port, or 0 for any free port. */
  port: number
  /**
   * Idle time in milliseconds, at most 240,000, before which a connection must not be closed. Bun also ends a handler
   * that sends nothing for this time.
   */
  keepAliveMs: number
  fetch: (request: Request) => Promise<Response>
}

/** Listening server. */
export interface Server {
  readonly port: number
  /** Returns the network address of the sender of a request. */
  addressOf(request: Request): string
  /** Number of requests being answered. */
  readonly pending: number
  /** Accepts no more requests. Resolves when in-flight requests have been answered, or immediately with `now`. */
  stop(now?: boolean): Promise<void>
}

/** Request to an address that was checked, independent of what its host name resolves to now. */
export interface PinnedPost {
  /** URL with the address as its host. The header `Host` contains the host name. */
  url: string
  /**
   * Host name for TLS (SNI) and the certificate check. Undefined if the URL is plain http or the host is an address
   * itself. Connections are shared only between requests with the same server name.
   */
  serverName: string | undefined
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** Request to a host that the operator or the service configured. */
export interface NamedRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Response with the body exactly as it was sent, because a small compressed body can expand to gigabytes. */
export type RawResponse = Pick<Response, 'status' | 'headers' | 'body' | 'arrayBuffer'>

/** Options of `fetchDirectly`. */
export interface DirectOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}
