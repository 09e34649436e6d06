/** Creates a customer, or changes the one that has the same identifier. */
import type { Ctx } from '../core/context.ts'
import { DomainError, invalidRequest } from '../core/errors.ts'
import { verb } from '../core/verb.ts'
import { changeCustomer } from './change.ts'
import { requireCustomerCapacity } from './limit.ts'
import { shape, splitAttributes, validateAttributes } from './record.ts'
import type { Customer, UpsertCustomer } from './schema.ts'
import { findHolders, insertCustomer } from './sql.ts'

/** A customer, and whether the call created it. */
export interface UpsertResult {
  customer: Customer
  isNew: boolean
}

/**
 * Finds a customer by `externalId`, else by `phone`, and changes the given fields, or creates a customer if none is
 * found. One of several concurrent calls creates, the others change. Fails with 409 if the identifiers belong to two
 * customers.
 */
export const upsertCustomer = verb(
  { by: 'key or member' },
  async (ctx, input: UpsertCustomer): Promise<UpsertResult> => {
    const { phone = null, externalId = null } = input
    if (phone === null && externalId === null)
      throw invalidRequest({ phone: 'Send phone, externalId or both to identify the customer.' })
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const id = await findOne(ctx, { phone, externalId })
      if (id === null) {
        const customer = await create(ctx, input)
        if (customer) return { customer, isNew: true }
      } else {
        const customer = await changeIfExists(ctx, id, input)
        if (customer) return { customer, isNew: false }
      }
    }
    throw new DomainError('conflict', 'Other calls are changing the same customer. Try again.')
  },
)

/** Maximum number of rounds. Another call can create, change or erase the customer between the read and the write. */
const maxAttempts = 5

interface Identifiers {
  phone: string | null
  externalId: string | null
}

/** Returns the id of the customer with these identifiers, or null if there is none. */
const findOne = async ({ sql, caller }: Ctx, { phone, externalId }: Identifiers): Promise<string | null> => {
  const holders = await findHolders(sql, { phone, externalId, workspaceId: caller.workspaceId, exceptId: null })
  const byExternalId = externalId !== null && holders.find(holder => holder.externalId === externalId)
  if (byExternalId) return byExternalId.id
  const byPhone = phone !== null && holders.find(holder => holder.phone === phone)
  if (!byPhone) return null
  if (externalId === null || byPhone.externalId === null) return byPhone.id
  throw new DomainError('conflict', 'Another customer already has this phone, with another externalId.', {
    phone: `Belongs to customer ${byPhone.id}.`,
  })
}

/** Returns null if another call assigned an identifier in the meantime. */
const create = async ({ sql, caller }: Ctx, input: UpsertCustomer): Promise<Customer | null> => {
  const { phone = null, externalId = null, name = null, email = null } = input
  const { workspaceId } = caller
  const attributes = splitAttributes(input.attributes ?? {}).set
  validateAttributes(attributes)
  await requireCustomerCapacity(sql, workspaceId)
  const row = await insertCustomer(sql, { workspaceId, phone, externalId, name, email, attributes })
  return row && shape(row)
}

/** Returns null if the customer was erased in the meantime. */
const changeIfExists = async (ctx: Ctx, id: string, input: UpsertCustomer): Promise<Customer | null> => {
  try {
    return await changeCustomer(ctx, id, input)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  }
}
