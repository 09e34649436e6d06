/** Serves the Prometheus metrics, optionally protected by a token, with the other pages or on a separate port. */
import { timingSafeEqual } from 'node:crypto'
import { DomainError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { hashSecret } from '../core/secrets.ts'
import { envelopeOf, HttpError, headersFor, statusFor } from './errors.ts'
import { headerWriter, noStore } from './headers.ts'

export interface MetricsPageDeps {
  metrics: () => Promise<{ text: string; contentType: string }>
  /** Token that callers must send. Null means that no token is required. */
  token: string | null
}

export const metricsPath = '/metrics'

/** Answers with the metrics, or with 401 if the token is missing or wrong. */
export const metricsPage =
  ({ metrics, token }: MetricsPageDeps) =>
  async (request: Request): Promise<Response> => {
    if (token !== null && !hasToken(token, request)) return errorResponse(new DomainError('unauthorized', tokenHint))
    const { text, contentType } = await metrics()
    return new Response(text, { headers: { 'Content-Type': contentType, ...noStore } })
  }

/** Handles requests on the separate port. It serves only the metrics page, which sets `X-Request-Id`. */
export const metricsApp =
  (page: (request: Request) => Promise<Response>): ((request: Request) => Promise<Response>) =>
  async request => {
    const { url, method } = request
    // Avoids parsing the URL, because the caller chooses the host and may make the URL invalid.
    const path = url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 8)).split(/[?#]/, 1)[0]
    if (path !== metricsPath)
      return addHeaders(errorResponse(new DomainError('not_found', `This port only serves ${metricsPath}.`)))
    if (method !== 'GET' && method !== 'HEAD') return addHeaders(errorResponse(methodNotAllowed(method)))
    return addHeaders(await page(request))
  }

/** The separate port serves no https, so answers carry no `Strict-Transport-Security`. */
const addHeaders = headerWriter(false)

const tokenHint = 'Send the token of METRICS_TOKEN as Authorization: Bearer.'

const methodNotAllowed = (method: string) =>
  new HttpError('method_not_allowed', `The method ${method} is not allowed for this path. Use one of: GET, HEAD.`, {
    Allow: 'GET, HEAD',
  })

/** Compares hashes of equal length in constant time, so that timing reveals nothing about the token. */
const hasToken = (token: string, { headers }: Request): boolean => {
  const sentToken = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return sentToken !== undefined && timingSafeEqual(Buffer.from(hashSecret(sentToken)), Buffer.from(hashSecret(token)))
}

const errorResponse = (error: DomainError): Response => {
  const requestId = newId()
  return Response.json(envelopeOf(error, requestId), {
    status: statusFor(error),
    headers: { 'X-Request-Id': requestId, ...noStore, ...headersFor(error) },
  })
}
