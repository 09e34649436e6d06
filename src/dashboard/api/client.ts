/** HTTP client of the published API. It is typed by the OpenAPI document, and the query hooks are made from it. */
import createClient, { type Middleware } from 'openapi-fetch'
import createHooks from 'openapi-react-query'
import type { components, paths } from './generated.ts'
import { mayLosePrecision, parseJson } from './json.ts'
import { clearDocsCredentials, selectedWorkspace } from './workspace.ts'

export type Schemas = components['schemas']

/**
 * Timeout in milliseconds of a request, and of the code of a page. The server may still complete a write after the client
 * has timed out.
 */
export const timeoutMs = 20_000

/** Error response of the API, or a request that got no response. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    /** HTTP status. 0 = no response. */
    readonly status: number,
    /** Error code of the document's `Error`, or `unreachable` when there was no response. */
    readonly code: Schemas['Error']['error']['code'] | 'unreachable',
    message: string,
    readonly details: Record<string, string> = {},
    readonly requestId: string | null = null,
    /** Seconds to wait before a retry, if the response gave them. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

/** Returns true if `If-Match` named another version: somebody else changed the record after it was read. */
export const isVersionConflict = (error: unknown): boolean =>
  error instanceof Failure && error.status === 409 && error.details.version !== undefined

type SessionLostHandler = () => void
let onSessionLost: SessionLostHandler = () => {}

/** Registers the callback that runs when a response says that the session has ended. */
export const setSessionLostHandler = (handler: SessionLostHandler): void => {
  onSessionLost = handler
}

/** Reports a lost session for a call that does not use this client. */
export const reportSessionLost = (): void => onSessionLost()

/** Matches the endpoints that start a session. */
const startsSession = (path: string): boolean =>
  /\/v1\/auth\/(sign-in|sso\/(callback|link)|reset-password|accept-invitation)/.test(path)

/** Matches the endpoints that answer 401 to a person who is just signing in. */
const isSigningIn = (path: string): boolean => startsSession(path) || path.endsWith('/v1/auth/session')

const failures: Middleware = {
  onRequest({ request }) {
    const workspace = selectedWorkspace()
    if (workspace) request.headers.set('X-Workspace-Id', workspace)
    return request
  },
  async onResponse({ request, response }) {
    const { pathname } = new URL(request.url)
    if (startsSession(pathname) ? response.ok : response.status === 401) clearDocsCredentials()
    if (response.ok) return withExactNumbers(response)
    if (response.status === 401 && !isSigningIn(pathname)) onSessionLost()
    throw await toFailure(response)
  },
  onError({ error }) {
    return error instanceof Failure ? error : new Failure(0, 'unreachable', 'The service does not answer.')
  },
}

/** Parses JSON without rounding large numbers. The client calls only `json()` on a response with a content length. */
class ExactResponse extends Response {
  override async json() {
    return parseJson(await this.text())
  }
}

const withExactNumbers = async (response: Response): Promise<Response | undefined> => {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return
  const text = await response.text()
  if (!mayLosePrecision(text)) return new Response(text, response)
  const headers = new Headers(response.headers)
  headers.set('Content-Length', String(text.length))
  return new ExactResponse(text, { status: response.status, headers })
}

const toFailure = async (response: Response): Promise<Failure> => {
  const retryAfter = Number(response.headers.get('Retry-After')) || null
  const requestId = response.headers.get('X-Request-Id')
  try {
    const { error, request_id }: Schemas['Error'] = await response.json()
    return new Failure(response.status, error.code, error.message, error.details, request_id, retryAfter)
  } catch {
    return new Failure(
      response.status,
      'internal_error',
      `The service answered ${response.status}.`,
      {},
      requestId,
      retryAfter,
    )
  }
}

const fetchWithTimeout: typeof fetch = Object.assign(
  (input: RequestInfo | URL, init?: RequestInit) => {
    const callerSignal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const timeout = AbortSignal.timeout(timeoutMs)
    return fetch(input, { ...init, signal: callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout })
  },
  { preconnect: () => {} },
)

/** Client that calls the API as the signed-in person. Throws `Failure`. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  fetch: fetchWithTimeout,
})
api.use(failures)

/** `useQuery`, `useInfiniteQuery` and `useMutation` for the paths of the document. */
export const hooks = createHooks(api)
