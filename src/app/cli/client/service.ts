/** Calls the API of a service with an access token. */
import { readEnvironment } from './environment.ts'
import { ClientError } from './errors.ts'
import { type HttpResponse, sendRequest } from './http.ts'

/** Options that every client command has. */
export const serviceOptions = { url: { type: 'string' }, token: { type: 'string' } } as const

/** Lines about these options, for the usage of a command. */
export const serviceOptionsHelp = `  --url BASE     address of the service (default http://127.0.0.1:3000, or CUSTOMER_ENGAGEMENT_URL)
  --token TOKEN  access token of a person or service account (or CUSTOMER_ENGAGEMENT_TOKEN, which keeps it out of
                 the list of processes)`

/** A service and the credential for it. */
export interface Service {
  /** Base address without a slash at the end. */
  url: string
  token: string
}

const defaultUrl = 'http://127.0.0.1:3000'

/** Returns the service of the options, or else of the environment. Throws ClientError. */
export const readService = (options: { url?: string | undefined; token?: string | undefined }): Service => {
  const { url, token } = readEnvironment()
  return { url: readUrl(options.url ?? url ?? defaultUrl), token: readToken(options.token ?? token) }
}

const readUrl = (text: string): string => {
  const url = parseHttpUrl(text)
  if (!url || url.username || url.search || url.hash)
    throw new ClientError(`--url must be an http or https address such as ${defaultUrl}, not "${text}".`, 2)
  return url.href.replace(/\/+$/, '')
}

/** Returns null unless the text is an http or https address. */
export const parseHttpUrl = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

const readToken = (token = ''): string => {
  const howTo = 'Create an access token under "Account" in the dashboard, and pass it with --token.'
  if (token === '') throw new ClientError(`The access token is missing. ${howTo}`, 2)
  if (token.startsWith('ces_')) throw new ClientError(`This is an API key, not an access token. ${howTo}`, 2)
  if (!/^[\w-]+$/.test(token)) throw new ClientError(`The access token is not valid. ${howTo}`, 2)
  return token
}

export interface Call {
  body?: unknown
  headers?: Record<string, string>
  /** Defaults to 30 seconds. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/** Sends a call and returns any response. Throws ConnectionError. */
export const sendCall = (service: Service, method: string, path: string, call: Call = {}): Promise<HttpResponse> =>
  sendRequest(`${service.url}${path}`, {
    method,
    timeoutMs: call.timeoutMs ?? 30_000,
    signal: call.signal,
    headers: {
      Authorization: `Bearer ${service.token}`,
      Accept: 'application/json',
      'User-Agent': 'customer-engagement-cli',
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  })

/** Returns the body of a successful call. Throws ApiError for another status, and ConnectionError. */
export const callService = async <T>(service: Service, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await sendCall(service, method, path, { body })
  if (response.status >= 200 && response.status < 300) return (response.text ? JSON.parse(response.text) : null) as T
  throw toApiError(service, response)
}

/** An error response. The message is that of the service. */
export class ApiError extends ClientError {
  override readonly name = 'ApiError'

  constructor(
    message: string,
    readonly httpStatus: number,
    /** Details of the error, by field (contract 5.1). */
    readonly details: Record<string, unknown>,
  ) {
    super(message)
  }
}

/** Reads an error response. The text of a proxy is replaced by a sentence. */
export const toApiError = ({ url }: Service, { status, text }: HttpResponse): ApiError => {
  const { error } = parseObject(text) as { error?: { message?: unknown; details?: Record<string, unknown> } }
  const message = typeof error?.message === 'string' ? error.message : `${url} responded with the status ${status}.`
  return new ApiError(message, status, error?.details ?? {})
}

/** Returns the parsed text, or an empty object if it is no JSON object. */
const parseObject = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The person and the workspace of the token. */
export interface Session {
  workspace: { id: string; name: string }
  role: string
  token: { access: 'read' | 'write' } | null
}

/** Checks the token. Throws ClientError with one sentence. */
export const readSession = async (service: Service): Promise<Session> => {
  try {
    return await callService<Session>(service, 'GET', '/v1/auth/session')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.httpStatus === 401)
      throw new ClientError(`The token is not valid at ${service.url}. It may have expired or been revoked.`)
    throw error
  }
}
