/**
 * Request pipeline: authenticates, limits, parses, runs and answers every request. The order of the checks decides
 * which error a caller gets (contract 3.1).
 */

import { Type } from '@sinclair/typebox'
import { DomainError, type ErrorCode, type PublicError, toPublicError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { validator } from '../core/validate.ts'
import { allowsKeys, findAccessError, keyNotAllowed } from '../core/verb.ts'
import { senderOf } from '../events/index.ts'
import { type RejectedRequestLog, sampleOf } from '../events/rejected-requests/index.ts'
import { clock } from '../platform/clock.ts'
import { runInSlices } from '../platform/event-loop.ts'
import { stringifyJson } from '../platform/json-text.ts'
import { LimiterFull } from '../platform/keyed-limiter.ts'
import type { Log } from '../platform/log.ts'
import { WorkspaceMoving } from '../platform/postgres/cells.ts'
import { type Database, isMoving } from '../platform/postgres/client.ts'
import type { LimitedPool } from '../platform/postgres/limited-pool.ts'
import { runtime } from '../platform/runtime.ts'
import { inOneSlice, runSync, type Slices } from '../platform/slices.ts'
import { parseTraceparent, type Span, type Tracer } from '../platform/tracing.ts'
import { type Authenticator, type Credential, type Identity, sessionOf } from './auth.ts'
import { digitsOf, isJsonType, parseJsonObject, readJson } from './body.ts'
import { compressText, isCompressible } from './compression.ts'
import { correlationOf } from './correlation.ts'
import { cursorsOf } from './cursors.ts'
import { DatabaseUnresponsive, domainErrorOf, envelopeOf, HttpError, headersFor, statusFor } from './errors.ts'
import { addEtag, compressedHeaders, ifMatchOf } from './etag.ts'
import { noStore } from './headers.ts'
import { copyKeyFromHeader } from './idempotency-key.ts'
import { Bodies, type Body, type BodyLimits, type Sender } from './limits/bodies.ts'
import { Computations } from './limits/computations.ts'
import {
  LargeResponses,
  type PermitRequest,
  type ResponseLimits,
  type ResponsePermit,
} from './limits/large-responses.ts'
import type { Quota, RateLimiter } from './limits/rate-limit.ts'
import {
  type Answer,
  accessOf,
  type Call,
  type GuardedOperation,
  isGuarded,
  locationBaseOf,
  type Operation,
  type PublicOperation,
  type RawBody,
  type ReportError,
  type Warning,
} from './operation.ts'
import { queryValidator } from './query.ts'
import { acceptsIfMatch } from './requirements.ts'
import { demandRepetition } from './routed-requests.ts'

export interface PipelineDeps {
  /** Connection pool for operations that do not keep a connection. */
  sql: Database
  /** Connections for operations that read, and for operations that write. */
  reads: LimitedPool
  changes: LimitedPool
  authenticator: Authenticator
  limiter: RateLimiter
  rejectedRequests: RejectedRequestLog
  log: Log
  /** Returns within 2 seconds whether the database has stopped responding. Called for slow calls. */
  isDatabaseUnresponsive?: () => Promise<boolean>
  /** Called for every failure that is not a DomainError. */
  onFailure?: (error: unknown) => void
  /** Returns the network address of the client. */
  addressOf: (request: Request) => string
  /** Called for every answer. */
  onResponse: (answered: Answered) => void
  /** Called for every rejected request that the list of rejected events contains, with the error code. */
  onRejected?: (code: ErrorCode) => void
  /** Null without an exporter of traces. */
  tracer?: Tracer | null
}

/** An answered request, for the metrics. */
export interface Answered {
  method: string
  /** Path of the operation or page. Null without either. */
  path: string | null
  status: number
  /** Error code. Undefined for a success. */
  code: ErrorCode | undefined
  /** Duration in milliseconds. */
  ms: number
}

/** State of a request in the pipeline, also used for its log line. */
interface RequestContext {
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
  countedCaller: CountedCaller | null
  /** Body, from the time when reading starts. */
  body: Body | null
  /** Parsed body, of an operation that records its rejections. */
  parsed: unknown
  /** Permit for a response that is large, or was expected to be large. */
  permit: ResponsePermit | null
  /** Span of the request. Null without an exporter. */
  span: Span | null
}

type Bytes = Uint8Array<ArrayBuffer>

type CountedCaller = Parameters<RateLimiter['admit']>[0]

/** A serialized answer. */
interface SerializedAnswer extends Omit<Answer, 'body' | 'text' | 'stream'> {
  text: string | ReadableStream<Uint8Array> | null
  isLarge: boolean
}

/**
 * Milliseconds after which a caller is authorized again once the body has arrived, or a wait has ended. The credential
 * may have been revoked meanwhile.
 */
const reauthorizeAfterMs = 1000

/**
 * Milliseconds until the first health check of the database during a call, and between the following checks. A check
 * takes at most 2 seconds, so a caller of a frozen database waits less than 10 seconds.
 */
const firstCheckMs = 6000
const checkIntervalMs = 2000

/** Memory and processor time that all requests of a process share. */
export interface PipelineLimits {
  bodies: Bodies
  answers: LargeResponses
  computations: Computations
}

/** Creates the limits of a process. Tests use lower ones. */
export const createLimits = (
  limits: { bodies?: Partial<BodyLimits>; answers?: Partial<ResponseLimits> } = {},
): PipelineLimits => ({
  bodies: new Bodies(limits.bodies),
  answers: new LargeResponses(limits.answers),
  computations: new Computations(),
})

export class Pipeline {
  readonly #bodies: Bodies
  readonly #answers: LargeResponses
  readonly #computations: Computations
  /** Number of 429 responses in the current second, except below `signInPaths`. */
  #refusals = { second: 0, count: 0 }

  constructor(
    private readonly deps: PipelineDeps,
    { bodies, answers, computations }: PipelineLimits = createLimits(),
  ) {
    this.#bodies = bodies
    this.#answers = answers
    this.#computations = computations
  }

  /** Creates the handler of an operation. It never rejects: every failure becomes an answer. */
  handlerFor(operation: Operation): (request: Request, params: Record<string, string>) => Promise<Response> {
    const validate = operation.body && validator(operation.body)
    const parseQuery = queryParser(operation)
    const cursors = cursorsOf(operation)
    const needsAddressEarly = needsAddressOnArrival(operation)
    const { addressOf } = this.deps
    const buildAnswer = this.#answerBuilder(operation)
    return (request, params) =>
      this.#process(request, operation.path, operation, async context => {
        if (needsAddressEarly) context.address = addressOf(request)
        const admitted = await this.#admit(operation, context)
        const read = validate ? await this.#readBody(operation, validate, context, admitted) : null
        const { body, digits, credential } = read ?? { body: undefined, digits: noDigits, credential: admitted }
        const { requestId } = context
        const query = parseQuery(request)
        cursors?.decode(query, params)
        const call = {
          request,
          params,
          body: body as never,
          digits,
          query,
          session: sessionOf(credential),
          credential,
          // Determined lazily, because it costs more than most of the other fields.
          get address() {
            return context.address ?? addressOf(request)
          },
          requestId,
          get traceparent() {
            return context.span?.traceparent ?? parseTraceparent(request.headers.get('traceparent'))
          },
        }
        this.#admitRemaining(operation, call, context)
        return this.#run(operation, call, context, done => {
          const answer = fillLocation(buildAnswer(done, context), params)
          cursors?.encode(answer.body, params)
          return this.#serialize(answer, context)
        })
      })
  }

  /** Answers a request without an operation: 404 for an unknown path, 405 for an unsupported method. */
  async answerUnmatched(
    request: Request,
    pathname: string,
    allowed: string[],
    isKeyAllowed: boolean,
  ): Promise<Response> {
    return this.#process(request, pathname, null, async context => {
      const { authenticator } = this.deps
      // For a person, only the credential is checked. Permissions do not matter where no operation exists.
      if (!request.headers.has('x-api-key')) await authenticator.credentialOf(request)
      else {
        context.identity = await authenticator.identify(request)
        if (!isKeyAllowed) throw keyNotAllowed()
      }
      if (allowed.length === 0)
        throw new DomainError(
          'not_found',
          `The path ${pathname} does not exist. See /docs or /openapi.json for all paths.`,
        )
      const allow = allowed.join(', ')
      throw new HttpError(
        'method_not_allowed',
        `The method ${request.method} is not allowed for this path. Use one of: ${allow}.`,
        {
          Allow: allow,
        },
      )
    })
  }

  /** Answers a failure that occurred before an operation was reached. */
  answerError(request: Request, pathname: string, error: unknown): Promise<Response> {
    return this.#process(request, pathname, null, () => Promise.reject(error))
  }

  async #process(
    request: Request,
    path: string,
    operation: Operation | null,
    work: (context: RequestContext) => Promise<SerializedAnswer>,
  ): Promise<Response> {
    const context: RequestContext = {
      request,
      requestId: newId(),
      startedAt: performance.now(),
      path,
      operation,
      address: null,
      identity: null,
      countedCaller: null,
      body: null,
      parsed: undefined,
      permit: null,
      span: this.#startSpan(request, operation),
    }
    const done = work(context)
    const releaseAll = () => {
      context.body?.release()
      context.permit?.release()
    }
    try {
      return await this.#respond(await this.#unlessDatabaseUnresponsive(done, request), context)
    } catch (error) {
      if (error instanceof DatabaseUnresponsive) void done.then(releaseAll, releaseAll)
      return this.#respondFailure(error, context)
    } finally {
      releaseAll()
    }
  }

  #startSpan(request: Request, operation: Operation | null): Span | null {
    const { tracer } = this.deps
    if (!tracer) return null
    const { method, headers } = request
    return tracer.start(operation ? `${operation.method} ${operation.path}` : 'request', {
      kind: 'server',
      parent: parseTraceparent(headers.get('traceparent')),
      attributes: { 'http.request.method': method, 'http.route': operation?.path },
    })
  }

  /** Returns the result of the work. Rejects with `DatabaseUnresponsive` if the database stops responding before that. */
  #unlessDatabaseUnresponsive<T>(work: Promise<T>, { method }: Request): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let isSettled = false
    const checkDatabase = async () => {
      if (await this.deps.isDatabaseUnresponsive?.()) reject(new DatabaseUnresponsive(method !== 'GET'))
      else if (!isSettled) timer = setTimeout(checkDatabase, checkIntervalMs)
    }
    let timer = setTimeout(checkDatabase, firstCheckMs)
    const settle = () => {
      isSettled = true
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

  /** Authorizes the caller and counts the call. Returns the session or access token if there is one. */
  async #admit(operation: Operation, context: RequestContext): Promise<Credential | null> {
    const credential = await this.#authorize(operation, context)
    context.countedCaller = context.identity?.caller ?? (credential && { type: 'user', id: credential.row.userId })
    if (context.countedCaller) this.deps.limiter.admit(context.countedCaller)
    return credential
  }

  #authorize(operation: Operation, context: RequestContext): Promise<Credential | null> {
    if (isGuarded(operation)) return this.#authorizeCaller(operation, context)
    return this.#authorizePublic(operation.access, context.request)
  }

  /** Checks the rule before the call is counted and the body is read. The verb checks the rule again. */
  async #authorizeCaller(operation: GuardedOperation, context: RequestContext): Promise<Credential | null> {
    const { rule } = operation.verb
    const identity = await this.deps.authenticator.identify(context.request)
    context.identity = identity
    if (!identity) throw new DomainError('unauthorized', credentialHint(allowsKeys(rule.by)))
    if (allowsKeys(rule.by)) requireKeyWorkspace(identity, context.request)
    const domainError = findAccessError(rule, identity.caller)
    // A missing permission is reported before a missing feature of the plan.
    if (domainError?.code !== 'feature_not_available') throwIfSet(domainError)
    requireTokenAccess(operation, identity)
    throwIfSet(domainError)
    return identity.credential
  }

  /** Counts the remaining calls of a request that counts as several. The first was counted before the body was read. */
  #admitRemaining(operation: Operation, call: Call<never, never>, { identity }: RequestContext): void {
    if (isGuarded(operation) && operation.calls)
      this.deps.limiter.admitRemaining(identity!.caller, operation.calls(call) - 1)
  }

  async #authorizePublic(access: PublicOperation['access'], request: Request): Promise<Credential | null> {
    await this.#rejectKey(request)
    if (access === 'anyone') return null
    const session = await this.deps.authenticator.activeSession(request)
    if (!session) throw new DomainError('unauthorized', credentialHint(false))
    return session
  }

  /** Verifies an API key if one is sent, and then rejects it, because keys cannot use this operation. */
  async #rejectKey(request: Request): Promise<void> {
    if (!request.headers.has('x-api-key')) return
    await this.deps.authenticator.identify(request)
    throw keyNotAllowed()
  }

  /** Reads and validates the body. Also returns the credential, checked again if the upload or the wait was long. */
  async #readBody(
    operation: Operation,
    validate: Validate,
    context: RequestContext,
    credential: Credential | null,
  ): Promise<ParsedBody & { credential: Credential | null }> {
    const { request } = context
    if (isBodySkipped(operation, request))
      return { ...runSync(parseAndValidate(operation, validate, request)), credential }
    const startedAt = performance.now()
    const sender = this.#senderOf(context)
    const body = this.#bodies.open(request, sender)
    context.body = body
    const bytes = await readJson(request, body, maxBytesOf(operation))
    const onParsed = (value: unknown) => {
      if (operation.recordsRejections) context.parsed = value
    }
    const check = async (run: (slices: Slices<ParsedBody>) => ParsedBody | Promise<ParsedBody>) => {
      const isStale = performance.now() - startedAt > reauthorizeAfterMs
      const current = isStale ? await this.#authorize(operation, context) : credential
      return {
        ...(await run(parseAndValidate(operation, validate, request, { bytes, body, onParsed }))),
        credential: current,
      }
    }
    if (bytes.byteLength <= maxBytesWithoutPause) return check(runSync)
    const limiterKey = 'id' in sender ? sender.id : sender.address
    return this.#computations.run('bodies', limiterKey, request.signal, () => check(runInSlices))
  }

  /** Runs the operation and serializes the answer before the connection is released, so that its size is known. */
  async #run(
    operation: Operation,
    call: Call<never, never>,
    context: RequestContext,
    serialize: (done: unknown) => SerializedAnswer,
  ): Promise<SerializedAnswer> {
    if (!isGuarded(operation)) return serialize(await operation.handle(call, this.#rawBody(operation, context)))
    const { caller } = context.identity!
    const ifMatch = acceptsIfMatch(operation) ? ifMatchOf(call.request) : null
    const permitRequest = { workspaceId: caller.workspaceId, operationId: operation.id, request: call.request }
    const done = async (sql: Database) => {
      const startedAt = performance.now()
      const result = await operation.verb({ sql, caller, request: call, ifMatch }, ...operation.args(call))
      if (operation.waits && performance.now() - startedAt > reauthorizeAfterMs)
        await this.#authorize(operation, context)
      return serialize(result)
    }
    const { computation } = operation
    const work = computation
      ? (sql: Database) =>
          this.#computations.run(computation, permitRequest.workspaceId, permitRequest.request.signal, () => done(sql))
      : done
    // An operation that waits must not hold a permit meanwhile. It acquires one for a large response that is built.
    if (!operation.waits && this.#answers.isExpectedLarge(permitRequest))
      return this.#runWithPermit(operation, permitRequest, work, context)
    if (operation.runsWithoutConnection) return work(this.deps.sql)
    // Checked again, because similar answers may have turned out to be large while this call waited for a connection.
    const serialized = await this.#poolOf(operation).run(permitRequest.workspaceId, call.request.signal, async sql =>
      this.#answers.isExpectedLarge(permitRequest) ? null : work(sql),
    )
    return serialized ?? this.#runWithPermit(operation, permitRequest, work, context)
  }

  /** Acquires a permit for a large response before running the operation. */
  async #runWithPermit(
    operation: GuardedOperation,
    permitRequest: PermitRequest,
    work: (sql: Database) => Promise<SerializedAnswer>,
    context: RequestContext,
  ): Promise<SerializedAnswer> {
    context.permit = await this.#answers.acquire(permitRequest)
    if (operation.runsWithoutConnection) return work(this.deps.sql)
    return this.#poolOf(operation).run(permitRequest.workspaceId, permitRequest.request.signal, work)
  }

  #poolOf({ method }: GuardedOperation): LimitedPool {
    return method === 'GET' ? this.deps.reads : this.deps.changes
  }

  #rawBody({ id, raw }: PublicOperation, context: RequestContext): RawBody {
    const { request } = context
    return {
      read: (workspaceId, isVerified) => {
        if (!raw) throw new Error(`${id} does not accept a raw body`)
        const sender: Sender = { kind: 'callbacks', id: workspaceId, address: this.#addressOf(context), isVerified }
        context.body = this.#bodies.open(request, sender)
        return context.body.bytes(raw.maxBytes)
      },
      parse: async (workspaceId, { byteLength }, parser) => {
        if (byteLength <= maxRawBytesWithoutPause) return parser()
        return this.#computations.run('bodies', workspaceId, request.signal, () => runInSlices(inOneSlice(parser)))
      },
    }
  }

  #senderOf(context: RequestContext): Sender {
    const { identity, countedCaller } = context
    if (identity) return { kind: 'workspace', id: identity.caller.workspaceId }
    if (countedCaller) return { kind: 'person', id: countedCaller.id }
    return { kind: 'anyone', address: this.#addressOf(context) }
  }

  /** Returns the function that turns the result of an operation into its answer. */
  #answerBuilder(operation: Operation): (done: unknown, context: RequestContext) => Answer {
    if (!isGuarded(operation)) {
      const locate = addLocation(operation)
      return done => locate(done as Answer)
    }
    const { answer } = operation
    const locate = addEtag(operation, addLocation(operation))
    if (answer)
      return (result, context) =>
        locate(
          answer(
            result,
            (error, part) => this.#reportPart(error, { ...context, parsed: part }),
            warning => this.#recordRejected(warning.error, context, warning),
            context.parsed as never,
          ),
        )
    const status = onlyStatusOf(operation)
    return body => locate({ status, body })
  }

  #serialize({ body, text: rawText, stream, ...answer }: Answer, context: RequestContext): SerializedAnswer {
    if (stream !== undefined) return { ...answer, text: stream, isLarge: false }
    if (rawText === undefined && body === undefined) return { ...answer, text: null, isLarge: false }
    const text = rawText ?? stringifyJson(body)
    const isLarge = this.#answers.isLarge(text)
    const permitRequest = permitRequestOf(context)
    if (permitRequest) this.#answers.recordSize(permitRequest, isLarge)
    return { ...answer, text, isLarge }
  }

  #respond({ text, isLarge, ...answer }: SerializedAnswer, context: RequestContext): Response | Promise<Response> {
    if (typeof text !== 'string') return this.#respondWith(text, answer, context)
    const permitRequest = isLarge ? permitRequestOf(context) : null
    if (permitRequest) return this.#respondLarge(text, answer, permitRequest, context)
    return isCompressible(context.request, text, answer)
      ? this.#respondCompressed(text, answer, context, body => body)
      : this.#respondWith(text, answer, context)
  }

  /** Compresses the answer if the client accepts it. */
  async #respondCompressed(
    text: string,
    answer: Answer,
    context: RequestContext,
    send: (body: string | Bytes) => string | Bytes | ReadableStream,
  ): Promise<Response> {
    const compressed = await compressText(text, context.request)
    const headers = { ...answer.headers, Vary: 'Accept-Encoding' }
    return compressed
      ? this.#respondWith(send(compressed), { ...answer, headers: compressedHeaders(headers) }, context)
      : this.#respondWith(send(text), { ...answer, headers }, context)
  }

  /**
   * Sends a large response with a permit. A write that is already done cannot be rejected, so it is sent without a
   * permit if none is free.
   */
  async #respondLarge(
    text: string,
    answer: Answer,
    permitRequest: PermitRequest,
    context: RequestContext,
  ): Promise<Response> {
    try {
      context.permit ??= await this.#answers.acquireAfterBuild(permitRequest)
    } catch (error) {
      if (permitRequest.request.method === 'GET' || !(error instanceof LimiterFull)) throw error
    }
    const send = (body: string | Bytes) => context.permit?.send(body) ?? body
    return isCompressible(permitRequest.request, text, answer)
      ? this.#respondCompressed(text, answer, context, send)
      : this.#respondWith(send(text), answer, context)
  }

  #respondWith(
    body: string | Bytes | ReadableStream | null,
    { status, headers, cookies }: Answer,
    context: RequestContext,
  ): Response {
    this.#log(context, status)
    const httpResponse = response(body, status, context.requestId, this.#quotaOf(context), headers)
    for (const cookie of cookies ?? []) httpResponse.headers.append('Set-Cookie', cookie)
    return httpResponse
  }

  #respondFailure(error: unknown, context: RequestContext): Response {
    // A client that disconnects is neither a fault of the service nor a rejected request.
    if (hasClientDisconnected(context.request, error))
      return this.#respondWith(null, { status: clientClosedRequest }, context)
    // The body is unread, so the new cell of the workspace can answer. The client does not get this answer.
    if (error instanceof WorkspaceMoving && context.body === null && demandRepetition(context.request)) {
      context.span?.end({}, null)
      return new Response(null, { status: 503 })
    }
    const domainError = this.#handleError(error, context, 'request failed')
    const status = statusFor(domainError)
    this.#log(context, status, domainError.code)
    const { requestId } = context
    const text = JSON.stringify(envelopeOf(domainError, requestId))
    return response(text, status, requestId, this.#quotaOf(context), headersFor(domainError))
  }

  /** Returns the remaining allowance of a counted call. */
  #quotaOf({ countedCaller }: RequestContext): Quota | null {
    return countedCaller && this.deps.limiter.quota(countedCaller)
  }

  #reportPart(error: unknown, context: RequestContext): ReturnType<ReportError> {
    const domainError = this.#handleError(error, context, 'part of a request failed')
    return { status: statusFor(domainError), error: toPublicError(domainError) }
  }

  /**
   * Converts a failure into the error for the caller. Service faults are logged, and rejected requests are recorded in
   * the list of rejected events. A full queue and a move are logged at `debug` only, because the request log already shows
   * the status and there can be many.
   */
  #handleError(error: unknown, context: RequestContext, logMessage: string): DomainError {
    const domainError = domainErrorOf(error)
    const { request, requestId, span } = context
    const { log } = this.deps
    if (error instanceof LimiterFull || isMoving(error))
      log.debug({ error, request_id: requestId, ...correlationOf(request, span) }, logMessage)
    else if (domainError !== error) {
      this.deps.onFailure?.(error)
      log.error({ error, request_id: requestId, ...correlationOf(request, span) }, logMessage)
    } else if (context.operation?.recordsRejections) this.#recordRejected(domainError, context)
    return domainError
  }

  /** Adds a rejected request, or a warning, to the list of rejected events. It is written after the answer. */
  #recordRejected(error: PublicError, context: RequestContext, warning?: Warning): void {
    const { identity, request, path, requestId, parsed } = context
    if (!identity) return
    const { workspaceId, type, id } = identity.caller
    const sender = senderOf(request.headers.get('user-agent'))
    if (error instanceof DomainError) this.deps.onRejected?.(error.code)
    this.deps.rejectedRequests.record({
      workspaceId,
      sender,
      apiKeyId: type === 'api_key' ? id : null,
      method: request.method,
      path,
      status: error instanceof DomainError ? statusFor(error) : 200,
      error,
      requestId,
      at: new Date(clock.now()),
      ...(warning ? { mismatch: warning.mismatch } : { sample: sampleOf(parsed) }),
    })
  }

  /** Logs a request. Successful requests use `debug`, so that they can be filtered out separately. */
  #log(context: RequestContext, status: number, code?: ErrorCode): void {
    const { request, requestId, startedAt, path, operation, identity } = context
    const { method } = request
    const ms = performance.now() - startedAt
    context.span?.end(
      { 'http.response.status_code': status, request_id: requestId, workspace_id: identity?.caller.workspaceId },
      status >= 500 ? (code ?? `${status}`) : null,
    )
    this.deps.onResponse({ method, path: operation ? path : null, status, code, ms })
    const caller = identity?.caller
    this.deps.log[this.#logLevelOf(status, path)](
      {
        request_id: requestId,
        ...correlationOf(request, context.span),
        method,
        path,
        status,
        code,
        ms: Math.round(ms),
        workspaceId: caller?.workspaceId,
        caller: caller?.id,
        address: status >= 400 && path.startsWith(signInPaths) ? this.#addressOf(context) : undefined,
      },
      'request',
    )
  }

  /**
   * Returns the level of a request's line. A client can cause thousands of 429 responses per second, so only some of them
   * are logged at `info`, and one line has the number of the others. Failed sign-ins are always logged at `info`, because
   * their addresses show who guesses passwords.
   */
  #logLevelOf(status: number, path: string): 'debug' | 'info' | 'warn' {
    if (status !== 429 || path.startsWith(signInPaths)) return logLevelOf(status)
    const second = Math.floor(performance.now() / 1000)
    if (this.#refusals.second !== second) this.#refusals = { second, count: 0 }
    const refusals = this.#refusals
    if (++refusals.count <= maxLoggedRefusals) return 'info'
    if (refusals.count === maxLoggedRefusals + 1) this.#reportLater(refusals)
    return 'debug'
  }

  /** Logs how many 429 responses of a second were not logged at `info`, once that second has ended. */
  #reportLater(refusals: { readonly count: number }): void {
    const report = () => this.deps.log.info({ count: refusals.count - maxLoggedRefusals }, 'further requests got 429')
    setTimeout(report, 1000).unref()
  }

  #addressOf({ address, request }: RequestContext): string {
    return address ?? this.deps.addressOf(request)
  }
}

