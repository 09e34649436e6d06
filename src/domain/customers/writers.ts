/**
 * What a message from a customer does to who is known, as parts of the statement that records it: customers who write for
 * the first time, and the addresses by which customers wrote. Everybody takes these in one order (customers by phone,
 * then addresses), so that two statements never wait for each other in a circle.
 */
import { type Fragment, type Sql, sqlState } from '../../db/client.ts'
import { newId } from '../ids.ts'

/**
 * The customer who wrote by an address on a channel, and where they have opted out, in which words; one who was erased is
 * nobody's customer any more.
 */
export const customerOfHandle = (sql: Sql, workspaceId: Fragment, channelId: Fragment, handle: Fragment) => sql`
  select h.customer_id as id, c.stop from handles h
  cross join lateral (
    select case when c.opted_out_at is not null then coalesce(c.opt_out_reason, '') end as stop from customers c
    where c.workspace_id = h.workspace_id and c.id = h.customer_id and c.erased_at is null offset 0
  ) c
  where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and h.handle = ${handle}
  offset 0`

/**
 * The customer without a number who wrote from `phone` (workspace_id, id, phone, external_id). Of several, on several
 * channels, the one who began to last.
 */
export const customersWithoutNumber = (sql: Sql, workspaceId: Fragment, phone: Fragment) => sql`
  select c.workspace_id, c.id, c.phone, c.external_id from handles h
  cross join lateral (
    select * from customers c
    where c.workspace_id = h.workspace_id and c.id = h.customer_id and c.phone is null and c.erased_at is null offset 0
  ) c
  where h.workspace_id = ${workspaceId} and h.handle = ${phone}
  order by h.created_at desc limit 1`

/**
 * Gives a customer without a number the one they wrote from, unless somebody has it. By itself: numbers of several
 * customers could not be given in an order in which nobody waits in a circle. Waits for nobody who holds the customer:
 * their next message tells the number again.
 */
export const giveNumber = async (sql: Sql, p: { workspaceId: string; id: string; phone: string }): Promise<void> => {
  const { workspaceId, id, phone } = p
  try {
    await sql`
      update customers c set phone = ${phone}, updated_at = now()
      from (
        select held.id from customers held
        where held.workspace_id = ${workspaceId} and held.id = ${id} and held.phone is null and held.erased_at is null
        for update skip locked
      ) held
      where c.workspace_id = ${workspaceId} and c.id = held.id
        and not exists (select from customers o where o.workspace_id = ${workspaceId} and o.phone = ${phone})`
  } catch (error) {
    // Somebody was given it at the same moment.
    if (sqlState(error) !== uniqueViolation) throw error
  }
}

const uniqueViolation = '23505'

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

/** A new customer who is known by an address on a channel; whoever had it meanwhile, where somebody did. */
export const enrolByAddress = async (
  sql: Sql,
  p: { workspaceId: string; channelId: string; handle: string; phone: string | null },
): Promise<string | null> => {
  const id = newId()
  const handle = sql`(select ${p.workspaceId}::uuid as workspace_id, ${p.channelId}::uuid as channel_id,
    ${p.handle}::text as handle, ${id}::uuid as customer_id, ${p.phone}::text as phone, null::text as name) one`
  if (p.phone !== null)
    await sql`
      with enrolled as (${enrollingByPhone(sql, sql`(select workspace_id, customer_id as id, phone, name from ${handle}) one`)})
      ${keepingHandles(sql, sql`(select one.* from ${handle} where one.customer_id in (select id from enrolled)) one`)}`
  else
    await sql`
      with reserved as (${reservingHandles(sql, handle)})
      ${enrollingByHandle(
        sql,
        sql`(select workspace_id, customer_id as id, name from ${handle}
        where one.customer_id in (select customer_id from reserved)) one`,
      )}`
  return findByAddress(sql, p)
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

/** A wish to get nothing more, as a provider told it, and when it was first said. */
export interface DatedWish {
  workspaceId: string
  /** The customer's. */
  id: string
  words: string
  at: Date
  /** Whose time that is: the provider's, in whole seconds, or that of the row in which we kept it. */
  by: 'provider' | 'row'
}

/** Clocks of providers are rarely further behind ours or ahead; what is dated more than a day ahead is not taken for a time. */
const clocksDiffer = '5 minutes'

/**
 * Whether a wish is settled: it is in the ledger, or an owner has lifted the opt-out since it was said, and then it opts
 * nobody out. One that its provider dates before the lift, and of which nobody had heard, is entered as of then.
 */
export const isSettledWish = async (sql: Sql, { workspaceId, id, words, at, by }: DatedWish): Promise<boolean> => {
  const [row] = await sql<{ settled: boolean }[]>`
    with judged as materialized (
      select c.workspace_id, c.id, known.is_same, known.is_known, coalesce(lift.at >= ${at}::timestamptz
          + case when ${by} = 'provider' then interval '1 second' else interval '0' end, false) as is_lifted
      from customers c
      cross join lateral (
        select coalesce(bool_or(k.told_at = ${at}), false) as is_same, count(*) > 0 as is_known from consents k
        where k.workspace_id = c.workspace_id and k.customer_id = c.id and k.kind = 'opt_out'
          and k.at >= ${at}::timestamptz - interval '1 day' and k.source = 'customer' and k.words = ${words}
          and (k.told_at = ${at} or k.told_at is null and k.at >= ${at}::timestamptz - ${clocksDiffer}::interval)
      ) known
      left join lateral (
        select l.at from consents l
        where l.workspace_id = c.workspace_id and l.customer_id = c.id and l.kind = 'lift' order by l.at desc limit 1
      ) lift on true
      where c.workspace_id = ${workspaceId} and c.id = ${id} and c.erased_at is null
    ), noted as (
      insert into consents (workspace_id, customer_id, id, kind, source, words, at, told_at)
      select workspace_id, id, uuidv7(${at}::timestamptz - clock_timestamp()), 'opt_out', 'customer', ${words}, ${at}, ${at}
      from judged where is_lifted and not is_known and ${by} = 'provider'
    )
    select is_same or is_lifted as settled from judged`
  return row?.settled ?? false
}
