/** Reports when the monthly allowance of events is nearly used, and when it is used up. */

import { limitOf } from '../accounts/entitlements/index.ts'
import {
  type EventUsageRow,
  listAllowances,
  markEventsNotified,
  selectEventUsage,
} from '../accounts/workspaces/index.ts'
import { clock } from '../platform/clock.ts'
import { type Database, type Sql, transaction } from '../platform/postgres/client.ts'
import { enqueueMail } from '../queue/tasks.ts'
import { draftEvents, insertIntoOutbox } from '../webhooks/outbound-events/index.ts'

/** Thresholds in percent. Each is reported once a month. */
export const thresholds = [100, 90]

const pageSize = 500

/**
 * Emits `allowance.reached` and notifies the owners by mail (contract 15.2). Checks the workspaces of plans with a limit
 * in pages, so that recording events needs no check.
 */
export const notifyAllowances = async (sql: Database): Promise<void> => {
  const plans = await listAllowances(sql)
  const limits = new Map(
    plans.flatMap(({ id, allowances }) => {
      const limit = limitOf(allowances, 'monthlyEvents')
      return limit ? [[id, limit] as const] : []
    }),
  )
  const planIds = [...limits.keys()]
  for (let after: string | null = null; planIds.length > 0; ) {
    const page: EventUsageRow[] = await selectEventUsage(sql, { planIds, after, limit: pageSize })
    for (const { id, planId, recorded } of page)
      if (recorded !== null) await notifyWorkspace(sql, id, recorded, limits.get(planId)!)
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}

const notifyWorkspace = async (sql: Database, id: string, used: number, limit: number): Promise<void> => {
  const percent = thresholds.find(threshold => used * 100 >= limit * threshold)
  if (percent === undefined) return
  await transaction(sql, async tx => {
    if (!(await reportAllowance(tx, { workspaceId: id, percent, limit, used }))) return
    const since = new Date(clock.now()).toISOString()
    await enqueueMail(tx, { kind: 'notice', of: 'monthly events', workspaceId: id, id, since, to: null })
  })
}

/** Emits `allowance.reached`. Returns whether this threshold was not reported before. */
export const reportAllowance = async (
  sql: Sql,
  p: { workspaceId: string; percent: number; limit: number; used: number },
): Promise<boolean> => {
  const { count } = await sql`
    with marked as (${markEventsNotified(sql, p.workspaceId, p.percent)}), reported as (${insertIntoOutbox(
      sql,
      draftEvents(sql, 'allowance.reached', {
        rows: sql`marked`,
        workspaceId: sql`id`,
        data: {
          allowance: sql`'monthlyEvents'`,
          percent: sql`${p.percent}::integer`,
          limit: sql`${p.limit}::bigint`,
          used: sql`${p.used}::bigint`,
          resetsAt: sql`resets_at`,
        },
      }),
    )})
    select from marked`
  return count > 0
}