/** Maximum number of 429 responses that are logged at `info` per second. */
const maxLoggedRefusals = 10

const logLevelOf = (status: number): 'debug' | 'info' | 'warn' => {
  if (status < 400) return 'debug'
  return status < 500 ? 'info' : 'warn'
}

/** Failed requests below this path are logged with the network address, so that password guessing can be traced. */
const signInPaths = '/v1/auth/'

/**
 * Returns whether the request failed because the client disconnected, either during the upload or while it waited for a
 * permit.
 */
const hasClientDisconnected = (request: Request, error: unknown): boolean =>
  runtime.isDisconnect(request, error) || (request.signal.aborted && error === request.signal.reason)

/** Identifies a guarded call whose answer may be large. Null for HEAD, whose answers have no body. */
const permitRequestOf = ({ operation, identity, request }: RequestContext): PermitRequest | null =>
  operation && identity && request.method !== 'HEAD'
    ? { workspaceId: identity.caller.workspaceId, operationId: operation.id, request }
    : null

/** Returns whether an empty object replaces the body. */
const isBodySkipped = ({ mayBeEmpty }: Operation, request: Request): boolean =>
  mayBeEmpty !== undefined &&
  (hasNoBody(request) || (mayBeEmpty === 'or no JSON' && !isJsonType(request.headers.get('content-type'))))

