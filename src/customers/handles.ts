/**
 * SQL fragments that enrol customers who write for the first time, and store the addresses from which customers wrote.
 * All statements lock in one order (customers by phone, then addresses), so that they cannot deadlock.
 */

import { newId } from '../core/ids.ts'
import { type Fragment, type Sql, sqlState } from '../platform/postgres/client.ts'

/**
 * Returns the customer who wrote from an address on a channel, and the opt-out reason if they opted out. Erased
 * customers are excluded.
 */
export const selectCustomerByHandle = (sql: Sql, workspaceId: Fragment, channelId: Fragment, handle: Fragment) => sql`
  select h.customer_id as id, c.opt_out_reason from handles h
  cross join lateral (
    select case when c.opted_out_at is not null then coalesce(c.opt_out_reason, '') end as opt_out_reason from customers c
    where c.workspace_id = h.workspace_id and c.id = h.customer_id and c.erased_at is null offset 0
  ) c
  where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and h.handle = ${handle}
  offset 0`

/**
 * Returns the customer without a number who wrote from `phone` (workspace_id, id, phone, external_id). If several match
 * on different channels, the newest address wins.
 */
export const selectCustomerWithoutPhone = (sql: Sql, workspaceId: Fragment, phone: Fragment) => sql`
  select c.workspace_id, c.id, c.phone, c.external_id from handles h
  cross join lateral (
    select * from customers c
    where c.workspace_id = h.workspace_id and c.id = h.customer_id and c.phone is null and c.erased_at is null offset 0
  ) c
  where h.workspace_id = ${workspaceId} and h.handle = ${phone}
  order by h.created_at desc limit 1`

/**
 * Assigns a number to a customer without one, unless another customer has it. Handles one customer per statement:
 * several numbers could not be assigned in an order that excludes deadlocks. Skips a locked customer, because the next
 * message contains the number again.
 */
export const assignPhone = async (sql: Sql, p: { workspaceId: string; id: string; phone: string }): Promise<void> => {
  const { workspaceId, id, phone } = p
  try {
    await sql`
      update customers c set phone = ${phone}, updated_at = now()
      from (
        select locked.id from customers locked
        where locked.workspace_id = ${workspaceId} and locked.id = ${id} and locked.phone is null and locked.erased_at is null
        for update skip locked
      ) locked
      where c.workspace_id = ${workspaceId} and c.id = locked.id
        and not exists (select from customers o where o.workspace_id = ${workspaceId} and o.phone = ${phone})`
  } catch (error) {
    // A concurrent statement assigned the number.
    if (sqlState(error) !== uniqueViolation) throw error
  }
}

const uniqueViolation = '23505'

/** Inserts new customers from `rows` (workspace_id, id, phone, name). Skips phones that were just assigned. */
export const insertByPhone = (sql: Sql, rows: Fragment) => sql`
  insert into customers (workspace_id, id, phone, name)
  select workspace_id, id, phone, name from ${rows} order by workspace_id, phone
  on conflict do nothing
  returning workspace_id, id`

/**
 * Inserts addresses from `rows` (workspace_id, channel_id, handle, customer_id) that are not in use, and returns them.
 */
export const reserveHandles = (sql: Sql, rows: Fragment) => sql`
  insert into handles (workspace_id, channel_id, handle, customer_id)
  select workspace_id, channel_id, handle, customer_id from ${rows} order by workspace_id, channel_id, handle
  on conflict do nothing
  returning workspace_id, customer_id`

/** Inserts customers who are known only by a reserved address, from `rows` (workspace_id, id, name). */
export const insertByHandle = (sql: Sql, rows: Fragment) => sql`
  insert into customers (workspace_id, id, name, has_handle)
  select workspace_id, id, name, true from ${rows}
  returning workspace_id, id`

/**
 * Stores the addresses from `rows` (workspace_id, channel_id, handle, customer_id). The customer who wrote last gets
 * the address.
 */
export const storeHandles = (sql: Sql, rows: Fragment) => sql`
  insert into handles (workspace_id, channel_id, handle, customer_id)
  select workspace_id, channel_id, handle, customer_id from ${rows} order by workspace_id, channel_id, handle
  on conflict (workspace_id, channel_id, handle) do update set customer_id = excluded.customer_id
  where handles.customer_id <> excluded.customer_id`

/**
 * Adds an opt-in to the ledger for customers who asked for messages again, from `rows` (workspace_id, customer_id,
 * words).
 */
export const recordRenewedOptIns = (sql: Sql, rows: Fragment) => sql`
  insert into consents (workspace_id, customer_id, kind, source, words)
  select workspace_id, customer_id, 'opt_in', 'customer', words from ${rows}`

