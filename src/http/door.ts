/** What every request passes, in the order in which refusals are told (contract 3.1). */
import { Type } from '@sinclair/typebox'
import type { Database } from '../db/client.ts'
import { DomainError, type ErrorCode } from '../domain/errors.ts'
import { senderOf } from '../domain/events/index.ts'
import { newId } from '../domain/ids.ts'
import type { RefusalLog } from '../domain/refusals/index.ts'
import { validator } from '../domain/validate.ts'
import type { Log } from '../platform/log.ts'
import type { Authenticator, Identity } from './auth.ts'
import { readJsonObject } from './body.ts'
import { envelopeOf, HttpError, refusalOf, statusOf } from './errors.ts'
import type { Answer, Call, Feature, Operation, PublicOperation } from './operation.ts'
import { queryValidator } from './query.ts'
import type { RateLimiter } from './rate-limit.ts'

export interface DoorDeps {
  sql: Database
  authenticator: Authenticator
  limiter: RateLimiter
  refusals: RefusalLog
  log: Log
  /** Told of every answer; `path` is the operation's, or null where there is none. */
  onAnswer: (method: string, path: string | null, status: number) => void
}

/** A request's way through the door, for its log line. */
interface Passage {
  request: Request
  requestId: string
  startedAt: number
  /** The operation's path, or the text that was asked for. */
  path: string
  operation: Operation | null
  identity: Identity | null
}

export class Door {
  constructor(private readonly deps: DoorDeps) {}

