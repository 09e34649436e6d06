import type { Sql } from '../../db/client.ts'
import { selectFailing } from '../channels/index.ts'
import { findTroubled } from '../deliveries/index.ts'
import { monthlyUse } from '../entitlements/index.ts'
import { findWaitingCustomers } from '../messages/index.ts'
import { verb } from '../verb.ts'
import { findFailingWorkflows } from '../workflows/index.ts'
import { type Attention, attentionKinds } from './schema.ts'
import { lateSeconds, maxCounted, ofChannel, ofCustomers, ofEndpoint, ofMonth, ofWorkflow } from './words.ts'

/** More than anybody looks at. */
const maxShown = 50

/** What needs somebody, the worst first. */
export const listAttention = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }): Promise<{ data: Attention[] }> => ({
    data: (await findAttention(sql, workspaceId)).sort(worse).slice(0, maxShown),
  }),
)

/** All that needs somebody: a bounded look for each kind. */
export const findAttention = async (sql: Sql, workspaceId: string): Promise<Attention[]> => {
  const endpoints = await findTroubled(sql, { workspaceId, most: maxCounted.deliveries, lateSeconds })
  const use = await monthlyUse(sql, workspaceId)
  const channels = await selectFailing(sql, workspaceId, maxShown)
  const customers = await findWaitingCustomers(sql, workspaceId, maxCounted.customers)
  const workflows = await findFailingWorkflows(sql, workspaceId, maxCounted.runs, maxShown)
  const now = new Date()
  return [
    ...endpoints.map(row => ofEndpoint(row, now)),
    ofMonth(use, now),
    ...channels.map(ofChannel),
    ofCustomers(customers, now),
    ...workflows.map(ofWorkflow),
  ].filter(one => one !== null)
}

/** Of one kind, what has lasted longest. */
const worse = (one: Attention, other: Attention): number =>
  attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind) || (one.since < other.since ? -1 : 1)
