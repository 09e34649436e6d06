import { audited } from '../audited.ts'
import type { Caller } from '../context.ts'
import { DomainError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import { optOut } from './opt-out.ts'
import { shape } from './record.ts'
import type { Consent, Customer, LiftOptOut, OptIn, OptOut } from './schema.ts'
import { readCustomer } from './search.ts'
import { type ConsentRow, type ConsentSource, liftOptOut, markOptedIn, selectConsents } from './sql.ts'

/** Records that the customer agreed, with the evidence. An opt-out is not lifted by it. */
export const optInCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { evidence }: OptIn): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await markOptedIn(sql, { workspaceId, id, evidence, ...saidBy(caller) }) : null)
  },
)

/** No message goes to the customer from here on. Opting out again changes nothing and tells nobody a second time. */
export const optOutCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { reason }: OptOut): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await optOut(sql, { workspaceId, id, reason, ...saidBy(caller) }) : null)
  },
)

/** Messages may go to the customer again, for the reason given; 422 for one who has not opted out. Nobody is told. */
export const liftCustomerOptOut = verb(
  { by: 'owner' },
  async (ctx, id: string, { reason }: LiftOptOut): Promise<Customer> => {
    const { workspaceId, id: userId } = ctx.caller
    if (!isId(id)) throw notFound('customer')
    const lifted = await audited(
      ctx,
      ({ sql }) => liftOptOut(sql, { workspaceId, id, reason, userId }),
      // The reason stands in the ledger, where an erasure reaches it.
      customer => customer && { action: 'liftOptOut', target: { type: 'customer', id } },
    )
    if (lifted) return shape(lifted)
    await readCustomer(ctx, id)
    throw new DomainError('unprocessable', 'The customer has not opted out; there is nothing to lift.')
  },
)

/** The ledger of what a customer agreed to, refused and had lifted, newest first. */
export const listConsents = verb(
  { by: 'key or member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<Consent>> => {
    const page = pageRequest(query)
    await readCustomer(ctx, id)
    return pageOf(await selectConsents(ctx.sql, ctx.caller.workspaceId, id, page), page.limit, entry)
  },
)

const entry = (row: ConsentRow): Consent => ({ ...row, at: row.at.toISOString() })

const saidBy = (caller: Caller): { source: ConsentSource; userId: string | null } =>
  caller.type === 'api_key' ? { source: 'api', userId: null } : { source: 'dashboard', userId: caller.id }
