/** What is removed once it is too old: each noun says how, and what of it is needed still. */
import type { Sql } from '../../db/client.ts'
import { emptyLateAnswers, emptyOldAnswers, removeOldDeliveries } from '../deliveries/index.ts'
import { removeOldEvents } from '../events/index.ts'
import { removeOldMessages } from '../messages/index.ts'
import type { OldPage, OldSpan } from '../old.ts'
import { removeOldOutboundEvents } from '../outbound-events/index.ts'
import { removeOldRuns } from '../workflows/index.ts'

/** For how many milliseconds records of each sort are kept; null = for ever. */
export interface Kept {
  events: number | null
  deliveries: number | null
  runs: number | null
  messages: number | null
  audit: number | null
  answers: number | null
}

export interface Kind {
  /** As the mark of it is called in the database. */
  name: string
  keptFor: keyof Kept
  removePage: (tx: Sql, span: OldSpan) => Promise<OldPage>
  /**
   * `again`: what was needed as it was looked at is looked at once more, a day later. `once`: nothing is. `whole`: what is
   * left to do is found without going through the rest, so that no mark is needed.
   */
  looks: 'again' | 'once' | 'whole'
}

/** In the order in which they go: whatever points to others goes before them. */
export const kinds: readonly Kind[] = [
  { name: 'answers', keptFor: 'answers', removePage: emptyOldAnswers, looks: 'once' },
  { name: 'late answers', keptFor: 'answers', removePage: emptyLateAnswers, looks: 'whole' },
  { name: 'deliveries', keptFor: 'deliveries', removePage: removeOldDeliveries, looks: 'again' },
  { name: 'outbound events', keptFor: 'deliveries', removePage: removeOldOutboundEvents, looks: 'again' },
  { name: 'messages', keptFor: 'messages', removePage: removeOldMessages, looks: 'again' },
  { name: 'runs', keptFor: 'runs', removePage: removeOldRuns, looks: 'again' },
  { name: 'events', keptFor: 'events', removePage: removeOldEvents, looks: 'again' },
]
