/**
 * Request pipeline: authenticates, limits, parses, runs and answers every request. The order of the checks decides
 * which error a caller gets (contract 3.1).
 */

import { Type } from '@sinclair/typebox'
import type { Database } from '../db/client.ts'
import type { Lender } from '../db/lend.ts'
import { LineFull } from '../db/line.ts'
import { DomainError, type ErrorCode, type RefusalText, textOf } from '../domain/errors.ts'
import { senderOf } from '../domain/events/index.ts'
import { newId } from '../domain/ids.ts'
import { jsonOf } from '../domain/json-text.ts'
import type { RefusalLog } from '../domain/refusals/index.ts'
import { validator } from '../domain/validate.ts'
import { keyOutside, type Rule, refusalBy, takesKeys } from '../domain/verb.ts'
import { clock } from '../platform/clock.ts'
import { LimiterFull } from '../platform/keyed-limiter.ts'
import type { Log } from '../platform/log.ts'
import { runtime } from '../platform/runtime.ts'
import { type AnswerLimits, Answers, AnswersFull, type Asked, type Place } from './answers.ts'
import type { Authenticator, Identity, LivingSession } from './auth.ts'
import { Bodies, type Body, type BodyLimits, type Sender } from './bodies.ts'
import { digitsOf, jsonObjectOf, readJson, saysJson } from './body.ts'
import { Computations } from './computations.ts'
import { correlationOf } from './correlation.ts'
import { cursorsOf } from './cursors.ts'
import { changesVersion } from './demands.ts'
import { DatabaseSilent, envelopeOf, HttpError, headersFor, refusalOf, statusFor } from './errors.ts'
import { keptByNobody } from './headers.ts'
import { takeKeyOfHeader } from './idempotency-key.ts'
import {
  type Answer,
  accessOf,
  type Call,
  createdAt,
  type GuardedOperation,
  isGuarded,
  type Operation,
  type PublicOperation,
  type RawBody,
  type Tell,
  type Warning,
} from './operation.ts'
import { queryValidator } from './query.ts'
import type { RateLimiter, Standing } from './rate-limit.ts'
import { ifMatchOf, tagging } from './versions.ts'

export interface DoorDeps {
  /** Connection pool for operations that do not keep a connection. */
  sql: Database
  /** Connections for operations that read, and for operations that write. */
  reads: Lender
  changes: Lender
  authenticator: Authenticator
  limiter: RateLimiter
  refusals: RefusalLog
  log: Log
  /** Returns within 2 seconds whether the database has stopped responding. Called for slow calls. */
  isDatabaseSilent?: () => Promise<boolean>
  /** Called for every failure that is not a DomainError. */
  onFailure?: (error: unknown) => void
  /** Returns the network address of the client. */
  addressOf: (request: Request) => string
  /** Called for every answer. `path` is the operation's path, or null without an operation. */
  onAnswer: (method: string, path: string | null, status: number) => void
}

/** State of a request in the pipeline, also used for its log line. */
interface Passage {
  request: Request
  requestId: string
  startedAt: number
  /** Path pattern of the operation, or the requested path if there is no operation. */
  path: string
  operation: Operation | null
  /** Client address. Null unless it was determined when the request arrived. */
  address: string | null
  identity: Identity | null
  /** Caller that the request was counted for in the rate limit. Null until then. */
  counted: Counted | null
  /** Body, from the time when reading starts. */
  body: Body | null
  /** Permit for a response that is large, or was expected to be large. */
  place: Place | null
}

type Counted = Parameters<RateLimiter['admit']>[0]

/** A serialized answer. */
interface Written extends Omit<Answer, 'body' | 'text' | 'stream'> {
  text: string | ReadableStream<Uint8Array> | null
  isLarge: boolean
}

/**
 * Milliseconds after which a sender is authorized again once the body has arrived. A key may have been revoked during
 * the upload.
 */
const trustedMs = 1000

/**
 * Milliseconds until the first health check of the database during a call, and between the following checks. A check
 * takes at most 2 seconds, so a caller of a frozen database waits less than 10 seconds.
 */
