/** Opt-outs: skips queued messages of customers who have opted out immediately, in all channels. */

import { recordChanges } from '../../core/changes/index.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { clearSettledFlags } from './conversation-sql.ts'
import { withdrawMessages } from './withdraw.ts'

/** Reason recorded on messages that are skipped because of an opt-out. */
export const optedOut = 'opted_out: The customer has opted out.'

/**
 * SQL expression: the words with which another customer with the same address has opted out, on any channel; otherwise
 * null. The previous holder of a number is most likely the current holder.
 */
export const optOutByAddress = (sql: Sql, workspaceId: Fragment, handle: Fragment, customerId: Fragment) => sql`
  (select coalesce(other.opt_out_reason, '') from handles h
    cross join lateral (
      select c.opt_out_reason from customers c where c.workspace_id = h.workspace_id and c.id = h.customer_id
        and c.opted_out_at is not null and c.erased_at is null offset 0
    ) other
    where h.workspace_id = ${workspaceId} and h.handle = ${handle} and h.customer_id <> ${customerId} limit 1)`

/**
 * Number of newest messages of a customer that are checked. Older queued messages are skipped by the channel's actor
 * when due.
 */
const maxScanned = 200

/**
 * Skips queued messages of workflows, campaigns and templates for customers who have opted out; idempotent. Plain
 * replies by a person are still sent if the customer opened the conversation (contract 7.3). Messages that a worker has
 * started to send are left to that worker. Messages queued later are skipped by the channel's actor.
 */
export const skipForOptedOut = async (
  sql: Sql,
  customers: readonly { workspaceId: string; id: string }[],
): Promise<number> => {
  if (customers.length === 0) return 0
  const [row] = await sql<{ count: number }[]>`
    with input as materialized (
      select distinct * from unnest(${customers.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${customers.map(({ id }) => id)}::uuid[]) as i(workspace_id, customer_id)
    ), waiting as materialized (
      select m.workspace_id, m.id, m.conversation_id, m.sent_by is not distinct from 'user' and m.template_id is null as is_plain
      from input i
      cross join lateral (
        select c.id from customers c
        where c.workspace_id = i.workspace_id and c.id = i.customer_id and c.opted_out_at is not null offset 0
      ) c
      cross join lateral (
        select * from messages m where m.workspace_id = i.workspace_id and m.customer_id = i.customer_id
        order by m.id desc limit ${maxScanned}
      ) m
      where m.due_at is not null and m.status = 'queued' and m.send_started_at is null
    ), ${withdrawMessages(
      sql,
      sql`
      select w.workspace_id, w.id as message_id from waiting w
      where not (w.is_plain and (select co.opened_by_customer from conversations co
        where co.workspace_id = w.workspace_id and co.id = w.conversation_id and probe_index(co.id)))`,
      optedOut,
    )}
    select count(*)::integer as count from withdrawn`
  return row!.count
}

/** Maximum number of conversations whose flag one batch of opt-outs clears. Readers ignore those of others. */
const maxCleared = 50

/**
 * Clears the flag of a possible opt-out in conversations of customers who have opted out, and reports it to live feeds.
 * Call it with the pool after the opt-outs are committed; inside a transaction it reports nothing.
 */
export const clearFlags = async (
  sql: Sql,
  customers: readonly { workspaceId: string; id: string }[],
): Promise<void> => {
  if (customers.length > 0) recordChanges(sql, 'conversation', await clearSettledFlags(sql, customers, maxCleared))
}
