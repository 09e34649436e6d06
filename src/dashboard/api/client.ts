/** The way to the published interface: one client, typed by its document, and the hooks made from it. */
import createClient, { type Middleware } from 'openapi-fetch'
import createHooks from 'openapi-react-query'
import type { components, paths } from './generated.ts'
import { mayBeRounded, parseJson } from './json.ts'
import { chosenWorkspace } from './workspace.ts'

export type Schemas = components['schemas']

/** How long an answer may take before it is given up; a write may have been carried out all the same. */
const patienceMs = 20_000

/** What the interface answered in the place of what was asked for, or why it answered nothing. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    /** 0 = there was no answer. */
    readonly status: number,
    /** As in the document's `Error`; `unreachable` where nothing answered. */
    readonly code: Schemas['Error']['error']['code'] | 'unreachable',
    message: string,
    readonly details: Record<string, string> = {},
    readonly requestId: string | null = null,
    /** Seconds to wait, where the answer said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

type Lost = () => void
let onSessionLost: Lost = () => {}

/** Who is told when an answer says that nobody is signed in any more. */
export const whenSessionIsLost = (told: Lost): void => {
  onSessionLost = told
}

/** Says so for a call that does not go by this client. */
export const sessionIsLost = (): void => onSessionLost()

/** These answer 401 to somebody who is only about to sign in. */
const isSigningIn = (url: string): boolean =>
  /\/v1\/auth\/(sign-in|reset-password|accept-invitation|session$)/.test(url)

const failures: Middleware = {
  onRequest({ request }) {
    const workspace = chosenWorkspace()
    if (workspace) request.headers.set('X-Workspace-Id', workspace)
    return request
  },
  async onResponse({ request, response }) {
    if (response.ok) return withAllDigits(response)
    if (response.status === 401 && !isSigningIn(new URL(request.url).pathname)) onSessionLost()
    throw await failureOf(response)
  },
  onError({ error }) {
    return error instanceof Failure ? error : new Failure(0, 'unreachable', 'The service does not answer.')
  },
}

/** The client would read numbers as doubles. It asks `json()` of an answer that says how long it is, and nothing else. */
class ExactAnswer extends Response {
  override async json() {
    return parseJson(await this.text())
  }
}

const withAllDigits = async (response: Response): Promise<Response | undefined> => {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return
  const text = await response.text()
  if (!mayBeRounded(text)) return new Response(text, response)
  const headers = new Headers(response.headers)
  headers.set('Content-Length', String(text.length))
  return new ExactAnswer(text, { status: response.status, headers })
}

const failureOf = async (response: Response): Promise<Failure> => {
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

const withPatience: typeof fetch = Object.assign(
  (input: RequestInfo | URL, init?: RequestInit) => {
    const given = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const patience = AbortSignal.timeout(patienceMs)
    return fetch(input, { ...init, signal: given ? AbortSignal.any([given, patience]) : patience })
  },
  { preconnect: () => {} },
)

/** Calls the interface as the signed-in person. Throws `Failure`. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin', fetch: withPatience })
api.use(failures)

/** `useQuery`, `useInfiniteQuery`, `useMutation` over the paths of the document. */
export const hooks = createHooks(api)
