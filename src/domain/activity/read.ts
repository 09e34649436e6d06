import { didYouMeanOf, explanationOf, outcomesOf, shapeStored } from '../events/index.ts'
import { maxLookedAt, pageOfLook } from '../look.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import type { ActivityEvent, ActivityQuery } from './schema.ts'
import { type ActivityEventRow, findLastActivityLookedAt, isLookedFor, selectActivityEvents } from './sql.ts'

/** Lists received events, newest first, with the automations they started or the reason why none ran. */
export const listActivityEvents = verb(
  { by: 'member' },
  async ({ sql, caller }, query: ActivityQuery): Promise<PageOf<ActivityEvent>> => {
    const page = pageRequest(query)
    const { type, reason, started, sender, customerId } = query
    const filter = { workspaceId: caller.workspaceId, type, reason, started, sender, customerId, page }
    const rows = await selectActivityEvents(sql, filter, maxLookedAt)
    if (!isLookedFor(filter)) return pageOf(rows, page.limit, shape)
    return pageOfLook(rows, page.limit, () => findLastActivityLookedAt(sql, filter, maxLookedAt), shape)
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
