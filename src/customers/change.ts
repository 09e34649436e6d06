import { type Ctx, inTransaction } from '../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { verb } from '../core/verb.ts'
import { sqlState } from '../platform/postgres/client.ts'
import { claimIdentifiers, shape, splitAttributes, validateAttributes } from './record.ts'
import type { ChangeCustomer, Customer } from './schema.ts'
import { type CustomerRow, findCustomer, lockIdentifiers, updateCustomer } from './sql.ts'

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
      await lockIdentifiers(sql, { workspaceId, phone: phone ?? null, externalId: externalId ?? null })
      const row = await updateCustomer(sql, { workspaceId, id, phone, externalId, name, email, attributes })
      if (row && input.attributes) validateAttributes(row.attributes)
      if (!row) requireIdentifier(await findCustomer(sql, workspaceId, id), input)
      return row
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return null
    throw error
  }
}

/** Raised only if a new customer gets the identifier at the same moment. */
const uniqueViolation = '23505'

/** Throws 404 if the customer does not exist, and 422 if the change would leave no identifier. */
const requireIdentifier = (customer: CustomerRow | null, { phone, externalId }: ChangeCustomer): void => {
  if (!customer) throw notFound('customer')
  const left = [
    phone === undefined ? customer.phone : phone,
    externalId === undefined ? customer.externalId : externalId,
  ]
  if (left.some(identifier => identifier !== null)) return
  throw new DomainError('unprocessable', identifierRequired, {
    [phone === null ? 'phone' : 'externalId']: identifierRequired,
  })
}