const firstLookMs = 6000
const lookAgainMs = 2000

export class Door {
  readonly #bodies: Bodies
  readonly #answers: Answers
  readonly #computations = new Computations()

  constructor(
    private readonly deps: DoorDeps,
    limits: { bodies?: Partial<BodyLimits>; answers?: Partial<AnswerLimits> } = {},
  ) {
    this.#bodies = new Bodies(limits.bodies)
    this.#answers = new Answers(limits.answers)
  }

  /** Creates the handler of an operation. It never rejects: every failure becomes an answer. */
  open(operation: Operation): (request: Request, params: Record<string, string>) => Promise<Response> {
    const validate = operation.body && validator(operation.body)
    const queryOf = queryReader(operation)
    const cursors = cursorsOf(operation)
    const asksAtOnce = wantsAddress(operation)
    const { addressOf } = this.deps
    const answerOf = this.#answering(operation)
    return (request, params) =>
      this.#pass(request, operation.path, operation, async passage => {
        if (asksAtOnce) passage.address = addressOf(request)
        const admitted = await this.#admit(operation, passage)
        const read = validate ? await this.#readBody(operation, passage, admitted) : null
        if (read && operation.takesKeyHeader) takeKeyOfHeader(request, read.value)
        if (read) operation.beforeShape?.(read.value)
        const body = validate?.(read!.value) as never
        // Runs after validation, so the body is at most as large as the operation allows.
        const digits = read && operation.wantsDigits ? digitsOf(read.bytes) : noDigits
        const session = read ? read.session : admitted
        const { requestId } = passage
        const query = queryOf(request)
        cursors?.open(query, params)
        const call = {
          request,
          params,
          body,
          digits,
          query,
          session,
          // Determined lazily, because it costs more than most of the other fields.
          get address() {
            return passage.address ?? addressOf(request)
          },
          requestId,
        }
        this.#admitRest(operation, call, passage)
        return this.#do(operation, call, passage, done => {
          const answer = answerOf(done, passage)
          cursors?.seal(answer.body, params)
          return this.#write(answer, passage)
        })
      })
  }

  /** Answers a request without an operation: 404 for an unknown path, 405 for an unsupported method. */
  async refuse(request: Request, pathname: string, allowed: string[], keyMayReach: boolean): Promise<Response> {
    return this.#pass(request, pathname, null, async passage => {
      const { authenticator } = this.deps
      // For a person, only the credential is checked. Permissions do not matter where no operation exists.
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

  /** Answers a failure that occurred before an operation was reached. */
  fail(request: Request, pathname: string, error: unknown): Promise<Response> {
    return this.#pass(request, pathname, null, () => Promise.reject(error))
  }

  async #pass(
    request: Request,
    path: string,
    operation: Operation | null,
    work: (passage: Passage) => Promise<Written>,
  ): Promise<Response> {
    const passage: Passage = {
      request,
      requestId: newId(),
      startedAt: performance.now(),
      path,
      operation,
      address: null,
      identity: null,
      counted: null,
      body: null,
      place: null,
    }
    const done = work(passage)
    const giveBack = () => {
      passage.body?.release()
      passage.place?.leave()
    }
    try {
      return await this.#respond(await this.#unlessSilent(done, request), passage)
    } catch (error) {
      if (error instanceof DatabaseSilent) void done.then(giveBack, giveBack)
      return this.#respondFailure(error, passage)
    } finally {
      giveBack()
    }
  }

  /** Returns the result of the work. Rejects with `DatabaseSilent` if the database stops responding before that. */
  #unlessSilent<T>(work: Promise<T>, { method }: Request): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let settled = false
    const look = async () => {
      if (await this.deps.isDatabaseSilent?.()) reject(new DatabaseSilent(method !== 'GET'))
      else if (!settled) timer = setTimeout(look, lookAgainMs)
    }
    let timer = setTimeout(look, firstLookMs)
    const settle = () => {
      settled = true
      clearTimeout(timer)
    }
    work.then(
      done => {
        settle()
        resolve(done)
      },
      error => {
        settle()
        reject(error)
      },
    )
    return promise
  }

  /** Authorizes the caller and counts the call. Returns the session if there is one. */
  async #admit(operation: Operation, passage: Passage): Promise<LivingSession | null> {
    const session = await this.#judge(operation, passage)
    passage.counted = passage.identity?.caller ?? (session && { type: 'user', id: session.row.userId })
    if (passage.counted) this.deps.limiter.admit(passage.counted)
    return session
  }

  #judge(operation: Operation, passage: Passage): Promise<LivingSession | null> {
    if (isGuarded(operation)) return this.#judgeCaller(operation.verb.rule, passage)
    return this.#judgeAnyone(operation.access, passage.request)
  }

  /** Checks the rule before the call is counted and the body is read. The verb checks the rule again. */
  async #judgeCaller(rule: Rule, passage: Passage): Promise<LivingSession | null> {
    const identity = await this.deps.authenticator.identify(passage.request)
    passage.identity = identity
    if (!identity) throw new DomainError('unauthorized', credentialWanted(takesKeys(rule.by)))
    if (takesKeys(rule.by)) refuseOtherWorkspace(identity, passage.request)
    const refusal = refusalBy(rule, identity.caller)
    if (refusal) throw refusal
    return identity.session
  }

  /** Counts the remaining calls of a request that counts as several. The first was counted before the body was read. */
  #admitRest(operation: Operation, call: Call<never, never>, { identity }: Passage): void {
    if (isGuarded(operation) && operation.calls)
      this.deps.limiter.admitRest(identity!.caller, operation.calls(call) - 1)
  }

  async #judgeAnyone(access: PublicOperation['access'], request: Request): Promise<LivingSession | null> {
    await this.#refuseKey(request)
    if (access === 'anyone') return null
    const session = await this.deps.authenticator.livingSession(request)
    if (!session) throw new DomainError('unauthorized', credentialWanted(false))
    return session
  }

  /** Verifies an API key if one is sent, and then rejects it, because keys cannot use this operation. */
  async #refuseKey(request: Request): Promise<void> {
    if (!request.headers.has('x-api-key')) return
    await this.deps.authenticator.identify(request)
    throw keyOutside()
  }

  /** Reads the body, which is not yet validated. Also returns the session, checked again if the upload was slow. */
  async #readBody(
    operation: Operation,
    passage: Passage,
    session: LivingSession | null,
  ): Promise<{ value: Record<string, unknown>; bytes: Uint8Array; session: LivingSession | null }> {
    const { request } = passage
    if (isPassedOver(operation, request)) return { value: {}, bytes: new Uint8Array(), session }
    const startedAt = performance.now()
    const body = this.#bodies.take(request, this.#senderOf(passage))
    passage.body = body
    const bytes = await readJson(request, body, mostBytes(operation))
    const tookLong = performance.now() - startedAt > trustedMs
    const judged = tookLong ? await this.#judge(operation, passage) : session
    return { value: jsonObjectOf(bytes, body), bytes, session: judged }
  }

  /** Runs the operation and serializes the answer before the connection is released, so that its size is known. */
  async #do(
    operation: Operation,
    call: Call<never, never>,
    passage: Passage,
    write: (done: unknown) => Written,
  ): Promise<Written> {
    if (!isGuarded(operation)) return write(await operation.handle(call, this.#rawBody(operation, passage)))
    const { caller } = passage.identity!
    const ifMatch = changesVersion(operation) ? ifMatchOf(call.request) : null
    const asked = { who: caller.workspaceId, what: operation.id, request: call.request }
    const done = async (sql: Database) =>
      write(await operation.verb({ sql, caller, request: call, ifMatch }, ...operation.given(call)))
    const { computes } = operation
    const work = computes
      ? (sql: Database) => this.#computations.run(computes, asked.who, asked.request.signal, () => done(sql))
      : done
    if (this.#answers.isExpectedLarge(asked)) return this.#doInLine(operation, asked, work, passage)
    if (operation.needsNoConnection) return work(this.deps.sql)
    // Checked again, because similar answers may have turned out to be large while this call waited for a connection.
    const written = await this.#lenderOf(operation).lend({ who: asked.who, signal: call.request.signal }, async sql =>
      this.#answers.isExpectedLarge(asked) ? null : work(sql),
    )
    return written ?? this.#doInLine(operation, asked, work, passage)
  }

  /** Acquires a permit for a large response before running the operation. */
  async #doInLine(
    operation: GuardedOperation,
    asked: Asked,
    work: (sql: Database) => Promise<Written>,
    passage: Passage,
  ): Promise<Written> {
    passage.place = await this.#answers.enter(asked)
    if (operation.needsNoConnection) return work(this.deps.sql)
    return this.#lenderOf(operation).lend({ who: asked.who, signal: asked.request.signal }, work)
  }

  #lenderOf({ method }: GuardedOperation): Lender {
    return method === 'GET' ? this.deps.reads : this.deps.changes
  }

  #rawBody({ id, raw }: PublicOperation, passage: Passage): RawBody {
    return workspaceId => {
      if (!raw) throw new Error(`${id} takes no body as it comes`)
      passage.body = this.#bodies.take(passage.request, {
        kind: 'callbacks',
        id: workspaceId,
        address: this.#addressOf(passage),
      })
      return passage.body.bytes(raw.maxBytes)
    }
  }

  #senderOf(passage: Passage): Sender {
    const { identity, counted } = passage
    if (identity) return { kind: 'workspace', id: identity.caller.workspaceId }
    if (counted) return { kind: 'person', id: counted.id }
    return { kind: 'anyone', address: this.#addressOf(passage) }
  }

  /** Returns the function that turns the result of an operation into its answer. */
  #answering(operation: Operation): (done: unknown, passage: Passage) => Answer {
    if (!isGuarded(operation)) return done => done as Answer
    const { answer } = operation
    const locate = tagging(operation, locating(operation))
    if (answer)
      return (result, passage) =>
        locate(
          answer(
            result,
            error => this.#tellPart(error, passage),
            warning => this.#keep(warning.error, passage, warning),
          ),
        )
    const status = onlyStatus(operation)
    return body => locate({ status, body })
  }

  #write({ body, text: asItIs, stream, ...answer }: Answer, passage: Passage): Written {
    if (stream !== undefined) return { ...answer, text: stream, isLarge: false }
    if (asItIs !== undefined) return { ...answer, text: asItIs, isLarge: false }
    if (body === undefined) return { ...answer, text: null, isLarge: false }
    const text = jsonOf(body)
    const isLarge = this.#answers.isLarge(text)
    const asked = askedBy(passage)
    if (asked) this.#answers.note(asked, isLarge)
    return { ...answer, text, isLarge }
  }

  #respond({ text, isLarge, ...answer }: Written, passage: Passage): Response | Promise<Response> {
    const asked = isLarge ? askedBy(passage) : null
    if (asked && typeof text === 'string') return this.#respondAtLength(text, answer, asked, passage)
    return this.#respondWith(text, answer, passage)
  }

  /**
   * Sends a large response with a permit. A write that is already done cannot be rejected, so it is sent without a
   * permit if none is free.
   */
  async #respondAtLength(text: string, answer: Answer, asked: Asked, passage: Passage): Promise<Response> {
    try {
      passage.place ??= await this.#answers.enterLate(asked)
    } catch (error) {
      if (asked.request.method === 'GET' || !(error instanceof AnswersFull)) throw error
    }
    return this.#respondWith(passage.place?.send(text) ?? text, answer, passage)
  }

  #respondWith(body: string | ReadableStream | null, { status, headers, cookies }: Answer, passage: Passage): Response {
    this.#log(passage, status)
    const answered = response(body, status, passage.requestId, this.#standingOf(passage), headers)
    for (const cookie of cookies ?? []) answered.headers.append('Set-Cookie', cookie)
    return answered
  }

  #respondFailure(error: unknown, passage: Passage): Response {
    // A client that disconnects is neither a fault of the service nor a rejected request.
    if (hasLeft(passage.request, error)) return this.#respondWith(null, { status: clientClosedRequest }, passage)
    const refusal = this.#seeTo(error, passage, 'a request failed')
    const status = statusFor(refusal)
    this.#log(passage, status, refusal.code)
    const { requestId } = passage
    const text = JSON.stringify(envelopeOf(refusal, requestId))
    return response(text, status, requestId, this.#standingOf(passage), headersFor(refusal))
  }

  /** Returns the remaining allowance of a counted call. */
  #standingOf({ counted }: Passage): Standing | null {
    return counted && this.deps.limiter.standing(counted)
  }

  #tellPart(error: unknown, passage: Passage): ReturnType<Tell> {
    const refusal = this.#seeTo(error, passage, 'part of a request failed')
    return { status: statusFor(refusal), error: textOf(refusal) }
  }

  /**
   * Converts a failure into the error for the caller. Service faults are logged, and rejected requests are recorded in
   * the list of rejected events. A full queue is logged at `debug` only, because the request log already shows the
   * status and there can be many.
   */
  #seeTo(error: unknown, passage: Passage, inTheLog: string): DomainError {
    const refusal = refusalOf(error)
    const { request, requestId } = passage
    const { log } = this.deps
    if (error instanceof LineFull || error instanceof LimiterFull)
      log.debug({ error, requestId, ...correlationOf(request) }, inTheLog)
    else if (refusal !== error) {
      this.deps.onFailure?.(error)
      log.error({ error, requestId, ...correlationOf(request) }, inTheLog)
    } else if (passage.operation?.keepsRefusals) this.#keep(refusal, passage)
    return refusal
  }

  /** Adds a rejected request, or a warning, to the list of rejected events. It is written after the answer. */
  #keep(error: RefusalText, { identity, request, path, requestId }: Passage, warning?: Warning): void {
    if (!identity) return
    const { workspaceId } = identity.caller
    const sender = senderOf(request.headers.get('user-agent'))
    this.deps.refusals.keep({
      workspaceId,
      sender,
      method: request.method,
      path,
      status: error instanceof DomainError ? statusFor(error) : 200,
      error,
      requestId,
      at: new Date(clock.now()),
      ...(warning && { mismatch: warning.mismatch }),
    })
  }

  /** Logs a request. Successful requests use `debug`, so that they can be filtered out separately. */
  #log(passage: Passage, status: number, code?: ErrorCode): void {
    const { request, requestId, startedAt, path, operation, identity } = passage
    const { method } = request
    this.deps.onAnswer(method, operation ? path : null, status)
    const caller = identity?.caller
    this.deps.log[levelOf(status)](
      {
        requestId,
        ...correlationOf(request),
        method,
        path,
        status,
        code,
        ms: Math.round(performance.now() - startedAt),
        workspaceId: caller?.workspaceId,
        caller: caller?.id,
        address: status >= 400 && path.startsWith(signInPaths) ? this.#addressOf(passage) : undefined,
      },
      'request',
    )
  }

  #addressOf({ address, request }: Passage): string {
    return address ?? this.deps.addressOf(request)
  }
}