/** Returns the customer with an address on a channel, by phone or by an earlier message from it. */
export const findByAddress = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; handle: string; phone: string | null },
): Promise<string | null> => {
  const { workspaceId, channelId, handle, phone } = p
  const [row] = await sql<{ id: string }[]>`
    select id, position from (
      (select c.id, 1 as position from customers c
        where c.workspace_id = ${workspaceId} and c.phone = ${phone} and c.erased_at is null)
      union all
      (select h.customer_id, 2 from handles h
        where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and h.handle = ${handle})
    ) found
    order by position limit 1`
  return row?.id ?? null
}

/**
 * Creates a customer with an address on a channel, and returns the id. If a concurrent call assigned the address,
 * returns that customer.
 */
export const enrolByAddress = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; handle: string; phone: string | null },
): Promise<string | null> => {
  const id = newId()
  const handle = sql`(select ${p.workspaceId}::uuid as workspace_id, ${p.channelId}::uuid as channel_id,
    ${p.handle}::text as handle, ${id}::uuid as customer_id, ${p.phone}::text as phone, null::text as name) one`
  if (p.phone !== null)
    await sql`
      with enrolled as (${insertByPhone(sql, sql`(select workspace_id, customer_id as id, phone, name from ${handle}) one`)})
      ${storeHandles(sql, sql`(select one.* from ${handle} where one.customer_id in (select id from enrolled)) one`)}`
  else
    await sql`
      with reserved as (${reserveHandles(sql, handle)})
      ${insertByHandle(
        sql,
        sql`(select workspace_id, customer_id as id, name from ${handle}
        where one.customer_id in (select customer_id from reserved)) one`,
      )}`
  return findByAddress(sql, p)
}

/** Like `recordRenewedOptIns`, for one customer. Does nothing if the latest entry in the ledger is the same. */
export const recordRenewedOptIn = (sql: Sql, p: { workspaceId: string; id: string; words: string }) => sql`
  insert into consents (workspace_id, customer_id, kind, source, words)
  select workspace_id, id, 'opt_in', 'customer', ${p.words} from customers
  where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null and not exists (
    select from (
      select kind, source, words from consents
      where workspace_id = ${p.workspaceId} and customer_id = ${p.id} order by id desc limit 1
    ) last
    where last.kind = 'opt_in' and last.source = 'customer' and last.words = ${p.words})`

/** An opt-out as reported by a provider, with the time of the customer's request. */
export interface DatedOptOut {
  workspaceId: string
  /** Id of the customer. */
  id: string
  words: string
  at: Date
  /** Source of the time: the provider, in whole seconds, or the row in which it was stored. */
  by: 'provider' | 'row'
}

/**
 * Maximum expected difference between a provider's clock and ours. Times more than a day ahead were already rejected.
 */
const maxClockSkew = '5 minutes'

/**
 * Returns whether an opt-out is settled: it is in the ledger, or an owner has lifted the opt-out since. It has no
 * effect after a lift. If the provider dates it before the lift and it is not in the ledger, it is added with that
 * time.
 */
export const isOptOutSettled = async (sql: Sql, { workspaceId, id, words, at, by }: DatedOptOut): Promise<boolean> => {
  const [row] = await sql<{ settled: boolean }[]>`
    with checked as materialized (
      select c.workspace_id, c.id, known.is_same, known.is_known, coalesce(lift.at >= ${at}::timestamptz
          + case when ${by} = 'provider' then interval '1 second' else interval '0' end, false) as is_lifted
      from customers c
      cross join lateral (
        select coalesce(bool_or(k.reported_at = ${at}), false) as is_same, count(*) > 0 as is_known from consents k
        where k.workspace_id = c.workspace_id and k.customer_id = c.id and k.kind = 'opt_out'
          and k.at >= ${at}::timestamptz - interval '1 day' and k.source = 'customer' and k.words = ${words}
          and (k.reported_at = ${at} or k.reported_at is null and k.at >= ${at}::timestamptz - ${maxClockSkew}::interval)
      ) known
      left join lateral (
        select l.at from consents l
        where l.workspace_id = c.workspace_id and l.customer_id = c.id and l.kind = 'lift' order by l.at desc limit 1
      ) lift on true
      where c.workspace_id = ${workspaceId} and c.id = ${id} and c.erased_at is null
    ), recorded as (
      insert into consents (workspace_id, customer_id, id, kind, source, words, at, reported_at)
      select workspace_id, id, uuidv7(${at}::timestamptz - clock_timestamp()), 'opt_out', 'customer', ${words}, ${at}, ${at}
      from checked where is_lifted and not is_known and ${by} = 'provider'
    )
    select is_same or is_lifted as settled from checked`
  return row?.settled ?? false
}
