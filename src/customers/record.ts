import type { Ctx } from '../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../core/errors.ts'
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
 * Runs a write that claims identifiers. `write` returns null if one was taken. Then fails with 409 and the id of the
 * customer who has it, or retries if that customer no longer does.
 */
export const claimIdentifiers = async (
  { sql, caller }: Ctx,
  claims: Claims,
  exceptId: string | null,
  write: () => Promise<CustomerRow | null>,
): Promise<CustomerRow> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await write()
    if (row) return row
    const holders = await findHolders(sql, { ...claims, workspaceId: caller.workspaceId, exceptId })
    const details = Object.fromEntries(
      (['phone', 'externalId'] as const).flatMap(field => {
        const holder = holders.find(other => claims[field] !== null && other[field] === claims[field])
        return holder ? [[field, `Belongs to customer ${holder.id}.`]] : []
      }),
    )
    const takenFields = Object.keys(details)
    if (takenFields.length > 0)
      throw new DomainError('conflict', `Another customer already has this ${takenFields.join(' and this ')}.`, details)
  }
  throw new DomainError('conflict', 'Another call is assigning this phone or external ID. Try again.')
}

const maxAttempts = 5

/** Rejects attributes beyond the limits of one customer. */
export const validateAttributes = (attributes: Record<string, unknown>): void => {
  const { fields, nameCharacters, bytes } = attributeLimits
  const names = Object.keys(attributes)
  const toInvalid = (reason: string) => invalidRequest({ attributes: reason })
  if (names.length > fields)
    throw toInvalid(`A customer has at most ${fields} attributes. This change would make ${names.length}.`)
  if (names.some(name => name.length === 0 || name.length > nameCharacters))
    throw toInvalid(`The name of an attribute must have 1 to ${nameCharacters} characters.`)
  if (Buffer.byteLength(JSON.stringify(attributes)) > bytes)
    throw toInvalid(`All attributes of a customer together must be at most ${bytes / 1024} KiB of JSON.`)
}

/** Splits attributes into those to set and the names of those to remove, given as null. */
export const splitAttributes = (attributes: Record<string, unknown>) => {
  const entries = Object.entries(attributes)
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    removed: entries.filter(([, value]) => value === null).map(([name]) => name),
  }
}
