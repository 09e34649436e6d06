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

/** Records an opt-in with its evidence. It does not lift an opt-out. */
export const optInCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { evidence }: OptIn): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await markOptedIn(sql, { workspaceId, id, evidence, ...saidBy(caller) }) : null)
  },
)

/**
 * Opts the customer out, so that no more messages are sent. A repeated call changes nothing and emits no second event.
 */
export const optOutCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { reason }: OptOut): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await optOut(sql, { workspaceId, id, reason, ...saidBy(caller) }) : null)
  },
)

/** Lifts an opt-out for the given reason. 422 if the customer has not opted out. Emits no event. */
export const liftCustomerOptOut = verb(
  { by: 'owner' },
  async (ctx, id: string, { reason }: LiftOptOut): Promise<Customer> => {
    const { workspaceId, id: userId } = ctx.caller
    if (!isId(id)) throw notFound('customer')
    const lifted = await audited(
      ctx,
      ({ sql }) => liftOptOut(sql, { workspaceId, id, reason, userId }),
      // The reason is only in the ledger, where an erasure removes it.
      customer => customer && { action: 'liftOptOut', target: { type: 'customer', id } },
    )
    if (lifted) return shape(lifted)
    await readCustomer(ctx, id)
    throw new DomainError('unprocessable', 'The customer has not opted out; there is nothing to lift.')
  },
)

/** Lists the ledger of opt-ins, opt-outs and lifted opt-outs, newest first. */
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