const hasNoBody = ({ headers }: Request): boolean =>
  Number(headers.get('content-length') ?? 0) === 0 && headers.get('transfer-encoding') === null

/** The client never sees this status. It is used for the log and the metrics. */
const clientClosedRequest = 499

/**
 * Returns whether the address must be determined when the request arrives. The audit log stores the address of a write,
 * and it is unknown once the client has disconnected. High-volume operations without an audit entry skip this, because
 * it costs a microsecond.
 */
const needsAddressOnArrival = (operation: Operation): boolean =>
  operation.method !== 'GET' && !(isGuarded(operation) ? operation.runsWithoutConnection : operation.raw)

/** Maximum bytes of a body. Requests without a credential only need a name, an address and a password. */
const maxBytes = { anonymous: 8 * 1024, authenticated: 1024 * 1024 }

const maxBytesOf = (operation: Operation): number =>
  operation.maxBytes ?? (accessOf(operation) === 'anyone' ? maxBytes.anonymous : maxBytes.authenticated)

const noDigits = {}

/** Maximum bytes of a body that is parsed and validated without a pause. */
const maxBytesWithoutPause = 16 * 1024

/** Maximum bytes of a callback that is parsed without a pause. */
const maxRawBytesWithoutPause = 64 * 1024

type Validate = (value: unknown) => unknown

