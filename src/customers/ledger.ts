/** Limits the ledger of consents. Used in the statements that add entries. */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** Maximum number of entries in the ledger of one customer, not counting the first. */
export const maxConsents = 1000
/** Maximum number of entries that one statement removes for one customer. */
const maxRemoved = 10

/**
 * Removes the oldest entries of `customers` (workspace_id, id) beyond the newest `maxConsents`. The first entry stays,
 * because it shows since when the customer has agreed. Use it in a statement that adds an entry and has locked these
 * customers, so that no two statements remove the same entries.
 */
export const pruneConsents = (sql: Sql, customers: Fragment) => sql`
  delete from consents c using (
    select changed.workspace_id, changed.id as customer_id, removable.id
    from (select distinct t.workspace_id, t.id from ${customers} t) changed
    cross join lateral (
      select k.id from consents k
      where k.workspace_id = changed.workspace_id and k.customer_id = changed.id
      order by k.id desc offset ${maxConsents - 2} limit 1
    ) oldest_kept
    cross join lateral (
      select k.id from consents k
      where k.workspace_id = changed.workspace_id and k.customer_id = changed.id and k.id < oldest_kept.id
      order by k.id offset 1 limit ${maxRemoved}
    ) removable
  ) removable
  where c.workspace_id = removable.workspace_id and c.customer_id = removable.customer_id and c.id = removable.id`
