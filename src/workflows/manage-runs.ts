/** Lists, reads and stops runs. */
import { withAudit } from '../accounts/audit/index.ts'
import { recordChanges } from '../core/changes/index.ts'
import type { Ctx } from '../core/context.ts'
import { DomainError, notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../core/pagination.ts'
import { maxScanned, toScanPage } from '../core/scan.ts'
import { verb } from '../core/verb.ts'
import { JsonText } from '../platform/json-text.ts'
import { requireWorkflow } from './require-workflow.ts'
import type { Run, RunQuery } from './run-schema.ts'
import { stopRun as endRun, findLastScannedRun, findRun, needsScan, type RunRow, selectRuns } from './runs-sql.ts'

/** Lists the runs of a workflow with their traces. */
export const listRuns = verb({ by: 'member' }, async (ctx, id: string, query: RunQuery): Promise<PageOf<Run>> => {
  await requireWorkflow(ctx, id)
  const { sql, caller } = ctx
  const page = toPageRequest(query)
  const { status, version, customerId } = query
  const filter = { workspaceId: caller.workspaceId, workflowId: id, status, version, customerId, page }
  const rows = await selectRuns(sql, filter, maxScanned)
  if (!needsScan(filter)) return toPage(rows, page, shapeRun)
  return toScanPage(rows, page, () => findLastScannedRun(sql, filter, maxScanned), shapeRun)
})

/** Returns a run with its trace. */
export const readRun = verb({ by: 'member' }, async ({ sql, caller }, id: string): Promise<Run> => {
  const row = isId(id) ? await findRun(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('run')
  return shapeRun(row)
})

/** Stops a run at any step. Completed steps are not undone, and no further step runs. */
export const stopRun = verb({ by: 'owner', feature: 'workflows' }, async (ctx, id: string): Promise<Run> => {
  const { status, workflowId } = await readRun(ctx, id)
  const hasEnded = status !== 'active' && status !== 'waiting'
  const stop = async ({ sql, caller }: Ctx) => {
    if (hasEnded || !(await endRun(sql, caller.workspaceId, id)))
      throw new DomainError('unprocessable', 'The run has already ended. Only an active run can be stopped.')
  }
  await withAudit(ctx, stop, () => ({ action: 'stopRun', target: { type: 'run', id }, detail: { workflowId } }))
  recordChanges(ctx.sql, 'run', [{ workspaceId: ctx.caller.workspaceId, id }])
  return readRun(ctx, id)
})

const shapeRun = ({ stepsText, endDetail, ...row }: RunRow): Run => ({
  ...row,
  ...(endDetail !== null && { endDetail }),
  wakeAt: row.wakeAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  steps: new JsonText(stepsText),
})
