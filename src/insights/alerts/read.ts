import { readMonthlyUsage } from '../../accounts/entitlements/index.ts'
import { findExpiringTokens } from '../../accounts/tokens/index.ts'
import { verb } from '../../core/verb.ts'
import { findUnhandledTypes } from '../../events/index.ts'
import { findRejectedSummary } from '../../events/rejected-requests/index.ts'
import { selectFailing } from '../../messaging/channels/index.ts'
import { findUnanswered } from '../../messaging/messages/index.ts'
import { clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findHold } from '../../queue/hold/index.ts'
import { findPauses } from '../../queue/pauses/index.ts'
import { findUnhealthyEndpoints } from '../../webhooks/deliveries/index.ts'
import { statsRange } from '../../webhooks/statistics/index.ts'
import { findFailingWorkflows } from '../../workflows/index.ts'
import { countRejected } from '../activity/index.ts'
import { type Attention, alertKinds } from './schema.ts'
import {
  channelAlert,
  customersAlert,
  endpointAlert,
  holdAlert,
  lateSeconds,
  maxCounted,
  pauseAlert,
  rejectedAlert,
  tokenAlert,
  tokenExpiryDays,
  unhandledAlert,
  usageAlert,
  workflowAlert,
} from './texts.ts'

/** Maximum number of alerts in a response. */
const maxShown = 50
/**
 * Maximum number of unhandled event types in a response. They are searched among a day's types, and among the most
 * frequent types of the newest events.
 */
const maxUnhandledTypes = { shown: 10, read: 200, recent: { events: 1000, types: 50 } }

/** Lists the alerts of the workspace, most severe first. */
export const listAttention = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }): Promise<{ data: Attention[] }> => ({
    data: (await findAlerts(sql, workspaceId)).sort(bySeverity).slice(0, maxShown),
  }),
)

/** Returns all alerts of the workspace. Each kind uses one query of bounded cost. */
export const findAlerts = async (sql: Sql, workspaceId: string): Promise<Attention[]> => {
  const lastDay = lastDayRange()
  const since = lastDay.from
  const hold = await findHold(sql)
  const pauses = await findPauses(sql, workspaceId)
  const endpoints = await findUnhealthyEndpoints(sql, { workspaceId, max: maxCounted.deliveries, lateSeconds })
  const usage = await readMonthlyUsage(sql, workspaceId)
  const channels = await selectFailing(sql, workspaceId, maxShown)
  const rejected = await findRejectedSummary(sql, { workspaceId, since, maxEntries: maxCounted.rejections })
  const rejections = rejected ? await countRejected(sql, workspaceId, lastDay) : 0
  const customers = await findUnanswered(sql, workspaceId, maxCounted.customers)
  const workflows = await findFailingWorkflows(sql, { workspaceId, since, maxRuns: maxCounted.runs, limit: maxShown })
  const tokens = await findExpiringTokens(sql, { workspaceId, days: tokenExpiryDays, limit: maxShown })
  const unhandled = await findUnhandledTypes(sql, {
    workspaceId,
    since,
    maxTypes: maxUnhandledTypes.read,
    recent: maxUnhandledTypes.recent,
    maxEvents: maxCounted.events,
    limit: maxUnhandledTypes.shown,
  })
  const now = new Date(clock.now())
  return [
    hold && holdAlert(hold, workspaceId),
    pauseAlert(pauses, workspaceId),
    ...endpoints.map(row => endpointAlert(row, now)),
    usageAlert(usage, now),
    ...channels.map(channelAlert),
    rejected && rejectedAlert(rejections, rejected, now),
    customersAlert(customers, now),
    ...workflows.map(workflowAlert),
    ...tokens.map(tokenAlert),
    ...unhandled.map(unhandledAlert),
  ].filter(one => one !== null)
}

/** Returns the newest 24 hours of the activity summary, so that an alert and the charts of Home count the same events. */
const lastDayRange = () =>
  statsRange('hour', { since: undefined, until: undefined }, { since: 'since', until: 'until' })

/** Within one kind, the oldest alert comes first. */
const bySeverity = (one: Attention, other: Attention): number =>
  alertKinds.indexOf(one.kind) - alertKinds.indexOf(other.kind) || (one.since < other.since ? -1 : 1)
