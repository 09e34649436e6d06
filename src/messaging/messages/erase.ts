/** Erases personal data of a customer in messages and conversations. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErasedCustomer, PersonalColumns } from '../../core/personal-data.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { erasedId, isErasedId } from './erased-id.ts'
import { countStatuses } from './statistics.ts'

export const personalInMessages: PersonalColumns = {
  // The detail of a skipped message is written by the service and is kept.
  messages: ['text', 'detail', 'provider_template', 'provider_message_id', 'idempotency_key'],
  message_statuses: ['detail'],
  conversations: ['handle'],
  // Early statuses cannot be assigned to a customer, so those of the whole workspace are erased.
  early_statuses: ['detail'],
}

/** Reason recorded on messages that are skipped because of the erasure. */
export const erased = 'The customer was erased.'

const pollMs = 5

/** Erases the messages of a customer. Skips messages that are being settled, and retries them. */
export const eraseMessagesOf = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  for (;;) {
    const { found, erased } = await eraseMessagesPage(sql, person)
    if (!found) break
    if (erased === 0) await sleep(pollMs)
  }
  await eraseConversationsOf(sql, person)
  await eraseEarlyDetails(sql, person)
}

const messagesPerPage = 1000

/**
 * Erases a page of messages; queued messages become skipped. Passes over rows that another transaction has locked, to
 * avoid a deadlock.
 */
const eraseMessagesPage = async (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => {
  const notErased = sql`workspace_id = ${workspaceId} and customer_id = ${customerId}
    and (text is not null or provider_template is not null or due_at is not null or (detail is not null and status <> 'skipped')
      or not ${isErasedId(sql, sql`provider_message_id`)} or not ${isErasedId(sql, sql`idempotency_key`)})`
  const [row] = await sql<{ found: boolean; erased: number }[]>`
    with page as materialized (
      select workspace_id, id from messages where ${notErased} order by id limit ${messagesPerPage} for update skip locked
    ), statuses as (
      update message_statuses s set detail = null
      from page where s.workspace_id = page.workspace_id and s.message_id = page.id and s.detail is not null
    ), erased as (
      update messages m set text = null, provider_template = null, due_at = null, updated_at = now(),
        provider_message_id = ${keepErased(sql, sql`m.provider_message_id`)},
        idempotency_key = ${keepErased(sql, sql`m.idempotency_key`)},
        status = case when m.status = 'queued' then 'skipped' else m.status end,
        detail = case m.status when 'queued' then ${erased} when 'skipped' then m.detail end
      from page where m.workspace_id = page.workspace_id and m.id = page.id
      returning m.workspace_id, m.channel_id, m.id, old.status, new.detail
    ), skipped_statuses as (
      insert into message_statuses (workspace_id, message_id, status, detail)
      select workspace_id, id, 'skipped', detail from erased where status = 'queued'
    ), stats as (${countStatuses(
      sql,
      sql`select workspace_id, channel_id, 'skipped' as status, detail from erased where status = 'queued'`,
    )})
    select (select count(*)::integer from erased) as erased, exists (select from messages where ${notErased}) as found`
  return row!
}

/** Keeps a value that is already erased. */
const keepErased = (sql: Sql, id: Fragment) =>
  sql`case when ${isErasedId(sql, id)} then ${id} else ${erasedId(sql, id)} end`

const eraseConversationsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update conversations set handle = null, waiting_since = null, looks_like_opt_out = false
  where workspace_id = ${workspaceId} and customer_id = ${customerId}
    and (handle is not null or waiting_since is not null or looks_like_opt_out)`

const earlyPerPage = 1000

/** Erases the details of statuses that arrived before their message was recorded. Their status is kept. */
const eraseEarlyDetails = async (sql: Sql, { workspaceId }: ErasedCustomer): Promise<void> => {
  for (;;) {
    const { count } = await sql`
      with page as materialized (
        select workspace_id, channel_id, provider_message_id, id from early_statuses
        where workspace_id = ${workspaceId} and detail is not null
        order by channel_id, provider_message_id, id limit ${earlyPerPage} for update
      )
      update early_statuses e set detail = null
      from page where e.workspace_id = page.workspace_id and e.channel_id = page.channel_id
        and e.provider_message_id = page.provider_message_id and e.id = page.id`
    if (count < earlyPerPage) return
  }
}
