/** SQL that marks and reads sales. People and runs both mark sales through this module. */

import { direction, isOnPage, type PageRequest } from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type Emitted, emit, emitEvents, emitResult } from '../../webhooks/emit/index.ts'

export interface SaleToMark {
  workspaceId: string
  /** Id that makes a repeated call idempotent; null for a new id. */
  id: string | null
  /** Null selects the newest conversation of `customerId`. If there is none, no sale is marked. */
  conversationId: string | null
  /** Customer whose newest conversation is used. A given conversation determines the customer itself. */
  customerId: string | null
  /** Decimal string as returned by `validateAmount`. Stored and emitted with the same digits. */
  amount: string
  currency: string
  note: string | null
  markedBy: { type: 'user' | 'workflow'; id: string }
  /** The run and step position that marked it. The pair is unique, so a repeated step marks the sale once. */
  writtenBy: { runId: string; position: number } | null
  /** `traceparent` of the event whose run marked it. Defaults to null: no trace. Only sales of runs can have one. */
  traceparent?: string | null
}

export interface SaleRow {
  id: string
  conversationId: string
  customerId: string
  /** Text from PostgreSQL with the digits that were given. */
  amount: string
  currency: string
  note: string | null
  markedByType: 'user' | 'workflow'
  markedById: string
  voidedAt: Date | null
  voidReason: string | null
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  id, conversation_id as "conversationId", customer_id as "customerId", amount, currency, note,
  marked_by as "markedByType", marked_by_id as "markedById", voided_at as "voidedAt", void_reason as "voidReason",
  created_at as "createdAt"`

/**
 * SQL parts that mark sales and emit their events, to be placed after the `with` of a statement. A sale and its event
 * are committed together. `inserted_sales` holds the sales that did not exist before, with all columns of `sales`. No sale is
 * marked without a conversation or for an erased customer. The statement must return `emitResult` and run through
 * `emit`.
 *
 * `condition` is ` and` with a condition on the rows `s`, and filters sales. `openedConversations` is ` union all` with a query (id,
 * customer_id) for conversations that the same statement opens and cannot see yet. `sentMessages` is ` union all` with a query
 * (id, run_step) for messages that the same statement enqueues for the row `inserted_sales`. All three may be empty.
 */
export const markSales = (
  sql: Sql,
  sales: readonly SaleToMark[],
  condition: Fragment,
  openedConversations: Fragment,
  sentMessages: Fragment,
) => sql`
  new_sales as materialized (
    select coalesce(s.id, uuidv7()) as id, s.workspace_id, c.id as conversation_id, c.customer_id, s.amount, s.currency,
      s.note, s.marked_by, s.marked_by_id, s.run_id, s.run_step, s.traceparent
    from json_to_recordset(${JSON.stringify(sales.map(toRow))}::text::json) as s(workspace_id uuid, id uuid,
      conversation_id uuid, customer_id uuid, amount numeric, currency text, note text, marked_by text,
      marked_by_id uuid, run_id uuid, run_step integer, traceparent text)
    cross join lateral (
      select c.id, c.customer_id from (
        (select id, customer_id from conversations c
          where c.workspace_id = s.workspace_id and c.id = s.conversation_id and probe_index(c.id) offset 0)
        union all
        (select id, customer_id from conversations c
          where s.conversation_id is null and c.workspace_id = s.workspace_id and c.customer_id = s.customer_id offset 0)
        ${openedConversations}
      ) c order by c.id desc limit 1
    ) c
    cross join lateral (
      select erased_at from customers p where p.workspace_id = s.workspace_id and p.id = c.customer_id offset 0
    ) p
    where p.erased_at is null ${condition}
  ), inserted_sales as (
    insert into sales (workspace_id, id, conversation_id, customer_id, amount, currency, note, marked_by, marked_by_id,
      run_id, run_step, created_at)
    select workspace_id, id, conversation_id, customer_id, amount, currency, note, marked_by, marked_by_id, run_id,
      run_step, uuid_extract_timestamp(id)
    from new_sales order by run_id, run_step
    on conflict do nothing
    returning *
  ), ${emitEvents(sql, 'sale.created', {
    rows: sql`inserted_sales ${isTraced(sales) ? traces(sql) : sql``} order by id`,
    workspaceId: sql`workspace_id`,
    ...(isTraced(sales) && { traceparent: sql`traceparent` }),
    customerId: sql`customer_id`,
    data: {
      saleId: sql`id`,
      conversationId: sql`conversation_id`,
      customerId: sql`customer_id`,
      amount: sql`amount`,
      currency: sql`currency`,
      note: sql`note`,
      messageId: sql`(
        select newest.id from (
          (select m.id, m.run_step from messages m
            where m.workspace_id = inserted_sales.workspace_id and m.run_id = inserted_sales.run_id and m.run_id is not null
              and m.run_step < inserted_sales.run_step and m.status <> 'skipped'
            order by m.run_step desc limit 1)
          ${sentMessages}
        ) newest order by newest.run_step desc limit 1)`,
      runId: sql`run_id`,
    },
  })}`

const isTraced = (sales: readonly SaleToMark[]): boolean => sales.some(({ traceparent = null }) => traceparent !== null)

/** Joins the traces of sales. The ids of sales of runs are new, so that each has one row. */
const traces = (sql: Sql): Fragment =>
  sql`join (select workspace_id, id, traceparent from new_sales) as traced using (workspace_id, id)`

const toRow = ({ markedBy, writtenBy, ...sale }: SaleToMark) => ({
  workspace_id: sale.workspaceId,
  id: sale.id,
  conversation_id: sale.conversationId,
  customer_id: sale.customerId,
  amount: sale.amount,
  currency: sale.currency,
  note: sale.note,
  traceparent: sale.traceparent,
  marked_by: markedBy.type,
  marked_by_id: markedBy.id,
  run_id: writtenBy?.runId,
  run_step: writtenBy?.position,
})

/** Inserts sales and returns the new ones. Existing sales, and sales that cannot be marked, are not returned. */
export const insertSales = (sql: Sql, sales: readonly SaleToMark[]) =>
  emit(
    sql,
    sql<(SaleRow & { workspaceId: string; emitted: Emitted | null })[]>`
    with ${markSales(sql, sales, sql``, sql``, sql``)}
    select ${columns(sql)}, workspace_id as "workspaceId", ${emitResult(sql)} as emitted from inserted_sales`,
  )

/** Finds those of these sales that exist. */
export const findSales = (sql: Sql, sales: readonly { workspaceId: string; id: string }[]) => sql<SaleRow[]>`
  select ${columns(sql)} from (
    select s.* from unnest(${sales.map(({ workspaceId }) => workspaceId)}::uuid[], ${sales.map(({ id }) => id)}::uuid[])
      as i(workspace_id, id)
    cross join lateral (
      select * from sales s where s.workspace_id = i.workspace_id and s.id = i.id and probe_index(s.id) offset 0
    ) s
  ) as found`

/** Finds those of these conversations that exist. */
export const findConversations = (
  sql: Sql,
  conversations: readonly { workspaceId: string; conversationId: string }[],
) => sql<{ id: string }[]>`
  select c.id from unnest(${conversations.map(({ workspaceId }) => workspaceId)}::uuid[],
    ${conversations.map(({ conversationId }) => conversationId)}::uuid[]) as i(workspace_id, id)
  cross join lateral (
    select id from conversations c where c.workspace_id = i.workspace_id and c.id = i.id and probe_index(c.id) offset 0
  ) c`

export interface SaleFilter {
  workspaceId: string
  customerId: string | null
  conversationId: string | null
  /** Id range: `from` is inclusive, `to` is exclusive. */
  from: string | null
  to: string | null
  /** Null selects both. */
  markedBy: 'user' | 'workflow' | null
  voided: boolean | null
}

/** Returns whether sales are filtered one by one, because no index has the author or the state. */
export const needsScan = ({ markedBy, voided }: SaleFilter): boolean => markedBy !== null || voided !== null

/** Selects a page of sales. A scan reads at most `maxScanned` rows. */
export const selectSales = (sql: Sql, filter: SaleFilter, page: PageRequest, maxScanned: number) => {
  const { markedBy, voided } = filter
  const isScan = needsScan(filter)
  return sql<SaleRow[]>`
    select ${columns(sql)} from (
      select * from ${indexedSales(sql, filter, page)}
      order by id ${direction(sql, page)} limit ${isScan ? maxScanned : page.limit + 1}
    ) s
    where true ${markedBy === null ? sql`` : sql`and marked_by = ${markedBy}`}
      ${voided === null ? sql`` : sql`and voided_at is ${voided ? sql`not null` : sql`null`}`}
    order by id ${direction(sql, page)} limit ${page.limit + 1}`
}

export const findLastScannedSale = (sql: Sql, filter: SaleFilter, page: PageRequest, maxScanned: number) =>
  findLastScanned(sql, page, sql`select id from ${indexedSales(sql, filter, page)}`, maxScanned)

/**
 * Sales of the page that an index finds. All sales of a conversation belong to its customer. If both filters are given,
 * the query uses the conversation and checks its customer.
 */
const indexedSales = (sql: Sql, filter: SaleFilter, page: PageRequest) => {
  const { workspaceId, customerId, conversationId, from, to } = filter
  return sql`
    sales where workspace_id = ${workspaceId}
      ${conversationId === null ? sql`` : sql`and conversation_id = ${conversationId}`}
      ${customerId === null || conversationId !== null ? sql`` : sql`and customer_id = ${customerId}`}
      ${
        customerId === null || conversationId === null
          ? sql``
          : sql`and exists (select from conversations c where c.workspace_id = ${workspaceId} and c.id = ${conversationId}
              and c.customer_id = ${customerId})`
      }
      ${from === null ? sql`` : sql`and id >= ${from}`}
      ${to === null ? sql`` : sql`and id < ${to}`}
      ${isOnPage(sql, page, sql`id`)}`
}

export const findSale = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<SaleRow[]>`
    select ${columns(sql)} from sales where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/**
 * Voids a sale. Returns null if there is no sale or it is already voided. For an erased customer, the reason is not
 * stored.
 */
export const markVoided = async (sql: Sql, p: { workspaceId: string; id: string; reason: string }) => {
  const [row] = await sql<SaleRow[]>`
    update sales set voided_at = now(), void_reason = (
      select ${p.reason}::text from customers c
      where c.workspace_id = ${p.workspaceId} and c.id = sales.customer_id and c.erased_at is null
    )
    where workspace_id = ${p.workspaceId} and id = ${p.id} and voided_at is null
    returning ${columns(sql)}`
  return row ?? null
}
