/** Serves the Prometheus metrics, optionally protected by a token, with the other pages or on a separate port. */
import { timingSafeEqual } from 'node:crypto'
import { DomainError } from '../domain/errors.ts'
import { newId } from '../domain/ids.ts'
import { hashSecret } from '../domain/secrets.ts'
import { envelopeOf, HttpError, headersFor, statusFor } from './errors.ts'
import { dressing, keptByNobody } from './headers.ts'

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
    if (token !== null && !isSent(token, request)) return refusing(new DomainError('unauthorized', tokenWanted))
    const { text, contentType } = await metrics()
    return new Response(text, { headers: { 'Content-Type': contentType, ...keptByNobody } })
  }

/** Handles requests on the separate port. It serves only the metrics page. */
export const metricsApp =
  (page: (request: Request) => Promise<Response>): ((request: Request) => Promise<Response>) =>
  async request => {
    const { url, method } = request
    // Avoids parsing the URL, because the caller chooses the host and may make the URL invalid.
    const path = url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 8)).split(/[?#]/, 1)[0]
    if (path !== metricsPath) return dress(refusing(new DomainError('not_found', `Here is ${metricsPath} alone.`)))
    if (method !== 'GET' && method !== 'HEAD') return dress(refusing(onlyRead(method)))
    const answer = await page(request)
    if (!answer.headers.has('X-Request-Id')) answer.headers.set('X-Request-Id', newId())
    return dress(answer)
  }

/** The separate port serves no https, so answers carry no `Strict-Transport-Security`. */
const dress = dressing(false)

const tokenWanted = 'Send the token of METRICS_TOKEN as Authorization: Bearer.'

const onlyRead = (method: string) =>
  new HttpError('method_not_allowed', `${method} is not possible here; this path takes GET, HEAD.`, {
    Allow: 'GET, HEAD',
  })

/** Compares hashes of equal length in constant time, so that timing reveals nothing about the token. */
const isSent = (token: string, { headers }: Request): boolean => {
  const sent = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return sent !== undefined && timingSafeEqual(Buffer.from(hashSecret(sent)), Buffer.from(hashSecret(token)))
}

const refusing = (refusal: DomainError): Response => {
  const requestId = newId()
  return Response.json(envelopeOf(refusal, requestId), {
    status: statusFor(refusal),
    headers: { 'X-Request-Id': requestId, ...keptByNobody, ...headersFor(refusal) },
  })
}
