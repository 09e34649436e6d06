/**
 * Macro that runs while the dashboard is bundled. It parses the messages in advance, so that the browser does not have
 * to.
 */
import { type MessageFormatElement, parse } from '@formatjs/icu-messageformat-parser'
import { first } from './en/first.ts'
import { later } from './en/later.ts'

const compiled = <Id extends string>(messages: Record<Id, string>): Record<Id, MessageFormatElement[]> =>
  Object.fromEntries(Object.entries<string>(messages).map(([id, message]) => [id, parse(message)])) as Record<
    Id,
    MessageFormatElement[]
  >

export const firstMessages = () => compiled(first)
export const laterMessages = () => compiled(later)
