/** Effects of steps, as values. The interpreter returns them and `record.ts` commits them with the run. */

import type { QueuedTemplate } from '../../messaging/messages/index.ts'
import type { Numeral } from '../../platform/json.ts'

/** Effect that queues a message to the run's customer on a channel. */
export interface QueueMessage {
  kind: 'queue_message'
  channelId: string
  /** Address of the customer on the channel. */
  handle: string
  text: string
  /** Template that produced the text, or null. */
  template: QueuedTemplate | null
  /** Reason not to send the message, which is then stored as skipped. Null to send it. */
  skipped: SkipReason | null
}

/** Reasons not to send a message, as codes and sentences (contract 8.5). */
export const skipReasons = {
  plan: 'The plan does not include workflows.',
  opted_out: 'The customer has opted out.',
  no_opt_in: 'The customer has not opted in.',
  window_closed: 'The messaging window of the provider has closed.',
}

export type SkipReason = keyof typeof skipReasons

/** Effect that marks a sale for the run's customer. */
export interface MarkSale {
  kind: 'mark_sale'
  /** Decimal number with its original digits. */
  amount: string
  /** ISO 4217 code. */
  currency: string
  note: string | null
}

/** Value that a step can give an attribute. Null removes the attribute. */
export type AttributeValue = string | Numeral | boolean | null

/** Effect that merges attributes into those of the run's customer. */
export interface SetAttributes {
  kind: 'set_attributes'
  set: Record<string, AttributeValue>
}

/** Returns the attributes of a customer after the effect. */
export const attributesAfter = (
  attributes: Record<string, unknown>,
  { set }: Pick<SetAttributes, 'set'>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...attributes, ...set }).filter(([, value]) => value !== null))

/** Union of all effects. The statement that records them must have an entry for each, otherwise it does not compile. */
export type Effect = QueueMessage | MarkSale | SetAttributes

/** Returns the approximate number of characters needed to store an effect. Used to limit a page of runs. */
export const effectLength = (effect: Effect): number => {
  switch (effect.kind) {
    case 'queue_message':
      return effect.text.length + totalLength(effect.template?.provider?.parameters ?? [])
    case 'mark_sale':
      return effect.note?.length ?? 0
    case 'set_attributes':
      return totalLength(Object.entries(effect.set).flatMap(([name, value]) => [name, String(value)]))
  }
}

const totalLength = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