const levelOf = (status: number): 'debug' | 'info' | 'warn' => {
  if (status < 400) return 'debug'
  return status < 500 ? 'info' : 'warn'
}

/** Failed requests below this path are logged with the network address, so that password guessing can be traced. */
const signInPaths = '/v1/auth/'

/**
 * Returns whether the request failed because the client disconnected, either during the upload or while it waited for a
 * permit.
 */
const hasLeft = (request: Request, error: unknown): boolean =>
  runtime.brokeOff(request, error) || (request.signal.aborted && error === request.signal.reason)

/** Identifies a guarded call whose answer may be large. Null for HEAD, whose answers have no body. */
const askedBy = ({ operation, identity, request }: Passage): Asked | null =>
  operation && identity && request.method !== 'HEAD'
    ? { who: identity.caller.workspaceId, what: operation.id, request }
    : null

/** Returns whether an empty object replaces the body. */
const isPassedOver = ({ mayBeEmpty }: Operation, request: Request): boolean =>
  mayBeEmpty !== undefined &&
  (isWithoutBody(request) || (mayBeEmpty === 'or no JSON' && !saysJson(request.headers.get('content-type'))))

const isWithoutBody = ({ headers }: Request): boolean =>
  Number(headers.get('content-length') ?? 0) === 0 && headers.get('transfer-encoding') === null

