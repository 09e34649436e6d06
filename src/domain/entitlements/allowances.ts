import { DomainError } from '../errors.ts'
import type { Allowance, Allowances } from '../plan.ts'

/** Wording of each allowance in an error, and how to fix it. */
const words: Record<Allowance, { counted: string; remedy: string }> = {
  activeWorkflows: { counted: 'active workflows', remedy: 'Switch one off, or upgrade the plan.' },
  teamSeats: { counted: 'team seats', remedy: 'Remove a member or an invitation, or upgrade the plan.' },
  connectedNumbers: { counted: 'connected numbers', remedy: 'Upgrade the plan.' },
  templates: { counted: 'templates', remedy: 'Remove one, or upgrade the plan.' },
  monthlyEvents: { counted: 'monthly events', remedy: 'Wait for the next month (UTC), or upgrade the plan.' },
}

/** Returns the limit of an allowance. Null means unlimited. */
export const limitOf = (allowances: Allowances, allowance: Allowance): number | null => allowances[allowance] ?? null

/** Returns the wording of each allowance that is used up or exceeded. */
export const namesOfFull = (allowances: Allowances, used: Record<Allowance, number>): string[] =>
  (Object.keys(words) as Allowance[])
    .filter(allowance => used[allowance] >= (limitOf(allowances, allowance) ?? Number.POSITIVE_INFINITY))
    .map(allowance => words[allowance].counted)

/** Returns a 409: the plan includes the resource, but its limit is reached. */
export const planLimitReached = (allowance: Allowance, limit: number): DomainError =>
  new DomainError(
    'plan_limit_reached',
    `The plan allows ${limit} ${words[allowance].counted}, and all of them are in use. ${words[allowance].remedy}`,
  )