/** A valid body, and the digits of its numbers if the operation wants them. */
interface ParsedBody {
  body: unknown
  digits: Readonly<Record<string, string>>
}

/** Parses and validates a body in pieces. Without one, validates an empty object. */
function* parseAndValidate(
  operation: Operation,
  validate: Validate,
  request: Request,
  sent?: { bytes: Uint8Array; body: Body; onParsed: (value: unknown) => void },
): Slices<ParsedBody> {
  const value = sent ? yield* parseJsonObject(sent.bytes, sent.body) : {}
  sent?.onParsed(value)
  yield
  if (operation.acceptsKeyHeader) copyKeyFromHeader(request, value)
  operation.beforeValidate?.(value)
  const body = validate(value)
  if (!sent || !operation.needsDigits) return { body, digits: noDigits }
  // Runs after validation, so the body is at most as large as the operation allows.
  yield
  return { body, digits: digitsOf(sent.bytes) }
}

/**
 * Returns the parser of the query string. Without declared parameters it rejects all of them, because an unknown filter
 * would be ignored silently.
 */
const queryParser = (operation: Operation): ((request: Request) => never) => {
  const { query = noQuery } = operation
  if (!isGuarded(operation) && operation.raw) return () => ({}) as never
  const read = queryValidator(query)
  return request => {
    const { url } = request
    const queryStart = url.indexOf('?')
    if (queryStart < 0 && query === noQuery) return {} as never
    return read(new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1))) as never
  }
}