/** The client never sees this status. It is used for the log and the metrics. */
const clientClosedRequest = 499

/**
 * Returns whether the address must be determined when the request arrives. The audit log stores the address of a write,
 * and it is unknown once the client has disconnected. High-volume operations without an audit entry skip this, because
 * it costs a microsecond.
 */
const wantsAddress = (operation: Operation): boolean =>
  operation.method !== 'GET' && !(isGuarded(operation) ? operation.needsNoConnection : operation.raw)

/** Maximum bytes of a body. Requests without a credential only need a name, an address and a password. */
const maxBytes = { fromAnyone: 8 * 1024, fromKnown: 1024 * 1024 }

const mostBytes = (operation: Operation): number =>
  operation.maxBytes ?? (accessOf(operation) === 'anyone' ? maxBytes.fromAnyone : maxBytes.fromKnown)

const noDigits = {}

/**
 * Returns the parser of the query string. Without declared parameters it rejects all of them, because an unknown filter
 * would be ignored silently.
 */
const queryReader = (operation: Operation): ((request: Request) => never) => {
  const { query = noQuery } = operation
  if (!isGuarded(operation) && operation.raw) return () => ({}) as never
  const read = queryValidator(query)
  return request => {
    const { url } = request
    const begins = url.indexOf('?')
    if (begins < 0 && query === noQuery) return {} as never
    return read(new URLSearchParams(begins < 0 ? '' : url.slice(begins + 1))) as never
  }
}

