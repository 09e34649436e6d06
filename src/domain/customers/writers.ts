/**
 * What a message from a customer does to who is known, as parts of the statement that records it: customers who write for
 * the first time, and the addresses by which customers wrote. Everybody takes these in one order (customers by phone,
 * then addresses), so that two statements never wait for each other in a circle.
 */
import type { Fragment, Sql } from '../../db/client.ts'

/** The customer who wrote by an address on a channel; one who was erased is nobody's customer any more. */
export const customerOfHandle = (sql: Sql, workspaceId: Fragment, channelId: Fragment, handle: Fragment) => sql`
  select h.customer_id as id from handles h
  where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and h.handle = ${handle}
    and (select c.erased_at is null from customers c where c.workspace_id = h.workspace_id and c.id = h.customer_id)
  offset 0`

/** Of `rows` (workspace_id, id, phone, name) those customers who are new; not those whose phone somebody just gave away. */
export const enrollingByPhone = (sql: Sql, rows: Fragment) => sql`
  insert into customers (workspace_id, id, phone, name)
  select workspace_id, id, phone, name from ${rows} order by workspace_id, phone
  on conflict do nothing
  returning workspace_id, id`

/** Of `rows` (workspace_id, channel_id, handle, customer_id) those addresses that nobody had. */
export const reservingHandles = (sql: Sql, rows: Fragment) => sql`
  insert into handles (workspace_id, channel_id, handle, customer_id)
  select workspace_id, channel_id, handle, customer_id from ${rows} order by workspace_id, channel_id, handle
  on conflict do nothing
  returning workspace_id, customer_id`

/** Customers known by nothing but an address, which was reserved for them: `rows` (workspace_id, id, name). */
export const enrollingByHandle = (sql: Sql, rows: Fragment) => sql`
  insert into customers (workspace_id, id, name, has_handle)
  select workspace_id, id, name, true from ${rows}
  returning workspace_id, id`

/** Keeps by which addresses customers wrote: `rows` (workspace_id, channel_id, handle, customer_id). Who wrote last has it. */
export const keepingHandles = (sql: Sql, rows: Fragment) => sql`
  insert into handles (workspace_id, channel_id, handle, customer_id)
  select workspace_id, channel_id, handle, customer_id from ${rows} order by workspace_id, channel_id, handle
  on conflict (workspace_id, channel_id, handle) do update set customer_id = excluded.customer_id
  where handles.customer_id <> excluded.customer_id`

/** Enters into the ledger that customers asked for messages again: `rows` (workspace_id, customer_id, words). */
export const notingResumed = (sql: Sql, rows: Fragment) => sql`
  insert into consents (workspace_id, customer_id, kind, source, words)
  select workspace_id, customer_id, 'opt_in', 'customer', words from ${rows}`

/** The customer whom an address on a channel belongs to: by their phone, or by having written from it. */
export const findByAddress = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; handle: string; phone: string | null },
): Promise<string | null> => {
  const { workspaceId, channelId, handle, phone } = p
  const [row] = await sql<{ id: string }[]>`
    select id, place from (
      (select c.id, 1 as place from customers c
        where c.workspace_id = ${workspaceId} and c.phone = ${phone} and c.erased_at is null)
      union all
      (select h.customer_id, 2 from handles h
        where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and h.handle = ${handle})
    ) found
    order by place limit 1`
  return row?.id ?? null
}

/** As `notingResumed`, of one; told again, where nothing was said since, it changes nothing. */
export const noteResumed = (sql: Sql, p: { workspaceId: string; id: string; words: string }) => sql`
  insert into consents (workspace_id, customer_id, kind, source, words)
  select workspace_id, id, 'opt_in', 'customer', ${p.words} from customers
  where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null and not exists (
    select from (
      select kind, source, words from consents
      where workspace_id = ${p.workspaceId} and customer_id = ${p.id} order by id desc limit 1
    ) last
    where last.kind = 'opt_in' and last.source = 'customer' and last.words = ${p.words})`
