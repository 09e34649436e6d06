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
    select of_customer.workspace_id, of_customer.id as customer_id, old.id
    from (select distinct t.workspace_id, t.id from ${customers} t) of_customer
    cross join lateral (
      select k.id from consents k
      where k.workspace_id = of_customer.workspace_id and k.customer_id = of_customer.id
      order by k.id desc offset ${maxConsents - 2} limit 1
    ) kept
    cross join lateral (
      select k.id from consents k
      where k.workspace_id = of_customer.workspace_id and k.customer_id = of_customer.id and k.id < kept.id
      order by k.id offset 1 limit ${maxRemoved}
    ) old
  ) old
  where c.workspace_id = old.workspace_id and c.customer_id = old.customer_id and c.id = old.id`
