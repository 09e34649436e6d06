/** What an operation is: everything the door, the published document and the tests must know of it, in one place. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode, RefusalText } from '../domain/errors.ts'
import type { Allowance } from '../domain/plan.ts'
import type { Refusal } from '../domain/refusals/index.ts'
import type { Rule, Verb } from '../domain/verb.ts'
import type { LivingSession } from './auth.ts'
import type { Computation } from './computations.ts'

/**
 * Who may call: whoever the rule of the operation's verb allows; where there is no verb, `anyone` needs no credential,
 * and `session` is whoever is signed in, be it in no workspace.
 */
export type Access = 'anyone' | 'session' | Rule['by']

export interface Answer {
  status: number
  /** undefined = no body. */
  body?: unknown
  /** Instead of a body that is JSON: a text as it is, whose Content-Type is among the headers. */
  text?: string
  /** The same, of what goes on for as long as its reader listens; it bounds itself. */
  stream?: ReadableStream<Uint8Array> | null
  headers?: Record<string, string>
  /** `Set-Cookie`, once for each. */
  cookies?: readonly string[]
}

/** A request as its operation sees it: judged, parsed and validated. */
export interface Call<Body, Query> {
  request: Request
  params: Record<string, string>
  query: Query
  body: Body
  /** The numbers at the top of the body, digit by digit as they came; none unless the operation wants them. */
  digits: Readonly<Record<string, string>>
  /** Of whoever is signed in; null for an API key, and where no credential is needed. */
  session: LivingSession | null
  /** The network address of the caller, behind proxies that are trusted; `unknown` once the caller has gone. */
  readonly address: string
  /** That of the answer's `X-Request-Id`. */
  requestId: string
}

/** Reads the body of a callback as it was sent. It counts in the share of callbacks of the workspace (contract 4.1). */
export type RawBody = (workspaceId: string) => Promise<Uint8Array>

/** Tells of a failure that is part of an answer, and sees to it as to the failure of a whole call. */
export type Tell = (error: unknown) => { status: number; error: RefusalText }

/** A successful part of an answer that its caller should know about: an idempotency key that names another event. */
export interface Warning {
  error: RefusalText
  mismatch: NonNullable<Refusal['mismatch']>
}

/** Adds a warning to the list of rejected events, after the answer. */
export type Warn = (warning: Warning) => void

interface Described<BodySchema extends TSchema, QuerySchema extends TObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  /** The name of the operation in the published document and in generated clients. */
  id: string
  tag: string
  summary: string
  description?: string
  query?: QuerySchema
  body?: BodySchema
  /** A call without a body is one with an empty object; `or no JSON`: so is one with a body that does not say it is JSON. */
  mayBeEmpty?: true | 'or no JSON'
  /** An example body for the published document. */
  example?: Static<BodySchema>
  /** Where one does not show it: several, each by a name, with what it is; the first is the one that stands for all. */
  examples?: Record<string, { summary: string; value: Static<BodySchema> }>
  /** Answers that are no failure. */
  answers: Record<
    number,
    {
      description: string
      schema?: TSchema
      example?: unknown
      /** Headers of its own by name, with what each says. */
      headers?: Record<string, string>
      /** Where it is a text and no JSON. */
      mediaType?: string
    }
  >
  /** A call of a known caller that is refused, or part of it, is listed under Not accepted. */
  keepsRefusals?: true
  /** The header `Idempotency-Key` stands for the field `idempotencyKey` of its body. */
  takesKeyHeader?: true
  /** It answers a record with an `ETag`, or changes one that the header `If-Match` may ask to have a certain one. */
  versioned?: true
  /** The header `Last-Event-ID` says what its reader has heard last. */
  takesLastEventId?: true
  /** Where what it makes (201) is found by its id, if not under its own path. */
  createsAt?: string
  /** The field of its body with the address that outbound events are then sent to. */
  sendsTo?: string
  /** Maximum bytes of its body. Defaults to 1 MiB, and to 8 KiB where no credential is needed. */
  maxBytes?: number
  /** Refuses (400) a body whose shape would take long to judge. */
  beforeShape?(body: Record<string, unknown>): void
  /** It is given the digits of the numbers in its body, which a double may not hold. */
  wantsDigits?: true
  /** Of what the plan allows only so many, and this makes one more of: then it may be refused with 409. */
  allowance?: Allowance
  /** Failures beyond those that follow from access, body and path, and for what each of them is told. */
  errors?: ErrorCode[] | Partial<Record<ErrorCode, string>>
}

/** What somebody in a workspace does: one verb. Who may do it, and what the plan must include, is asked of its rule. */
export interface GuardedOperation<
  BodySchema extends TSchema = TSchema,
  QuerySchema extends TObject = TObject,
  Args extends unknown[] = unknown[],
  Result = unknown,
> extends Described<BodySchema, QuerySchema> {
  verb: Verb<Args, Result>
  /** How many calls it counts as for the rate limit, where that shows in the body; 1 where it is left out. */
  calls?(call: Call<Static<BodySchema>, Static<QuerySchema>>): number
  /** What the verb is given. */
  given(call: Call<Static<BodySchema>, Static<QuerySchema>>): NoInfer<Args>
  /** No connection is kept for the verb: it asks nothing, has its own way, or is gathered with others of its kind. */
  needsNoConnection?: true
  /** It computes for long, in the share that a workspace has of this kind. Requires `needsNoConnection`. */
  computes?: Computation
  /** Left out where the one answer there is holds what the verb answers, or nothing. */
  answer?(result: NoInfer<Result>, tell: Tell, warn: Warn): Answer
}

/** A body that is neither parsed nor held to any shape by the door. */
export interface Raw {
  maxBytes: number
  /** As what it may come, for the published document: nobody is held to it. */
  mediaType: string
}

/** What is done without being in a workspace. */
export interface PublicOperation<BodySchema extends TSchema = TSchema, QuerySchema extends TObject = TObject>
  extends Described<BodySchema, QuerySchema> {
  access: 'anyone' | 'session'
  /** It is called by others in their own way: any query will do, and a body is handed on as it came. */
  raw?: Raw
  handle(call: Call<Static<BodySchema>, Static<QuerySchema>>, rawBody: RawBody): Promise<Answer>
}

export type Operation = GuardedOperation | PublicOperation

/** Declares an operation that does a verb; the schemas type its body and query. (`| []` makes a tuple of what is given.) */
export const operation = <B extends TSchema, Q extends TObject, Args extends unknown[] | [], Result>(
  declared: GuardedOperation<B, Q, Args, Result>,
): Operation => declared as unknown as GuardedOperation

/** Declares an operation for which nobody must be in a workspace. */
export const publicOperation = <B extends TSchema, Q extends TObject>(declared: PublicOperation<B, Q>): Operation =>
  declared as unknown as PublicOperation

export const isGuarded = (operation: Operation): operation is GuardedOperation => 'verb' in operation

export const accessOf = (operation: Operation): Access =>
  isGuarded(operation) ? operation.verb.rule.by : operation.access

/** Under which path what an operation makes is found by its id; null where it makes nothing. */
export const createdAt = ({ answers, createsAt, path }: Operation): string | null =>
  answers[201] ? (createsAt ?? path) : null
