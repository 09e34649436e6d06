/** Notifies owners by mail when the monthly allowance of events is nearly full, and when it is full. */

import { type Database, transaction } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { limitOf } from '../entitlements/index.ts'
import { sendMailSoon } from '../tasks.ts'
import { listAllowances, markEventsTold, type RecordedRow, selectRecorded } from './sql.ts'

/** Thresholds in percent. Each is reported once a month. */
const levels = [100, 90]

const pageSize = 100

/** Checks all workspaces in pages, so that recording events needs no check. */
export const tellOfMonthlyEvents = async (sql: Database): Promise<void> => {
  const plans = await listAllowances(sql)
  const limits = new Map(plans.map(({ id, allowances }) => [id, limitOf(allowances, 'monthlyEvents')]))
  if (![...limits.values()].some(limit => limit !== null)) return
  for (let after: string | null = null; ; ) {
    const page: RecordedRow[] = await selectRecorded(sql, after, pageSize)
    for (const one of page) await tellOf(sql, one, limits.get(one.planId) ?? null)
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}

const tellOf = async (sql: Database, { id, recorded }: RecordedRow, limit: number | null): Promise<void> => {
  const level = limit ? levels.find(level => recorded * 100 >= limit * level) : undefined
  if (level === undefined) return
  await transaction(sql, async tx => {
    if (!(await markEventsTold(tx, id, level))) return
    const since = new Date(clock.now()).toISOString()
    await sendMailSoon(tx, { kind: 'notice', of: 'monthly events', workspaceId: id, id, since, to: null })
  })
}
