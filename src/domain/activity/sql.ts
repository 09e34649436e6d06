import type { Sql } from '../../db/client.ts'
import { eventColumns, type Reason, type StoredEvent, storedColumns, type WithVerdicts } from '../events/index.ts'
import { type Measured, type PageRequest, withinAnswer } from '../pagination.ts'

export interface ActivityEventRow extends StoredEvent, WithVerdicts {
  reason: Reason | null
  customer: { id: string; name: string | null; phone: string | null; externalId: string | null }
}

/** Events of a workspace with what they did, newest first. */
export const selectActivityEvents = (
  sql: Sql,
  p: { workspaceId: string; type: string | undefined; reason: Reason | undefined; page: PageRequest },
) =>
  sql<(ActivityEventRow & Measured)[]>`${withinAnswer(
    sql,
    sql`
  select r.*, octet_length(r.data::text) + octet_length(r.verdicts::text) as bytes from (select ${eventColumns(sql)}, e.reason,
    json_build_object('id', e.customer_id, 'name', c.name, 'phone', c.phone, 'externalId', c.external_id) as customer
  from events e
  left join customers c on c.workspace_id = e.workspace_id and c.id = e.customer_id
  where e.workspace_id = ${p.workspaceId}
    ${p.type === undefined ? sql`` : sql`and e.type = ${p.type}`}
    ${p.reason === undefined ? sql`` : sql`and e.reason = ${p.reason}`}
    ${p.reason === undefined || p.reason === 'no_listener' ? sql`` : inIndexOfFew(sql)}
    ${p.page.before === null ? sql`` : sql`and e.id < ${p.page.before}`}
  order by e.id desc limit ${p.page.limit + 1}) r`,
    sql`${storedColumns(sql)}, verdicts, reason, customer`,
  )}`

/** Said in the words of the index events_not_run: from a value alone PostgreSQL cannot tell that it has the event. */
const inIndexOfFew = (sql: Sql) => sql`and e.reason in ('switched_off', 'never_published', 'not_run_for_customer')`
