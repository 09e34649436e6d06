import { DomainError } from '../../core/errors.ts'
import type { Allowance, Allowances } from '../../core/plan.ts'

/** Wording of each allowance in an error, and how to fix it. */
const labels: Record<Allowance, { label: string; remedy: string }> = {
  activeWorkflows: { label: 'active workflows', remedy: 'Switch one off, or upgrade the plan.' },
  teamSeats: { label: 'team seats', remedy: 'Remove a member or an invitation, or upgrade the plan.' },
  connectedNumbers: { label: 'connected numbers', remedy: 'Upgrade the plan.' },
  templates: { label: 'templates', remedy: 'Remove one, or upgrade the plan.' },
  monthlyEvents: { label: 'monthly events', remedy: 'Wait for the next month (UTC), or upgrade the plan.' },
}

export const allowanceNames = Object.keys(labels) as Allowance[]

/** Returns the limit of an allowance. Null means unlimited. */
export const limitOf = (allowances: Allowances, allowance: Allowance): number | null => allowances[allowance] ?? null

/** Returns the wording of each allowance that is used up or exceeded. */
export const labelsOfExhausted = (allowances: Allowances, used: Record<Allowance, number>): string[] =>
  allowanceNames
    .filter(allowance => used[allowance] >= (limitOf(allowances, allowance) ?? Number.POSITIVE_INFINITY))
    .map(allowance => labels[allowance].label)

/** Returns a 409: the plan includes the resource, but its limit is reached. */
export const planLimitReached = (allowance: Allowance, limit: number): DomainError =>
  new DomainError(
    'plan_limit_reached',
    `The plan allows ${limit} ${labels[allowance].label}, and all are in use. ${labels[allowance].remedy}`,
  )
