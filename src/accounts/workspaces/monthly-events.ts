/** Notifies owners by mail when the monthly allowance of events is nearly full, and when it is full. */

import { clock } from '../../platform/clock.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { limitOf } from '../entitlements/index.ts'
import { type EventUsageRow, listAllowances, markEventsNotified, selectEventUsage } from './sql.ts'

/** Thresholds in percent. Each is reported once a month. */
const thresholds = [100, 90]

const pageSize = 100

/** Checks all workspaces in pages, so that recording events needs no check. */
export const notifyMonthlyEvents = async (sql: Database): Promise<void> => {
  const plans = await listAllowances(sql)
  const limits = new Map(plans.map(({ id, allowances }) => [id, limitOf(allowances, 'monthlyEvents')]))
  if (![...limits.values()].some(limit => limit !== null)) return
  for (let after: string | null = null; ; ) {
    const page: EventUsageRow[] = await selectEventUsage(sql, after, pageSize)
    for (const one of page) await notifyWorkspace(sql, one, limits.get(one.planId) ?? null)
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}

const notifyWorkspace = async (sql: Database, { id, recorded }: EventUsageRow, limit: number | null): Promise<void> => {
  const threshold = limit ? thresholds.find(threshold => recorded * 100 >= limit * threshold) : undefined
  if (threshold === undefined) return
  await transaction(sql, async tx => {
    if (!(await markEventsNotified(tx, id, threshold))) return
    const since = new Date(clock.now()).toISOString()
    await enqueueMail(tx, { kind: 'notice', of: 'monthly events', workspaceId: id, id, since, to: null })
  })
}
