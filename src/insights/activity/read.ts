import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import { didYouMeanOf, explanationOf, outcomesOf, shapeStored } from '../../events/index.ts'
import type { ActivityEvent, ActivityQuery } from './schema.ts'
import { type ActivityEventRow, findLastScannedActivity, needsScan, selectActivityEvents } from './sql.ts'

/** Lists received events, newest first, with the automations they started or the reason why none ran. */
export const listActivityEvents = verb(
  { by: 'member' },
  async ({ sql, caller }, query: ActivityQuery): Promise<PageOf<ActivityEvent>> => {
    const page = toPageRequest(query)
    const { type, reason, started, sender, customerId } = query
    const filter = { workspaceId: caller.workspaceId, type, reason, started, sender, customerId, page }
    const rows = await selectActivityEvents(sql, filter, maxScanned)
    if (!needsScan(filter)) return toPage(rows, page, shape)
    return toScanPage(rows, page, () => findLastScannedActivity(sql, filter, maxScanned), shape)
  },
)

const shape = (row: ActivityEventRow): ActivityEvent => ({
  ...shapeStored(row),
  customer: row.customer,
  automations: outcomesOf(row).flatMap(({ workflowId, name, verdict, runId }) =>
    verdict !== 'started' || runId === null ? [] : [{ workflowId, name, runId }],
  ),
  reason: row.reason,
  explanation: row.reason && explanationOf(row),
  didYouMean: didYouMeanOf(row),
})
