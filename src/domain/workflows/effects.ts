/** What steps do to the world: values that the interpreter hands out and `run-sql.ts` commits together with the run. */

/** A message of the run's customer is queued for a channel. */
export interface QueueMessage {
  kind: 'queue_message'
  channelId: string
  /** The customer's address on the channel. */
  handle: string
  text: string
}

/** Every kind of effect. The statement that records them has an entry for each; one that is missing does not compile. */
export type Effect = QueueMessage

/** Characters that it takes to write an effect down: a page of runs is bounded by them. */
export const lengthOf = (effect: Effect): number => effect.text.length
