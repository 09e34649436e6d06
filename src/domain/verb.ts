/**
 * A verb and its rule, declared together. The verb asks its rule whenever it is called, whoever calls it; a door that
 * must refuse before it reads what it was sent asks the same rule first.
 */
import { type Caller, type Ctx, isOwner } from './context.ts'
import { DomainError } from './errors.ts'
import type { Feature } from './plan.ts'

/** Who may do something, and what the plan of their workspace must include. */
export interface Rule {
  /**
   * `member` is any signed-in person of the workspace, `owner` one who owns it; `key or member` and `key or owner` take
   * API keys too.
   */
  readonly by: 'key or member' | 'key or owner' | 'member' | 'owner'
  readonly feature?: Feature
  /** Also members may who lack the second factor that their workspace asks for: to see what they are kept out of. */
  readonly withoutSecondFactor?: true
}

/** What can be done in a workspace, by whoever its rule allows. */
export interface Verb<Args extends unknown[] = unknown[], Result = unknown> {
  (ctx: Ctx, ...args: Args): Promise<Result>
  readonly rule: Rule
}

/** Puts the rule in front of the work. Who is refused hears so as from any verb: the promise rejects (DomainError). */
export const verb = <Args extends unknown[], Result>(
  rule: Rule,
  work: (ctx: Ctx, ...args: Args) => Promise<Result>,
): Verb<Args, Result> => {
  const guarded = (ctx: Ctx, ...args: Args): Promise<Result> => {
    const refusal = refusalBy(rule, ctx.caller)
    return refusal ? Promise.reject(refusal) : work(ctx, ...args)
  }
  return Object.assign(guarded, { rule })
}

/** Null where the rule allows it. Who it is comes first, then what the plan includes. */
export const refusalBy = ({ by, feature, withoutSecondFactor }: Rule, caller: Caller): DomainError | null => {
  const isKey = caller.type === 'api_key'
  if (isKey && !takesKeys(by)) return keyOutside()
  if (!isKey && caller.lacksSecondFactor && !withoutSecondFactor) return secondFactorWanted()
  if (!isKey && isForOwners(by) && !isOwner(caller))
    return new DomainError('forbidden', 'Only an owner of the workspace may do this.')
  const { features } = caller.plan
  if (feature !== undefined && features[feature] !== true) return notIncluded(feature)
  // A key is of no use on its own where the plan has no API, whatever it is used for.
  if (isKey && features.api !== true) return notIncluded('api')
  return null
}

/** Whether an API key may have it done. */
export const takesKeys = (by: string): by is 'key or member' | 'key or owner' =>
  by === 'key or member' || by === 'key or owner'

/** Whether of the people of a workspace owners alone may. */
const isForOwners = (by: Rule['by']): boolean => by === 'owner' || by === 'key or owner'

/** 403: an API key, where none may be. */
export const keyOutside = (): DomainError =>
  new DomainError(
    'forbidden',
    'An API key reaches only /v1/events and /v1/customers and what is under them. This is done by a signed-in person.',
  )

const secondFactorWanted = (): DomainError => {
  const sentence = 'This workspace asks its members for a second factor. Set one up at POST /v1/auth/totp.'
  return new DomainError('forbidden', sentence, { secondFactor: sentence })
}

const notIncluded = (feature: Feature): DomainError =>
  new DomainError(
    'feature_not_available',
    `The workspace's plan does not include ${feature}. Upgrade the plan to use it.`,
  )
