/** Erases personal data of a customer in sales. The sale itself is kept for the statistics. */

import type { ErasedCustomer, PersonalColumns } from '../../core/personal-data.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export const personalInSales: PersonalColumns = { sales: ['note', 'void_reason'] }

export const eraseSalesOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update sales set note = null, void_reason = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId}
    and num_nonnulls(note, void_reason) > 0`
