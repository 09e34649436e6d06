/** Erasing what events hold of a customer. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'
import { keyDigest, keyHash } from './key-digest.ts'

export const personalInEvents: PersonalColumns = {
  events: ['data', 'idempotency_key'],
  // What was compared, where a workflow did not run for the customer. Else it names a type, and stays.
  event_outcomes: ['detail'],
}

/** In pages, each a statement of its own: none holds many locks, and none runs into the time limit. */
export const eraseEventsOf = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  for (let last: string | null = firstId; last !== null; ) last = await eraseEventsPage(sql, person, last)
}

const firstId = '00000000-0000-0000-0000-000000000000'
const eventsPerPage = 2000

/** Erases the events after the given one. Answers the last of them, or null when there were none. */
const eraseEventsPage = async (sql: Sql, { workspaceId, customerId }: ErasedCustomer, after: string) => {
  const [row] = await sql<{ last: string | null }[]>`
    with page as materialized (
      select workspace_id, id from events
      where workspace_id = ${workspaceId} and customer_id = ${customerId} and id > ${after}
      order by id limit ${eventsPerPage}
    ), erased as (
      update events e set data = '{}', idempotency_key = null,
        key_digest = coalesce(${keyDigest(sql, sql`e.idempotency_key`)}, e.key_digest),
        key_hash = coalesce(${keyHash(sql, sql`e.idempotency_key`)}, e.key_hash)
      from page where e.workspace_id = page.workspace_id and e.id = page.id
        and (e.data <> '{}' or e.idempotency_key is not null)
    ), outcomes as (
      update event_outcomes o set detail = null
      from page where o.workspace_id = page.workspace_id and o.event_id = page.id
        and o.verdict = 'not_run_for_customer' and o.detail is not null
    )
    select (select id from page order by id desc limit 1) as last`
  return row!.last
}
