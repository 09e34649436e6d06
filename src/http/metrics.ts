/** The page for Prometheus: for anyone, or for whoever has its token; beside the other pages, or on a port of its own. */
import { timingSafeEqual } from 'node:crypto'
import { DomainError } from '../domain/errors.ts'
import { newId } from '../domain/ids.ts'
import { hashSecret } from '../domain/secrets.ts'
import { envelopeOf, HttpError, headersFor, statusFor } from './errors.ts'
import { dressing, keptByNobody } from './headers.ts'

export interface MetricsPageDeps {
  metrics: () => Promise<{ text: string; contentType: string }>
  /** Whoever asks must send it; null = anyone may look. */
  token: string | null
}

export const metricsPath = '/metrics'

/** Answers the numbers, or 401 to whoever has not sent the token. */
export const metricsPage =
  ({ metrics, token }: MetricsPageDeps) =>
  async (request: Request): Promise<Response> => {
    if (token !== null && !isSent(token, request)) return refusing(new DomainError('unauthorized', tokenWanted))
    const { text, contentType } = await metrics()
    return new Response(text, { headers: { 'Content-Type': contentType, ...keptByNobody } })
  }

/** What answers on a port of its own: the page, and nothing else. */
export const metricsApp =
  (page: (request: Request) => Promise<Response>): ((request: Request) => Promise<Response>) =>
  async request => {
    const { url, method } = request
    // Not read as a URL: whatever a caller writes for a host might make none of it.
    const path = url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 8)).split(/[?#]/, 1)[0]
    if (path !== metricsPath) return dress(refusing(new DomainError('not_found', `Here is ${metricsPath} alone.`)))
    if (method !== 'GET' && method !== 'HEAD') return dress(refusing(onlyRead(method)))
    const answer = await page(request)
    if (!answer.headers.has('X-Request-Id')) answer.headers.set('X-Request-Id', newId())
    return dress(answer)
  }

/** No browser comes here by name: what is told of https is told on the other port. */
const dress = dressing(false)

const tokenWanted = 'Send the token of METRICS_TOKEN as Authorization: Bearer.'

const onlyRead = (method: string) =>
  new HttpError('method_not_allowed', `${method} is not possible here; this path takes GET, HEAD.`, {
    Allow: 'GET, HEAD',
  })

/** Of texts of one length each, compared in a time that tells nothing of where they differ. */
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
