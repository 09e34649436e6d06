/** Sends HTTP requests with node:http, which uses no proxy and no shared connections in any runtime. */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { ConnectionError } from './errors.ts'

export interface HttpRequest {
  method: string
  headers?: Record<string, string>
  body?: string
  /** Milliseconds until the complete response must have arrived, or its status line with `isStatusEnough`. */
  timeoutMs: number
  /** Ends the request. */
  signal?: AbortSignal | undefined
  /** True if the body of the response is not needed. */
  isStatusEnough?: boolean
  /** Connections to reuse. By default each request opens its own. */
  agent?: http.Agent
}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Maximum number of bytes of a response. A pulled page has 4 MiB and one event, and a list has less. */
const maxBytes = 16 * 1024 * 1024

/** Sends the request. Redirects are not followed. Throws ConnectionError if no complete response arrives. */
export const sendRequest = async (address: string, request: HttpRequest): Promise<HttpResponse> => {
  const url = new URL(address)
  // Programs listen for `localhost` on either address. Nothing was sent when a connection is refused.
  const hosts = url.hostname === 'localhost' ? ['127.0.0.1', '::1'] : [url.hostname.replace(/^\[|\]$/g, '')]
  for (const [index, host] of hosts.entries())
    try {
      return await sendTo(host, url, request)
    } catch (error) {
      const isRefused = error instanceof ConnectionError && error.reason === 'refused'
      if (!isRefused || index === hosts.length - 1) throw error
    }
  throw new Error('unreachable')
}

const sendTo = (host: string, url: URL, request: HttpRequest): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { method, headers, body = '', timeoutMs, signal, isStatusEnough = false, agent = false } = request
    const isEncrypted = url.protocol === 'https:'
    const sent = (isEncrypted ? https : http).request({
      host,
      port: url.port || (isEncrypted ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method,
      agent,
      ...(isEncrypted && { servername: url.hostname }),
      headers: {
        Host: url.host,
        ...(agent === false && { Connection: 'close' }),
        ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    })
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (reason: string) => {
      finish()
      sent.destroy()
      reject(new ConnectionError(reason, url.origin))
    }
    const onAbort = () => fail('interrupted')
    const timer = setTimeout(() => fail('timed out'), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    sent.on('error', error => fail(describeFailure(error)))
    sent.on('response', response => {
      const { statusCode: status = 0, headers: received } = response
      if (isStatusEnough) {
        finish()
        resolve({ status, headers: received, text: '' })
        return discard(response, timeoutMs)
      }
      readText(response).then(
        text => {
          finish()
          resolve({ status, headers: received, text })
        },
        error => fail(describeFailure(error)),
      )
    })
    if (signal?.aborted) return onAbort()
    sent.end(body)
  })

/** Lets the server finish its response, for a limited time. */
const discard = (response: IncomingMessage, timeoutMs: number): void => {
  const timer = setTimeout(() => response.destroy(), timeoutMs)
  timer.unref()
  response.on('close', () => clearTimeout(timer)).on('error', () => {})
  response.resume()
}

const readText = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    bytes += (part as Buffer).length
    if (bytes > maxBytes) throw Object.assign(new Error(), { code: 'RESPONSE_TOO_LARGE' })
    parts.push(part as Buffer)
  }
  if (!response.complete) throw Object.assign(new Error(), { code: 'ECONNRESET' })
  return Buffer.concat(parts).toString('utf8')
}

const failures: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ConnectionRefused: 'refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ETIMEDOUT: 'timed out',
  RESPONSE_TOO_LARGE: 'response too large',
}

const describeFailure = (error: Error & { code?: string }): string =>
  failures[error.code ?? ''] ?? (error.code || error.message || 'connection lost')
