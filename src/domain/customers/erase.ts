/** Erasing what a customer's own row and the ledger hold of the person. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'

export const personalInCustomers: PersonalColumns = {
  customers: ['phone', 'external_id', 'name', 'email', 'attributes', 'opt_in_evidence', 'opt_out_reason'],
  consents: ['words'],
  handles: ['handle'],
}

/**
 * Takes everything that tells who the customer was from its row, which stays for what points to it. From the commit on
 * no statement that begins finds the customer. Answers by which words it was known until then, for whoever looks for them
 * where no id leads; null when there is none.
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

/** The addresses by which the person wrote: another message from there is somebody new. */
export const eraseHandlesOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  delete from handles where workspace_id = ${workspaceId} and customer_id = ${customerId}`
