import type { Ctx } from '../context.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { attributeLimits, type Customer } from './schema.ts'
import { type Claims, type CustomerRow, findHolders } from './sql.ts'

/** Returns the public form of a customer. 404 if there is none. */
export const shape = (row: CustomerRow | null): Customer => {
  if (!row) throw notFound('customer')
  return {
    ...row,
    optedInAt: row.optedInAt?.toISOString() ?? null,
    optedOutAt: row.optedOutAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/**
 * Runs a write that claims identifiers. `work` returns null if one was taken. Then fails with 409 and the id of the
 * customer who has it, or retries if that customer no longer does.
 */
export const claiming = async (
  { sql, caller }: Ctx,
  claims: Claims,
  exceptId: string | null,
  work: () => Promise<CustomerRow | null>,
): Promise<CustomerRow> => {
  for (let round = 0; round < maxRounds; round++) {
    const row = await work()
    if (row) return row
    const holders = await findHolders(sql, { ...claims, workspaceId: caller.workspaceId, exceptId })
    const details = Object.fromEntries(
      (['phone', 'externalId'] as const).flatMap(field => {
        const holder = holders.find(other => claims[field] !== null && other[field] === claims[field])
        return holder ? [[field, `Belongs to customer ${holder.id}.`]] : []
      }),
    )
    const taken = Object.keys(details)
    if (taken.length > 0)
      throw new DomainError('conflict', `Another customer has this ${taken.join(' and this ')} already.`, details)
  }
  throw new DomainError('conflict', 'Another call is giving this phone or external id away. Try again.')
}

const maxRounds = 5

/** Rejects attributes beyond the limits of one customer. */
export const judgeAttributes = (attributes: Record<string, unknown>): void => {
  const { fields, nameCharacters, bytes } = attributeLimits
  const names = Object.keys(attributes)
  const refuse = (reason: string) => invalidRequest({ attributes: reason })
  if (names.length > fields)
    throw refuse(`A customer has at most ${fields} attributes; these would be ${names.length}.`)
  if (names.some(name => name.length === 0 || name.length > nameCharacters))
    throw refuse(`The name of an attribute has 1 to ${nameCharacters} characters.`)
  if (Buffer.byteLength(JSON.stringify(attributes)) > bytes)
    throw refuse(`A customer's attributes are together at most ${bytes / 1024} KiB of JSON.`)
}

/** Splits attributes into those to set and the names of those to remove, given as null. */
export const splitAttributes = (attributes: Record<string, unknown>) => {
  const entries = Object.entries(attributes)
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.filter(([, value]) => value === null).map(([name]) => name),
  }
}
