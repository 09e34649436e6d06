/**
 * Declares operations. A declaration is the single source for the request pipeline, the published document and the
 * tests.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode, PublicError } from '../core/errors.ts'
import type { Allowance } from '../core/plan.ts'
import type { Rule, Verb } from '../core/verb.ts'
import type { RejectedRequest } from '../events/rejected-requests/index.ts'
import type { ActiveSession, Credential } from './auth.ts'
import type { Computation } from './limits/computations.ts'

/**
 * Permitted callers. With a verb, the rule of the verb decides. Without a verb, `anyone` needs no credential, and
 * `session` requires a signed-in person, also one without a workspace.
 */
export type Access = 'anyone' | 'session' | Rule['by']

export interface Answer {
  status: number
  /** JSON body. Undefined means no body. */
  body?: unknown
  /** Text body that replaces the JSON body. Set its Content-Type in `headers`. */
  text?: string
  /**
   * Streaming body that replaces the JSON body. It stays open while the client reads, and it must limit its own size.
   */
  stream?: ReadableStream<Uint8Array> | null
  headers?: Record<string, string>
  /** Values of `Set-Cookie`, one header per entry. */
  cookies?: readonly string[]
}

/** An authorized, parsed and validated request. */
export interface Call<Body, Query> {
  request: Request
  params: Record<string, string>
  query: Query
  body: Body
  /** Top-level numbers of the body as they were written. Empty unless `needsDigits` is set. */
  digits: Readonly<Record<string, string>>
  /** Session of the signed-in person. Null for an API key or access token, and where no credential is needed. */
  session: ActiveSession | null
  /** Session or access token of the person. Null for an API key, and where no credential is needed. */
  credential: Credential | null
  /** Network address of the caller, resolved through trusted proxies. `unknown` once the client has disconnected. */
  readonly address: string
  /** Id sent as `X-Request-Id` in the answer. */
  requestId: string
  /** Trace context of the request: of its span, or as the caller sent it. Null without a trace. */
  readonly traceparent: string | null
}

/** Raw body of a callback. */
export interface RawBody {
  /**
   * Reads the body. It counts in the callback share of the workspace (contract 4.1). `isVerified` is true if the network
   * address has sent a valid signature before.
   */
  read(workspaceId: string, isVerified: boolean): Promise<Uint8Array>
  /** Runs the parser. Parsers of large bodies take turns, and the process pauses after each of them. */
  parse<T>(workspaceId: string, bytes: Uint8Array, parser: () => T): Promise<T>
}

/**
 * Converts the failure of one part of an answer into its status and error. Logs or records it like the failure of a
 * whole call. `part` is the rejected part of the body.
 */
export type ReportError = (error: unknown, part: unknown) => { status: number; error: PublicError }

/**
 * A successful part of an answer with a problem that the caller should fix: the idempotency key belongs to a different
 * event.
 */
export interface Warning {
  error: PublicError
  mismatch: NonNullable<RejectedRequest['mismatch']>
}

/** Adds a warning to the list of rejected events, after the answer. */
export type Warn = (warning: Warning) => void

