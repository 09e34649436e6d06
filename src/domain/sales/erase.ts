/** Erases personal data of a customer in sales. The sale itself is kept for the statistics. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'

export const personalInSales: PersonalColumns = { sales: ['note', 'void_reason'] }

export const eraseSalesOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update sales set note = null, void_reason = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId}
    and num_nonnulls(note, void_reason) > 0`
