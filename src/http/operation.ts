/** What an operation is: everything the door, the published document and the tests must know of it, in one place. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Ctx } from '../domain/context.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { Identity } from './auth.ts'

/** Capabilities of a plan (contract 15.1). */
export type Feature = 'api' | 'webhooks' | 'workflows' | 'campaigns' | 'ai'

/**
 * Who may call: `anyone` needs no credential, `session` is whoever is signed in, be it in no workspace, `member` is any
 * signed-in person of the workspace, `owner` a signed-in owner, and `key or member` also takes an API key. What a key
 * may reach is a property of the operation, never of a path's text.
 */
export type Access = 'anyone' | 'session' | 'key or member' | 'member' | 'owner'

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
  /** As in the header X-Request-Id of the answer. */
  requestId: string
  /** Who calls; null where no credential is needed, or no workspace. */
  identity: Identity | null
  /** The token of whoever is signed in; null for an API key, and where no credential is needed. */
  sessionToken: string | null
}

interface Described<BodySchema extends TSchema, QuerySchema extends TObject> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  /** The name of the operation in the published document and in generated clients. */
  id: string
  tag: string
  summary: string
  description?: string
  feature?: Feature
  query?: QuerySchema
  body?: BodySchema
  /** An example body for the published document. */
  example?: Static<BodySchema>
  /** Answers that are no failure. */
  answers: Record<
    number,
    { description: string; schema?: TSchema; example?: unknown; headers?: Record<string, string> }
  >
  /** A call of a known caller that is refused is listed under Not accepted. */
  keepsRefusals?: true
  /** Failures beyond those that follow from access, body and path. */
  errors?: ErrorCode[]
}

export interface PublicOperation<BodySchema extends TSchema = TSchema, QuerySchema extends TObject = TObject>
  extends Described<BodySchema, QuerySchema> {
  access: 'anyone' | 'session'
  handle(call: Call<Static<BodySchema>, Static<QuerySchema>>): Promise<Answer>
}

export interface GuardedOperation<BodySchema extends TSchema = TSchema, QuerySchema extends TObject = TObject>
  extends Described<BodySchema, QuerySchema> {
  access: Exclude<Access, 'anyone' | 'session'>
  handle(ctx: Ctx, call: Call<Static<BodySchema>, Static<QuerySchema>>): Promise<Answer>
}

export type Operation = PublicOperation | GuardedOperation

/** Declares an operation that needs a credential; the schemas type its body and query. */
export const operation = <B extends TSchema, Q extends TObject>(declared: GuardedOperation<B, Q>): Operation =>
  declared as unknown as GuardedOperation

/** Declares an operation that needs none. */
export const publicOperation = <B extends TSchema, Q extends TObject>(declared: PublicOperation<B, Q>): Operation =>
  declared as unknown as PublicOperation
