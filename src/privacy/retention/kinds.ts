/** Kinds of records that retention removes, with the function for each. */

import type { RetentionRange, RetentionResult } from '../../core/retention.ts'
import { removeOldEvents } from '../../events/index.ts'
import { removeOldMessages } from '../../messaging/messages/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteLateResponses, deleteOldResponses, removeOldDeliveries } from '../../webhooks/deliveries/index.ts'
import { removeOldOutboundEvents } from '../../webhooks/outbound-events/index.ts'
import { removeOldRuns } from '../../workflows/index.ts'

/** Retention period in milliseconds for each kind; null keeps records forever. */
export interface RetentionPeriods {
  events: number | null
  deliveries: number | null
  runs: number | null
  messages: number | null
  audit: number | null
  answers: number | null
}

export interface RetentionKind {
  /** Name of the kind's watermark in the database. */
  name: string
  period: keyof RetentionPeriods
  removePage: (tx: Sql, span: RetentionRange) => Promise<RetentionResult>
  /**
   * `again`: rows that were still needed are checked again after a day. `once`: rows are checked only once. `whole`:
   * the remaining rows are found directly, so that no watermark is needed.
   */
  rescan: 'again' | 'once' | 'whole'
}

/** Kinds in the order of removal: rows that reference others are removed first. */
export const kinds: readonly RetentionKind[] = [
  { name: 'answers', period: 'answers', removePage: deleteOldResponses, rescan: 'once' },
  { name: 'late answers', period: 'answers', removePage: deleteLateResponses, rescan: 'whole' },
  { name: 'deliveries', period: 'deliveries', removePage: removeOldDeliveries, rescan: 'again' },
  { name: 'outbound events', period: 'deliveries', removePage: removeOldOutboundEvents, rescan: 'again' },
  { name: 'messages', period: 'messages', removePage: removeOldMessages, rescan: 'again' },
  { name: 'runs', period: 'runs', removePage: removeOldRuns, rescan: 'again' },
  { name: 'events', period: 'events', removePage: removeOldEvents, rescan: 'again' },
]