const noQuery = Type.Object({}, { additionalProperties: false })

/** Adds the `Location` of a created record. */
const addLocation = (operation: Operation): ((answer: Answer) => Answer) => {
  const path = locationBaseOf(operation)
  if (path === null) return answer => answer
  return answer => {
    if (answer.status !== 201) return answer
    const { id, event } = answer.body as { id?: string; event?: { id: string } }
    return { ...answer, headers: { ...answer.headers, Location: `${path}/${id ?? event?.id}` } }
  }
}

/** Replaces the parameters in the Location of a record that was created below another record. */
const fillLocation = (answer: Answer, params: Record<string, string>): Answer => {
  const location = answer.headers?.Location
  if (!location?.includes('/:')) return answer
  const filled = location.split('/').map(part => (part.startsWith(':') ? params[part.slice(1)] : part))
  return { ...answer, headers: { ...answer.headers, Location: filled.join('/') } }
}

/**
 * Rejects a key that is sent with the id of another workspace. A key belongs to one workspace, so the key is probably
 * used in the wrong place.
 */
const requireKeyWorkspace = ({ caller }: Identity, { headers }: Request): void => {
  if (caller.type !== 'api_key') return
  const requestedWorkspace = headers.get('x-workspace-id')
  if (requestedWorkspace === null || requestedWorkspace.toLowerCase() === caller.workspaceId) return
  throw new DomainError(
    'not_found',
    'This API key belongs to another workspace than X-Workspace-Id. Use a key of that workspace, or omit the header.',
  )
}

