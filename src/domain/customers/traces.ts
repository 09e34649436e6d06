/** The statements of an erasure, which reach into every table that knows a customer. Each may be repeated. */
import type { Sql } from '../../db/client.ts'

/** A customer that is marked as erased. */
export interface ErasedCustomer {
  workspaceId: string
  customerId: string
}

/** The database's time with all its digits. */
export const readClock = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`
  return row!.now
}

/** Whether another session is still in a transaction that began before that time. */
export const isOlderTransactionOpen = async (sql: Sql, time: string): Promise<boolean> => {
  const [row] = await sql<{ open: boolean }[]>`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start <= ${time}::text::timestamptz) as open`
  return row!.open
}

/** Waits for whoever is advancing one of the runs, so that the messages of that step are there to be found afterwards. */
export const endRuns = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_runs set status = 'failed', end_reason = 'customer_erased', waiting = false, wake_at = null, ended_at = now()
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and status = 'active'`

export const blankRunSteps = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_run_steps s set detail = null
  from workflow_runs r
  where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId}
    and s.workspace_id = r.workspace_id and s.run_id = r.id and s.detail is not null`

const messagesPerPage = 1000

/**
 * Blanks a page of messages; one that was still to be sent is skipped. Passes over those that another transaction holds
 * rather than wait for it, which may itself be waiting for one of this page.
 */
export const blankMessages = async (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => {
  const telling = sql`workspace_id = ${workspaceId} and customer_id = ${customerId}
    and (text is not null or due_at is not null or (detail is not null and status <> 'skipped'))`
  const [row] = await sql<{ found: boolean; blanked: number }[]>`
    with page as materialized (
      select workspace_id, id from messages where ${telling} order by id limit ${messagesPerPage} for update skip locked
    ), statuses as (
      update message_statuses s set detail = null
      from page where s.workspace_id = page.workspace_id and s.message_id = page.id and s.detail is not null
    ), blanked as (
      update messages m set text = null, due_at = null, updated_at = now(),
        status = case when m.status = 'queued' then 'skipped' else m.status end,
        detail = case m.status when 'queued' then 'The customer was erased.' when 'skipped' then m.detail end
      from page where m.workspace_id = page.workspace_id and m.id = page.id
      returning m.id
    )
    select (select count(*)::integer from blanked) as blanked, exists (select from messages where ${telling}) as found`
  return row!
}

const eventsPerPage = 2000

/**
 * Blanks a page of events after the given one, and what was noted of their data where a workflow did not run. Answers
 * the last of them, or null when there were none.
 */
export const blankEvents = async (sql: Sql, { workspaceId, customerId }: ErasedCustomer, after: string) => {
  const [row] = await sql<{ last: string | null }[]>`
    with page as materialized (
      select workspace_id, id from events
      where workspace_id = ${workspaceId} and customer_id = ${customerId} and id > ${after}
      order by id limit ${eventsPerPage}
    ), blanked as (
      update events e set data = '{}'
      from page where e.workspace_id = page.workspace_id and e.id = page.id and e.data <> '{}'
    ), outcomes as (
      update event_outcomes o set detail = null
      from page where o.workspace_id = page.workspace_id and o.event_id = page.id
        and o.verdict = 'not_run_for_customer' and o.detail is not null
    )
    select (select id from page order by id desc limit 1) as last`
  return row!.last
}

export const blankConversations = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update conversations set handle = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and handle is not null`

export const blankConsents = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update consents set words = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and words is not null`

/**
 * Takes numbers and words from what endpoints were or are to be told of the person, and what they answered. The
 * condition on type and detail is that of the index outbound_events_of_person. An opt-out names no customer: its entry
 * in the ledger says which event told of it.
 */
export const blankOutboundEvents = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with about as materialized (
    select e.workspace_id, e.id, e.data, e.sent_to from outbound_events e
    where e.workspace_id = ${workspaceId}
      and coalesce(e.data ->> 'customerId', e.data ->> 'conversationId') = any (array[${customerId}::text] || array(
        select id::text from conversations where workspace_id = ${workspaceId} and customer_id = ${customerId}))
      and (e.type in ('message.received', 'sale.created') or (e.type = 'message.status' and e.data ->> 'detail' is not null))
    union all
    select e.workspace_id, e.id, e.data, e.sent_to
    from consents c join outbound_events e on e.workspace_id = c.workspace_id and e.id = c.outbound_event_id
    where c.workspace_id = ${workspaceId} and c.customer_id = ${customerId}
  ), answers as (
    update delivery_attempts a set response_body = null
    from about, jsonb_each_text(about.sent_to) sent
    where a.workspace_id = about.workspace_id and a.delivery_id = sent.value::uuid and a.response_body is not null
  )
  update outbound_events e set data = e.data || blank.fields
  from about, lateral (
    select coalesce(jsonb_object_agg(key, case key when 'reason' then '"erased"'::jsonb else 'null'::jsonb end), '{}') as fields
    from jsonb_object_keys(about.data) key where key in ('from', 'handle', 'text', 'note', 'detail', 'reason')
  ) blank
  where e.workspace_id = about.workspace_id and e.id = about.id and e.data <> e.data || blank.fields`