interface OperationBase<BodySchema extends TSchema, QuerySchema extends TObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path pattern, with `:name` for parameters. */
  path: string
  /** Operation id in the published document and in generated clients. */
  id: string
  tag: string
  summary: string
  description?: string
  query?: QuerySchema
  body?: BodySchema
  /** Treats a missing body as an empty object. `or no JSON` also does so for a body that is not declared as JSON. */
  mayBeEmpty?: true | 'or no JSON'
  /** Example body for the published document. */
  example?: Static<BodySchema>
  /** Several named examples with summaries, where one is not enough. The first is used where only one can be shown. */
  examples?: Record<string, { summary: string; value: Static<BodySchema> }>
  /** Successful answers by status. */
  answers: Record<
    number,
    {
      description: string
      schema?: TSchema
      example?: unknown
      /** Additional headers by name, with their descriptions. */
      headers?: Record<string, string>
      /** Media type of a text answer. Defaults to JSON. */
      mediaType?: string
    }
  >
  /** Records rejected calls, or rejected parts of a call, in the list of rejected events. */
  recordsRejections?: true
  /** Accepts the header `Idempotency-Key` for the field `idempotencyKey`. */
  acceptsKeyHeader?: true
  /** Returns an `ETag`, or supports `If-Match` when it changes a record. */
  versioned?: true
  /** Accepts the header `Last-Event-ID` with the last event that the client received. */
  acceptsLastEventId?: true
  /** Base path of created records (201). Defaults to the path of the operation. */
  locationBase?: string
  /** Body field with the URL that receives outbound events. */
  callbackUrlField?: string
  /** Maximum bytes of the body. Defaults to 1 MiB, and to 8 KiB where no credential is needed. */
  maxBytes?: number
  /** Called before validation. Throws 400 for a body that would be slow to validate. */
  beforeValidate?(body: Record<string, unknown>): void
  /** Provides the digits of the numbers in the body, because a double may not hold all of them. */
  needsDigits?: true
  /** Allowance of the plan that the operation uses. If it is exhausted, the answer is 409. */
  allowance?: Allowance
  /** Additional errors beyond those that follow from access, body and path, with their meanings. */
  errors?: ErrorCode[] | Partial<Record<ErrorCode, string>>
}

/** An operation in a workspace. It runs one verb, whose rule defines the permitted callers and the required feature. */
export interface GuardedOperation<
  BodySchema extends TSchema = TSchema,
  QuerySchema extends TObject = TObject,
  Args extends unknown[] = unknown[],
  Result = unknown,
> extends OperationBase<BodySchema, QuerySchema> {
  verb: Verb<Args, Result>
  /** Returns how many calls the request counts as in the rate limit. Defaults to 1. */
  calls?(call: Call<Static<BodySchema>, Static<QuerySchema>>): number
  /** Returns the arguments of the verb. */
  args(call: Call<Static<BodySchema>, Static<QuerySchema>>): NoInfer<Args>
  /**
   * Runs the verb without a reserved connection, because it does not query, uses its own connections, or is batched
   * with other calls.
   */
  runsWithoutConnection?: true
  /**
   * The verb can wait for a long time. The caller is authorized again after it. Requires `runsWithoutConnection`.
   */
  waits?: true
  /** Kind of a long computation, which is limited per workspace. Requires `runsWithoutConnection`. */
  computation?: Exclude<Computation, 'bodies'>
  /** Converts the result into an answer. Defaults to the only declared status, with the result as the body. */
  answer?(result: NoInfer<Result>, reportError: ReportError, warn: Warn, body: Static<BodySchema>): Answer
}

/** A body that the pipeline neither parses nor validates. */
export interface Raw {
  maxBytes: number
  /** Media type for the published document. It is not enforced. */
  mediaType: string
}

/** An operation outside a workspace. */
export interface PublicOperation<BodySchema extends TSchema = TSchema, QuerySchema extends TObject = TObject>
  extends OperationBase<BodySchema, QuerySchema> {
  access: 'anyone' | 'session'
  /** Set for callbacks from providers. Any query is accepted, and the body is passed on unparsed. */
  raw?: Raw
  handle(call: Call<Static<BodySchema>, Static<QuerySchema>>, rawBody: RawBody): Promise<Answer>
}

export type Operation = GuardedOperation | PublicOperation

/**
 * Declares an operation that runs a verb. The schemas type its body and query. (`| []` makes TypeScript infer a tuple.)
 */
export const operation = <B extends TSchema, Q extends TObject, Args extends unknown[] | [], Result>(
  declared: GuardedOperation<B, Q, Args, Result>,
): Operation => declared as unknown as GuardedOperation

/** Declares an operation outside a workspace. */
export const publicOperation = <B extends TSchema, Q extends TObject>(declared: PublicOperation<B, Q>): Operation =>
  declared as unknown as PublicOperation

export const isGuarded = (operation: Operation): operation is GuardedOperation => 'verb' in operation

export const accessOf = (operation: Operation): Access =>
  isGuarded(operation) ? operation.verb.rule.by : operation.access

/** Returns the base path of created records. Null if the operation creates nothing. */
export const locationBaseOf = ({ answers, locationBase, path }: Operation): string | null =>
  answers[201] ? (locationBase ?? path) : null