const throwIfSet = (error: DomainError | null): void => {
  if (error) throw error
}

/** Rejects an access token with the access `read` at an operation that is not a `GET`. */
const requireTokenAccess = ({ method }: Operation, { caller }: Identity): void => {
  if (caller.type !== 'user' || caller.token?.access !== 'read' || method === 'GET') return
  throw new DomainError(
    'forbidden',
    'This access token has the access `read`. Use a token with the access `write` for this operation.',
  )
}

const onlyStatusOf = ({ id, answers }: Operation): number => {
  const [status, ...otherStatuses] = Object.keys(answers).map(Number)
  if (status === undefined || otherStatuses.length > 0)
    throw new Error(`${id} must declare exactly one status, or "answer"`)
  return status
}

const credentialHint = (acceptsKeys: boolean): string =>
  acceptsKeys
    ? 'Send an API key in the header X-API-Key, or the token of a signed-in person as Authorization: Bearer.'
    : 'Sign in at POST /v1/auth/sign-in and send the token as Authorization: Bearer.'

const response = (
  body: string | Bytes | ReadableStream | null,
  status: number,
  requestId: string,
  quota: Quota | null,
  headers?: Record<string, string>,
): Response =>
  new Response(body, {
    status,
    headers: {
      ...(body !== null && { 'Content-Type': 'application/json' }),
      'X-Request-Id': requestId,
      ...(quota && {
        'RateLimit-Limit': String(quota.limit),
        'RateLimit-Remaining': String(quota.remaining),
        'RateLimit-Reset': String(quota.resetSeconds),
        'RateLimit-Policy': quota.policy,
        RateLimit: `${quota.name};r=${quota.remaining};t=${quota.resetSeconds}`,
      }),
      ...noStore,
      ...headers,
    },
  })
