import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { selectFailing } from '../channels/index.ts'
import { findTroubled } from '../deliveries/index.ts'
import { monthlyUse } from '../entitlements/index.ts'
import { findUnhandledTypes } from '../events/index.ts'
import { findWaitingCustomers } from '../messages/index.ts'
import { findRejected } from '../refusals/index.ts'
import { verb } from '../verb.ts'
import { findFailingWorkflows } from '../workflows/index.ts'
import { type Attention, attentionKinds } from './schema.ts'
import {
  lateSeconds,
  maxCounted,
  ofChannel,
  ofCustomers,
  ofEndpoint,
  ofMonth,
  ofRejected,
  ofUnhandled,
  ofWorkflow,
} from './words.ts'

/** Maximum number of alerts in a response. */
const maxShown = 50
/** Maximum number of unhandled event types in a response. */
const maxUnhandledTypes = 10

/** Lists the alerts of the workspace, most severe first. */
export const listAttention = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }): Promise<{ data: Attention[] }> => ({
    data: (await findAttention(sql, workspaceId)).sort(worse).slice(0, maxShown),
  }),
)

/** Returns all alerts of the workspace. Each kind uses one query of bounded cost. */
export const findAttention = async (sql: Sql, workspaceId: string): Promise<Attention[]> => {
  const endpoints = await findTroubled(sql, { workspaceId, most: maxCounted.deliveries, lateSeconds })
  const use = await monthlyUse(sql, workspaceId)
  const channels = await selectFailing(sql, workspaceId, maxShown)
  const rejected = await findRejected(sql, workspaceId, maxCounted.rejections)
  const customers = await findWaitingCustomers(sql, workspaceId, maxCounted.customers)
  const workflows = await findFailingWorkflows(sql, workspaceId, maxCounted.runs, maxShown)
  const unhandled = await findUnhandledTypes(sql, {
    workspaceId,
    lookedAt: maxCounted.events,
    limit: maxUnhandledTypes,
  })
  const now = new Date(clock.now())
  return [
    ...endpoints.map(row => ofEndpoint(row, now)),
    ofMonth(use, now),
    ...channels.map(ofChannel),
    rejected && ofRejected(rejected, now),
    ofCustomers(customers, now),
    ...workflows.map(ofWorkflow),
    ...unhandled.map(ofUnhandled),
  ].filter(one => one !== null)
}

/** Within one kind, the oldest alert comes first. */
const worse = (one: Attention, other: Attention): number =>
  attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind) || (one.since < other.since ? -1 : 1)
