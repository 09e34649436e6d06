/** What an operation is: everything the door, the published document and the tests must know of it, in one place. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { ErrorCode, RefusalText } from '../domain/errors.ts'
import type { Rule, Verb } from '../domain/verb.ts'
import type { LivingSession } from './auth.ts'

/**
 * Who may call: whoever the rule of the operation's verb allows; where there is no verb, `anyone` needs no credential,
 * and `session` is whoever is signed in, be it in no workspace.
 */
export type Access = 'anyone' | 'session' | Rule['by']

export interface Answer {
  status: number
  /** undefined = no body. */
  body?: unknown
  headers?: Record<string, string>
}

/** A request as its operation sees it: judged, parsed and validated. */
export interface Call<Body, Query> {
  request: Request
  params: Record<string, string>
  query: Query
  body: Body
  /** Of whoever is signed in; null for an API key, and where no credential is needed. */
  session: LivingSession | null
}

/** Tells of a failure that is part of an answer, and sees to it as to the failure of a whole call. */
export type Tell = (error: unknown) => { status: number; error: RefusalText }

interface Described<BodySchema extends TSchema, QuerySchema extends TObject> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  /** The name of the operation in the published document and in generated clients. */
  id: string
  tag: string
  summary: string
  description?: string
  query?: QuerySchema
  body?: BodySchema
  /** An example body for the published document. */
  example?: Static<BodySchema>
  /** Answers that are no failure. */
  answers: Record<
    number,
    { description: string; schema?: TSchema; example?: unknown; headers?: Record<string, string> }
  >
  /** A call of a known caller that is refused, or part of it, is listed under Not accepted. */
  keepsRefusals?: true
  /** Failures beyond those that follow from access, body and path. */
  errors?: ErrorCode[]
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
  /** Left out where the one answer there is holds what the verb answers, or nothing. */
  answer?(result: NoInfer<Result>, tell: Tell): Answer
}

/** What is done without being in a workspace. */
export interface PublicOperation<BodySchema extends TSchema = TSchema, QuerySchema extends TObject = TObject>
  extends Described<BodySchema, QuerySchema> {
  access: 'anyone' | 'session'
  handle(call: Call<Static<BodySchema>, Static<QuerySchema>>): Promise<Answer>
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
