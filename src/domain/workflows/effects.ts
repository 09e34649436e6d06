/** What steps do to the world: values that the interpreter hands out and `run-sql.ts` commits together with the run. */
import type { Numeral } from '../../platform/json.ts'
import type { QueuedTemplate } from '../messages/index.ts'

/** A message of the run's customer is queued for a channel. */
export interface QueueMessage {
  kind: 'queue_message'
  channelId: string
  /** The customer's address on the channel. */
  handle: string
  text: string
  /** Of which template the text is, filled in. */
  template: QueuedTemplate | null
  /** Why it is not to be sent, in words: then it is kept as skipped. */
  skipped: string | null
}

/** A sale is marked for the run's customer. */
export interface MarkSale {
  kind: 'mark_sale'
  /** Decimal, with the digits it came with. */
  amount: string
  /** ISO 4217. */
  currency: string
  note: string | null
}

/** A value that a step can give an attribute; null removes it. */
export type AttributeValue = string | Numeral | boolean | null

/** Attributes of the run's customer are merged into those there are. */
export interface SetAttributes {
  kind: 'set_attributes'
  set: Record<string, AttributeValue>
}

/** A customer's attributes from then on. */
export const attributesAfter = (
  attributes: Record<string, unknown>,
  { set }: Pick<SetAttributes, 'set'>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...attributes, ...set }).filter(([, value]) => value !== null))

/** Every kind of effect. The statement that records them has an entry for each; one that is missing does not compile. */
export type Effect = QueueMessage | MarkSale | SetAttributes

/** Characters that it takes to write an effect down: a page of runs is bounded by them. */
export const lengthOf = (effect: Effect): number => {
  switch (effect.kind) {
    case 'queue_message':
      return effect.text.length + lengthsOf(effect.template?.provider?.parameters ?? [])
    case 'mark_sale':
      return effect.note?.length ?? 0
    case 'set_attributes':
      return lengthsOf(Object.entries(effect.set).flatMap(([name, value]) => [name, String(value)]))
  }
}

const lengthsOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
