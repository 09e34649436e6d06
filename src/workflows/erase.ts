/** Erases personal data of a customer from runs and their traces, and ends the runs. */

import type { ErasedCustomer, PersonalColumns } from '../core/personal-data.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { endRuns } from '../queue/waits/index.ts'

export const personalInWorkflows: PersonalColumns = { workflow_run_steps: ['detail'], workflow_runs: ['answer'] }

/**
 * Ends the runs first. That waits for a transaction that is writing their steps, so that these are erased too. A worker
 * that still executes a run finds it ended and writes nothing.
 */
export const eraseRunsOf = async (sql: Sql, customer: ErasedCustomer): Promise<void> => {
  await endRunsOf(sql, customer)
  await eraseRunAnswers(sql, customer)
  await eraseStepsOf(sql, customer)
}

const endRunsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  with ${endRuns(
    sql,
    sql`select r.workspace_id, r.id from workflow_runs r
      where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId} and r.status = 'active'`,
    { status: 'failed', reason: 'customer_erased' },
  )}
  select count(*) from ended`

const eraseRunAnswers = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_runs set answer = null
  where workspace_id = ${workspaceId} and customer_id = ${customerId} and answer is not null`

const eraseStepsOf = (sql: Sql, { workspaceId, customerId }: ErasedCustomer) => sql`
  update workflow_run_steps s set detail = null
  from workflow_runs r
  where r.workspace_id = ${workspaceId} and r.customer_id = ${customerId}
    and s.workspace_id = r.workspace_id and s.run_id = r.id and s.detail is not null`
