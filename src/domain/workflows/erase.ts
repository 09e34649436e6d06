/** Erasing what the traces of runs hold of a customer, and ending the runs. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'

export const personalInWorkflows: PersonalColumns = { workflow_run_steps: ['detail'] }

/**
 * Ends the runs first. That waits for whoever is writing what one of them did, so that it is there to be found afterwards;
 * whoever still works on one finds that it has ended, and writes nothing.
 */
export const eraseRunsOf = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  await endRunsOf(sql, person)
  await eraseStepsOf(sql, person)
}

const endRunsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_runs set status = 'failed', end_reason = 'customer_erased', waiting = false, wake_at = null, ended_at = now()
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and status = 'active'`

const eraseStepsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_run_steps s set detail = null
  from workflow_runs r
  where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId}
    and s.workspace_id = r.workspace_id and s.run_id = r.id and s.detail is not null`
