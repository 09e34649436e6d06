/** Erases the personal data in a customer's events. */

import type { ErasedCustomer, PersonalColumns } from '../core/personal-data.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { smallestId } from '../platform/postgres/ids.ts'
import { keyDigest, keyHash } from './key-digest.ts'

export const personalInEvents: PersonalColumns = {
  events: ['data', 'idempotency_key'],
  // Contains compared values if a workflow did not run for the customer. Other verdicts contain no personal data and
  // stay.
  event_outcomes: ['detail'],
}

/** Erases in pages, one statement each, to limit the number of locks and to stay within the statement timeout. */
export const eraseEventsOf = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  for (let last: string | null = smallestId; last !== null; ) last = await eraseEventsPage(sql, person, last)
}

const eventsPerPage = 2000

/** Erases the page of events after the given id. Returns the last id, or null if there were none. */
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
