import { sqlState } from '../../db/client.ts'
import { type Ctx, inTransaction } from '../context.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { verb } from '../verb.ts'
import { claiming, judgeAttributes, shape, splitAttributes } from './record.ts'
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
    if (phone === null && externalId === null) throw invalidRequest({ phone: keepsOne })
    if (!isId(id)) throw notFound('customer')
    const claims = { phone: phone ?? null, externalId: externalId ?? null }
    return shape(await claiming(ctx, claims, id, () => changeUnlessTaken(ctx, id, input)))
  },
)

const keepsOne =
  'A customer keeps at least one of phone and externalId. Give the other one first, or delete the customer.'

/** Returns null if an identifier is taken. The merged attributes are validated before the commit. */
const changeUnlessTaken = async (ctx: Ctx, id: string, input: ChangeCustomer): Promise<CustomerRow | null> => {
  const { workspaceId } = ctx.caller
  const { phone, externalId, name, email } = input
  const attributes = splitAttributes(input.attributes ?? {})
  try {
    return await inTransaction(ctx, async ({ sql }) => {
      const row = await updateCustomer(sql, { workspaceId, id, phone, externalId, name, email, attributes })
      if (!row) throw notFound('customer')
      if (input.attributes) judgeAttributes(row.attributes)
      return row
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return null
    if (sqlState(error) !== checkViolation) throw error
    throw new DomainError('unprocessable', keepsOne, { [phone === null ? 'phone' : 'externalId']: keepsOne })
  }
}

const uniqueViolation = '23505'
/** Raised by the constraint `customers_identified`, the only one that a change can violate. */
const checkViolation = '23514'