  /** The handler of one operation. Never throws: every failure is an answer. */
  open(operation: Operation): (request: Request, params: Record<string, string>) => Promise<Response> {
    const bodyOf = bodyReader(operation)
    const queryOf = queryValidator(operation.query ?? noQuery)
    return (request, params) =>
      this.#pass(request, operation.path, operation, async passage => {
        const sessionToken = await this.#admit(operation, request, passage)
        const url = operation.query ? new URL(request.url) : null
        const call = {
          request,
          params,
          body: await bodyOf(request),
          query: (url ? queryOf(url.searchParams) : {}) as never,
          requestId: passage.requestId,
          identity: passage.identity,
          sessionToken,
        }
        return this.#run(operation, call)
      })
  }

  /** The answer where no operation is: unknown path, or known path and wrong method. */
  async refuse(request: Request, pathname: string, allowed: string[], keyMayReach: boolean): Promise<Response> {
    return this.#pass(request, pathname, null, async passage => {
      const { authenticator } = this.deps
      // Of a person the credential alone: what they may do, and where, comes after whether there is anything to be done.
      if (!request.headers.has('x-api-key')) await authenticator.livingSession(request)
      else {
        passage.identity = await authenticator.identify(request)
        if (!keyMayReach) throw keyOutside()
      }
      if (allowed.length === 0)
        throw new DomainError(
          'not_found',
          `There is no path ${pathname}. The paths are shown at /docs and listed in /openapi.json.`,
        )
      const allow = allowed.join(', ')
      throw new HttpError('method_not_allowed', `${request.method} is not possible here; this path takes ${allow}.`, {
        Allow: allow,
      })
    })
  }

  /** The answer to what failed before any operation was reached. */
  fail(request: Request, pathname: string, error: unknown): Promise<Response> {
    return this.#pass(request, pathname, null, () => Promise.reject(error))
  }

  async #pass(
    request: Request,
    path: string,
    operation: Operation | null,
    work: (passage: Passage) => Promise<Answer>,
  ): Promise<Response> {
    const passage: Passage = {
      request,
      requestId: newId(),
      startedAt: performance.now(),
      path,
      operation,
      identity: null,
    }
    try {
      return this.#respond(await work(passage), passage)
    } catch (error) {
      return this.#respondFailure(error, passage)
    }
  }

  /** Answers the token of the session, where there is one. */
  async #admit(operation: Operation, request: Request, passage: Passage): Promise<string | null> {
    const { access, feature } = operation
    if (access === 'anyone' || access === 'session') await this.#refuseKey(request)
    if (access === 'anyone') return null
    if (access === 'session') return this.#admitSession(request)
    const identity = await this.deps.authenticator.identify(request)
    passage.identity = identity
    if (identity?.caller.type === 'api_key' && access !== 'key or member') throw keyOutside()
    if (!identity) throw new DomainError('unauthorized', credentialWanted(access === 'key or member'))
    if (access === 'owner' && !(identity.caller.type === 'user' && identity.caller.role === 'owner')) {
      throw new DomainError('forbidden', 'Only an owner of the workspace may do this.')
    }
    this.#requireFeatures(identity, feature)
    this.deps.limiter.admit(identity.caller)
    return identity.session?.token ?? null
  }

  async #admitSession(request: Request): Promise<string> {
    const session = await this.deps.authenticator.livingSession(request)
    if (!session) throw new DomainError('unauthorized', credentialWanted(false))
    this.deps.limiter.admit({ type: 'user', id: session.row.userId })
    return session.token
  }

  /** An API key that is presented is judged, and reaches nothing here. */
  async #refuseKey(request: Request): Promise<void> {
    if (!request.headers.has('x-api-key')) return
    await this.deps.authenticator.identify(request)
    throw keyOutside()
  }

  #requireFeatures({ caller, features }: Identity, feature: Feature | undefined): void {
    const wanted: (Feature | undefined)[] = [feature, caller.type === 'api_key' ? 'api' : undefined]
    const missing = wanted.find(name => name !== undefined && features[name] !== true)
    if (missing === undefined) return
    throw new DomainError(
      'feature_not_available',
      `The workspace's plan does not include ${missing}. Upgrade the plan to use it.`,
    )
  }

  #run(operation: Operation, call: Call<never, never>): Promise<Answer> {
    if (needsNoCaller(operation)) return operation.handle(call)
    return operation.handle({ sql: this.deps.sql, caller: call.identity!.caller }, call)
  }

  #respond({ status, body, headers }: Answer, passage: Passage): Response {
    this.#log(passage, status)
    if (body === undefined)
      return new Response(null, { status, headers: { ...headers, 'X-Request-Id': passage.requestId } })
    return json(status, body, passage.requestId, headers)
  }

  #respondFailure(error: unknown, passage: Passage): Response {
    if (callerWentAway(error, passage)) return this.#respond({ status: clientClosedRequest }, passage)
    const refusal = refusalOf(error)
    const status = statusOf[refusal.code]
    if (refusal !== error) this.deps.log.error({ error, requestId: passage.requestId }, 'a request failed')
    else if (passage.operation?.keepsRefusals) this.#keep(refusal, status, passage)
    this.#log(passage, status, refusal.code)
    const headers = refusal instanceof HttpError ? refusal.headers : undefined
    return json(status, envelopeOf(refusal, passage.requestId), passage.requestId, headers)
  }

  /** What the caller is about to be told, for the list of what was not accepted. It is written after the answer. */
  #keep(error: DomainError, status: number, { identity, request, path, requestId }: Passage): void {
    if (!identity) return
    const { workspaceId } = identity.caller
    const sender = senderOf(request.headers.get('user-agent'))
    this.deps.refusals.keep({
      workspaceId,
      sender,
      method: request.method,
      path,
      status,
      error,
      requestId,
      at: new Date(),
    })
  }

  #log(passage: Passage, status: number, code?: ErrorCode): void {
    const { request, requestId, startedAt, path, operation, identity } = passage
    const { method } = request
    this.deps.onAnswer(method, operation ? path : null, status)
    const caller = identity?.caller
    this.deps.log.info(
      {
        requestId,
        method,
        path,
        status,
        code,
        ms: Math.round(performance.now() - startedAt),
        workspaceId: caller?.workspaceId,
        caller: caller?.id,
      },
      'request',
    )
  }
}

const needsNoCaller = (operation: Operation): operation is PublicOperation =>
  operation.access === 'anyone' || operation.access === 'session'

/** No answer reaches anybody: the status is for the log and the metrics. */
const clientClosedRequest = 499

/** Gone in the middle of its body. That is no fault of ours, and no refusal. */
const callerWentAway = (error: unknown, { request }: Passage): boolean =>
  request.signal.aborted && error instanceof Error && error.name === 'AbortError'

const noQuery = Type.Object({})

const bodyReader = ({ body }: Operation): ((request: Request) => Promise<never>) => {
  if (!body) return async () => undefined as never
  const validate = validator(body)
  return async request => validate(await readJsonObject(request)) as never
}

const keyOutside = () =>
  new DomainError(
    'forbidden',
    'An API key reaches only /v1/events and /v1/customers and what is under them. This is done by a signed-in person.',
  )

const credentialWanted = (keyWillDo: boolean): string =>
  keyWillDo
    ? 'Send an API key in the header X-API-Key, or the token of a signed-in person as Authorization: Bearer.'
    : 'Sign in at POST /v1/auth/sign-in and send the token as Authorization: Bearer.'

const json = (status: number, body: unknown, requestId: string, headers?: Record<string, string>): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId, ...headers },
  })
