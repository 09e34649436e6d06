/** Erasing what the traces of runs hold of a customer, and ending the runs. */
import type { Sql } from '../../db/client.ts'
import type { ErasedCustomer, PersonalColumns } from '../personal.ts'
import { ending } from '../waits/index.ts'

export const personalInWorkflows: PersonalColumns = { workflow_run_steps: ['detail'], workflow_runs: ['answer'] }

/**
 * Ends the runs first. That waits for whoever is writing what one of them did, so that it is there to be found afterwards;
 * whoever still works on one finds that it has ended, and writes nothing.
 */
export const eraseRunsOf = async (sql: Sql, person: ErasedCustomer): Promise<void> => {
  await endRunsOf(sql, person)
  await eraseReceivedOf(sql, person)
  await eraseStepsOf(sql, person)
}

const endRunsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with ${ending(
    sql,
    sql`select r.workspace_id, r.id from workflow_runs r
      where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId} and r.status = 'active'`,
    { status: 'failed', reason: 'customer_erased' },
  )}
  select count(*) from ended`

const eraseReceivedOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_runs set answer = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and answer is not null`

const eraseStepsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_run_steps s set detail = null
  from workflow_runs r
  where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId}
    and s.workspace_id = r.workspace_id and s.run_id = r.id and s.detail is not null`
