import { withAudit } from '../../accounts/audit/index.ts'
import type { Caller } from '../../core/context.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import {
  type Consent,
  type ConsentRow,
  type ConsentSource,
  type Customer,
  type LiftOptOut,
  liftOptOut,
  markOptedIn,
  type OptIn,
  type OptOut,
  readCustomer,
  selectConsents,
  shapeCustomer,
} from '../../customers/index.ts'
import { optOut } from './opt-out.ts'

/** Records an opt-in with its evidence. It does not lift an opt-out. */
export const optInCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { evidence }: OptIn): Promise<Customer> => {
    const { workspaceId } = caller
    return shapeCustomer(
      isId(id) ? await markOptedIn(sql, { workspaceId, id, evidence, ...consentSource(caller) }) : null,
    )
  },
)

/**
 * Opts the customer out, so that no more messages are sent. A repeated call changes nothing and emits no second event.
 */
export const optOutCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { reason }: OptOut): Promise<Customer> => {
    const { workspaceId } = caller
    return shapeCustomer(isId(id) ? await optOut(sql, { workspaceId, id, reason, ...consentSource(caller) }) : null)
  },
)

/** Lifts an opt-out for the given reason. 422 if the customer has not opted out. Emits no event. */
export const liftCustomerOptOut = verb(
  { by: 'owner' },
  async (ctx, id: string, { reason }: LiftOptOut): Promise<Customer> => {
    const { workspaceId, id: userId } = ctx.caller
    if (!isId(id)) throw notFound('customer')
    const lifted = await withAudit(
      ctx,
      ({ sql }) => liftOptOut(sql, { workspaceId, id, reason, userId }),
      // The reason is only in the ledger, where an erasure removes it.
      customer => customer && { action: 'liftOptOut', target: { type: 'customer', id } },
    )
    if (lifted) return shapeCustomer(lifted)
    await readCustomer(ctx, id)
    throw new DomainError('unprocessable', 'The customer has not opted out, so there is no opt-out to lift.')
  },
)

/** Lists the ledger of opt-ins, opt-outs and lifted opt-outs, newest first. */
export const listConsents = verb(
  { by: 'key or member' },
  async (ctx, id: string, query: PageQuery): Promise<PageOf<Consent>> => {
    const page = toPageRequest(query)
    await readCustomer(ctx, id)
    return toPage(await selectConsents(ctx.sql, ctx.caller.workspaceId, id, page), page, shapeConsent)
  },
)

const shapeConsent = (row: ConsentRow): Consent => ({ ...row, at: row.at.toISOString() })

const consentSource = (caller: Caller): { source: ConsentSource; userId: string | null } =>
  caller.type === 'api_key' ? { source: 'api', userId: null } : { source: 'dashboard', userId: caller.id }
