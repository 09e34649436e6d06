/** Erases personal data from the customer's row, the ledger and the addresses. */

import type { ErasedCustomer, PersonalColumns } from '../core/personal-data.ts'
import type { Sql } from '../platform/postgres/client.ts'

export const personalInCustomers: PersonalColumns = {
  customers: ['phone', 'external_id', 'name', 'email', 'attributes', 'opt_in_evidence', 'opt_out_reason'],
  consents: ['words'],
  handles: ['handle'],
}

/**
 * Removes all personal data from a customer's row. The row stays, because other records reference it. Statements that
 * begin after the commit cannot find the customer. Returns the former identifiers, so that copies without an id can be
 * found, or null for an unknown customer.
 */
export const markErased = async (sql: Sql, { workspaceId, customerId }: ErasedCustomer): Promise<string[] | null> => {
  const [row] = await sql<{ words: (string | null)[] }[]>`
    update customers c set phone = null, external_id = null, name = null, email = null, attributes = '{}', opt_in_evidence = null,
      opt_out_reason = null, erased_at = now(), updated_at = now()
    where c.workspace_id = ${workspaceId} and c.id = ${customerId} and c.erased_at is null
    returning array[old.phone, old.external_id, old.name, old.email]
      || array(select h.handle from handles h where h.workspace_id = ${workspaceId} and h.customer_id = ${customerId} limit 100)
      as words`
  return row ? [...new Set(row.words.filter(word => word !== null))] : null
}

export const eraseConsentsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update consents set words = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and words is not null`

/** Deletes the customer's addresses. A later message from one of them creates a new customer. */
export const eraseHandlesOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  delete from handles where workspace_id = ${workspaceId} and customer_id = ${customerId}`