const noQuery = Type.Object({}, { additionalProperties: false })

/** Adds the `Location` of a created record. */
const locating = (operation: Operation): ((answer: Answer) => Answer) => {
  const path = createdAt(operation)
  if (path === null) return answer => answer
  return answer => {
    if (answer.status !== 201) return answer
    const { id, event } = answer.body as { id?: string; event?: { id: string } }
    return { ...answer, headers: { ...answer.headers, Location: `${path}/${id ?? event?.id}` } }
  }
}

/**
 * Rejects a key that is sent with the id of another workspace. A key belongs to one workspace, so the key is probably
 * used in the wrong place.
 */
const refuseOtherWorkspace = ({ caller }: Identity, { headers }: Request): void => {
  if (caller.type !== 'api_key') return
  const wanted = headers.get('x-workspace-id')
  if (wanted === null || wanted.toLowerCase() === caller.workspaceId) return
  throw new DomainError(
    'not_found',
    'This API key is not one of the workspace in X-Workspace-Id; send a key of that workspace, or leave the header out.',
  )
}

const onlyStatus = ({ id, answers }: Operation): number => {
  const [status, ...others] = Object.keys(answers).map(Number)
  if (status === undefined || others.length > 0) throw new Error(`${id} must say with which status it answers when`)
  return status
}

const credentialWanted = (keyWillDo: boolean): string =>
  keyWillDo
    ? 'Send an API key in the header X-API-Key, or the token of a signed-in person as Authorization: Bearer.'
    : 'Sign in at POST /v1/auth/sign-in and send the token as Authorization: Bearer.'

const response = (
  body: string | ReadableStream | null,
  status: number,
  requestId: string,
  standing: Standing | null,
  headers?: Record<string, string>,
): Response =>
  new Response(body, {
    status,
    headers: {
      ...(body !== null && { 'Content-Type': 'application/json' }),
      'X-Request-Id': requestId,
      ...(standing && {
        'RateLimit-Limit': String(standing.limit),
        'RateLimit-Remaining': String(standing.remaining),
        'RateLimit-Reset': String(standing.resetSeconds),
      }),
      ...keptByNobody,
      ...headers,
    },
  })
