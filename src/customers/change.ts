import { type Ctx, inTransaction } from '../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { verb } from '../core/verb.ts'
import { sqlState } from '../platform/postgres/client.ts'
import { claimIdentifiers, shape, splitAttributes, validateAttributes } from './record.ts'
import type { ChangeCustomer, Customer } from './schema.ts'
import { type CustomerRow, updateCustomer } from './sql.ts'

/**
 * Changes the given fields of a customer. 409 if another customer has the phone or the external id. 422 if neither
 * would be left.
 */
export const changeCustomer = verb(
  { by: 'key or member' },
  async (ctx, id: string, input: ChangeCustomer): Promise<Customer> => {
    const { phone, externalId } = input
    if (phone === null && externalId === null) throw invalidRequest({ phone: identifierRequired })
    if (!isId(id)) throw notFound('customer')
    const claims = { phone: phone ?? null, externalId: externalId ?? null }
    return shape(await claimIdentifiers(ctx, claims, id, () => changeIfFree(ctx, id, input)))
  },
)

const identifierRequired =
  'A customer must keep at least one of phone and externalId. Set the other one first, or delete the customer.'

/** Returns null if an identifier is taken. The merged attributes are validated before the commit. */
const changeIfFree = async (ctx: Ctx, id: string, input: ChangeCustomer): Promise<CustomerRow | null> => {
  const { workspaceId } = ctx.caller
  const { phone, externalId, name, email } = input
  const attributes = splitAttributes(input.attributes ?? {})
  try {
    return await inTransaction(ctx, async ({ sql }) => {
      const row = await updateCustomer(sql, { workspaceId, id, phone, externalId, name, email, attributes })
      if (!row) throw notFound('customer')
      if (input.attributes) validateAttributes(row.attributes)
      return row
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return null
    if (sqlState(error) !== checkViolation) throw error
    throw new DomainError('unprocessable', identifierRequired, {
      [phone === null ? 'phone' : 'externalId']: identifierRequired,
    })
  }
}

const uniqueViolation = '23505'
/** Raised by the constraint `customers_identified`, the only one that a change can violate. */
const checkViolation = '23514'
