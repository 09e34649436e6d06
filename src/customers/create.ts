import { invalidRequest } from '../core/errors.ts'
import { verb } from '../core/verb.ts'
import { requireCustomerCapacity } from './limit.ts'
import { claimIdentifiers, shape, splitAttributes, validateAttributes } from './record.ts'
import type { CreateCustomer, Customer } from './schema.ts'
import { insertCustomer } from './sql.ts'

/** Creates a customer. 409 if another customer has the phone or the external id. Concurrent calls: one succeeds. */
export const createCustomer = verb({ by: 'key or member' }, async (ctx, input: CreateCustomer): Promise<Customer> => {
  const { phone = null, externalId = null, name = null, email = null } = input
  if (phone === null && externalId === null)
    throw invalidRequest({ phone: 'Send phone, externalId or both to identify the customer.' })
  const attributes = splitAttributes(input.attributes ?? {}).set
  validateAttributes(attributes)
  const { workspaceId } = ctx.caller
  await requireCustomerCapacity(ctx.sql, workspaceId)
  const claims = { phone, externalId }
  return shape(
    await claimIdentifiers(ctx, claims, null, () =>
      insertCustomer(ctx.sql, { workspaceId, ...claims, name, email, attributes }),
    ),
  )
})
