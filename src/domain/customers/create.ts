import { invalidRequest } from '../errors.ts'
import { verb } from '../verb.ts'
import { claiming, judgeAttributes, shape, splitAttributes } from './record.ts'
import { requireRoomForCustomer } from './room.ts'
import type { CreateCustomer, Customer } from './schema.ts'
import { insertCustomer } from './sql.ts'

/** Creates a customer. 409 if another customer has the phone or the external id. Concurrent calls: one succeeds. */
export const createCustomer = verb({ by: 'key or member' }, async (ctx, input: CreateCustomer): Promise<Customer> => {
  const { phone = null, externalId = null, name = null, email = null } = input
  if (phone === null && externalId === null)
    throw invalidRequest({ phone: 'Send phone, externalId or both, so that the customer can be found again.' })
  const attributes = splitAttributes(input.attributes ?? {}).set
  judgeAttributes(attributes)
  const { workspaceId } = ctx.caller
  await requireRoomForCustomer(ctx.sql, workspaceId)
  const claims = { phone, externalId }
  return shape(
    await claiming(ctx, claims, null, () =>
      insertCustomer(ctx.sql, { workspaceId, ...claims, name, email, attributes }),
    ),
  )
})
