/** Kinds of records that retention removes, with the function for each. */
import type { Sql } from '../../db/client.ts'
import { emptyLateAnswers, emptyOldAnswers, removeOldDeliveries } from '../deliveries/index.ts'
import { removeOldEvents } from '../events/index.ts'
import { removeOldMessages } from '../messages/index.ts'
import type { OldPage, OldSpan } from '../old.ts'
import { removeOldOutboundEvents } from '../outbound-events/index.ts'
import { removeOldRuns } from '../workflows/index.ts'

/** Retention period in milliseconds for each kind; null keeps records forever. */
export interface Kept {
  events: number | null
  deliveries: number | null
  runs: number | null
  messages: number | null
  audit: number | null
  answers: number | null
}

export interface Kind {
  /** Name of the kind's watermark in the database. */
  name: string
  keptFor: keyof Kept
  removePage: (tx: Sql, span: OldSpan) => Promise<OldPage>
  /**
   * `again`: rows that were still needed are checked again after a day. `once`: rows are checked only once. `whole`:
   * the remaining rows are found directly, so that no watermark is needed.
   */
  looks: 'again' | 'once' | 'whole'
}

/** Kinds in the order of removal: rows that reference others are removed first. */
export const kinds: readonly Kind[] = [
  { name: 'answers', keptFor: 'answers', removePage: emptyOldAnswers, looks: 'once' },
  { name: 'late answers', keptFor: 'answers', removePage: emptyLateAnswers, looks: 'whole' },
  { name: 'deliveries', keptFor: 'deliveries', removePage: removeOldDeliveries, looks: 'again' },
  { name: 'outbound events', keptFor: 'deliveries', removePage: removeOldOutboundEvents, looks: 'again' },
  { name: 'messages', keptFor: 'messages', removePage: removeOldMessages, looks: 'again' },
  { name: 'runs', keptFor: 'runs', removePage: removeOldRuns, looks: 'again' },
  { name: 'events', keptFor: 'events', removePage: removeOldEvents, looks: 'again' },
]
