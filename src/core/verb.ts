/**
 * Verbs and their access rules. A verb checks its rule on every call. The HTTP layer can check the same rule before it
 * reads a request body.
 */
import { type Caller, type Ctx, isOwner } from './context.ts'
import { DomainError } from './errors.ts'
import type { Feature } from './plan.ts'

/** Access rule of a verb: the allowed callers and the plan feature it requires. */
export interface Rule {
  /**
   * `member` is any signed-in person of the workspace, `owner` an owner of it. `key or member` and `key or owner` also
   * allow API keys.
   */
  readonly by: 'key or member' | 'key or owner' | 'member' | 'owner'
  readonly feature?: Feature
  /**
   * Allows members without a second factor or without single sign-on, even if the workspace requires it. Used to show
   * them what blocks their access.
   */
  readonly withoutSecondFactor?: true
  /** Rejects access tokens: the operation would let a token gain or keep access. */
  readonly sessionOnly?: true
}

/** An operation of a workspace, guarded by a rule. */
export interface Verb<Args extends unknown[] = unknown[], Result = unknown> {
  (ctx: Ctx, ...args: Args): Promise<Result>
  readonly rule: Rule
}

/** Guards a function with a rule. If the rule denies access, the promise rejects with a DomainError. */
export const verb = <Args extends unknown[], Result>(
  rule: Rule,
  work: (ctx: Ctx, ...args: Args) => Promise<Result>,
): Verb<Args, Result> => {
  const guarded = (ctx: Ctx, ...args: Args): Promise<Result> => {
    const denied = findAccessError(rule, ctx.caller)
    return denied ? Promise.reject(denied) : work(ctx, ...args)
  }
  return Object.assign(guarded, { rule })
}

/** Returns the error if the rule denies access, otherwise null. Checks the caller first, then the plan. */
export const findAccessError = (rule: Rule, caller: Caller): DomainError | null => {
  const { by, feature, withoutSecondFactor, sessionOnly } = rule
  const isKey = caller.type === 'api_key'
  if (isKey && !allowsKeys(by)) return keyNotAllowed()
  if (!isKey && caller.token && sessionOnly) return tokenNotAllowed()
  if (!isKey && caller.lacksSso && !withoutSecondFactor) return ssoRequired()
  if (!isKey && caller.lacksSecondFactor && !withoutSecondFactor) return secondFactorRequired()
  if (!isKey && isOwnersOnly(by) && !isOwner(caller))
    return new DomainError('forbidden', 'Only an owner of the workspace can do this.')
  const { features } = caller.plan
  if (feature !== undefined && features[feature] !== true) return featureNotIncluded(feature)
  // Without the API feature, a key grants no access at all, whatever the rule requires.
  if (isKey && features.api !== true) return featureNotIncluded('api')
  return null
}

/** Returns whether API keys are allowed. */
export const allowsKeys = (by: string): by is 'key or member' | 'key or owner' =>
  by === 'key or member' || by === 'key or owner'

/** Returns whether only owners are allowed among the members. */
const isOwnersOnly = (by: Rule['by']): boolean => by === 'owner' || by === 'key or owner'

/** Returns a 403 for an API key where none is allowed. */
export const keyNotAllowed = (): DomainError =>
  new DomainError(
    'forbidden',
    'An API key can only call /v1/events, /v1/customers and the paths below them. Sign in to use this operation.',
  )

/** Returns a 403 for an access token where a session is required. */
export const tokenNotAllowed = (): DomainError =>
  new DomainError('forbidden', 'An access token cannot call this operation. Sign in to use this operation.')

const secondFactorRequired = (): DomainError => {
  const sentence = 'This workspace requires a second factor. Set one up at POST /v1/auth/totp.'
  return new DomainError('forbidden', sentence, { secondFactor: sentence })
}

const ssoRequired = (): DomainError => {
  const sentence = 'This workspace requires single sign-on. Sign out, and sign in at POST /v1/auth/sso.'
  return new DomainError('forbidden', sentence, { sso: sentence })
}

const featureNotIncluded = (feature: Feature): DomainError =>
  new DomainError(
    'feature_not_available',
    `The workspace's plan does not include ${feature}. Upgrade the plan to use it.`,
  )
