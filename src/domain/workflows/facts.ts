/** Facts that a workflow can read, and the rendering of its texts. Pure: no SQL, no clock. */
import { valueAt } from '../conditions/index.ts'
import type { TemplateContent } from '../templates/index.ts'
import { beginningOfJson, namesAsStored } from './json-beginning.ts'

export interface Facts {
  data: Record<string, unknown>
  event: { id: string; type: string }
  customer: {
    id: string
    name: string | null
    phone: string | null
    externalId: string | null
    attributes: Record<string, unknown>
  }
}

/** Arrival that ended the last wait of a run: a reply of the customer, or an event. */
export type Answer = { text: string | null } | { data: Record<string, unknown> }

/** Channel of the workspace, with its state for the run's customer. */
export interface ChannelOfRun {
  id: string
  kind: string
  /** False after the channel was disconnected. */
  connected: boolean
  /** Whether the provider has its own templates, which can be sent when the window is closed. */
  templates: boolean
  /** Hours after a message of the customer during which any message may be sent to them. Null for no limit. */
  windowHours: number | null
  /** Address of the customer on the channel, or null if there is none. */
  address: string | null
  /** Time until which any message may be sent to this customer. Null if the customer has not written. */
  windowClosesAt: string | null
}

/** Facts of a run, including those that decide what the run may do. */
export interface RunFacts extends Facts {
  /**
   * Customer, with consent and conversation state. Paths in a definition cannot read `optedIn`, `optedOut` and
   * `hasConversation`. A sale can be marked only with a conversation.
   */
  customer: Facts['customer'] & { optedIn: boolean; optedOut: boolean; hasConversation: boolean }
  /** Channels in the order in which they were connected. Disconnected channels come last. */
  channels: readonly ChannelOfRun[]
  /** Existing templates of the definition, by their IDs in lowercase. */
  templates: Readonly<Record<string, TemplateContent>>
  /** IANA time zone of the workspace. */
  timezone: string
  /** Current features of the workspace's plan. */
  plan: { workflows: boolean }
}

/** Returns run facts for a workspace with sandbox channels and a plan that includes workflows. */
export const runFacts = (seen: Facts, channelIds: readonly string[]): RunFacts => ({
  ...seen,
  customer: { ...seen.customer, optedIn: false, optedOut: false, hasConversation: true },
  channels: channelIds.map(id => ({
    id,
    kind: 'sandbox',
    connected: true,
    templates: false,
    windowHours: null,
    address: seen.customer.phone,
    windowClosesAt: null,
  })),
  templates: {},
  timezone: 'UTC',
  plan: { workflows: true },
})

/** Facts that the paths of a definition can read, at one time of a run. */
export interface SeenFacts extends RunFacts {
  /**
   * Data of the starting event under a second name. Where a condition also reads data of an arriving event, this name
   * is unambiguous.
   */
  trigger: { data: Record<string, unknown> }
  answer: Answer | null
  /** Current time in ISO 8601. */
  now: string
}

/** Maximum length of a message text in code points. */
export const maxCharacters = 4096

/** Placeholder pattern without white space around the path. Matching white space would cause excessive backtracking. */
const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g

/**
 * Returns the text with each `{{path}}` replaced. An absent value is replaced by the fallback of `{{path|fallback}}`,
 * or by nothing.
 *
 * The text around the placeholders is kept completely. The values share the rest of `max` characters, in order, and a
 * value that does not fit is cut. The limit also prevents a large event from being written a thousand times.
 */
export const render = (text: string, facts: Facts, max = maxCharacters): string => {
  // Surrogate halves on both sides of a placeholder count as two characters. They become one only without the
  // placeholder.
  const whole = text.toWellFormed()
  let room = max - lengthOf(whole.replaceAll(placeholder, ''))
  const rendered = whole.replaceAll(placeholder, (_, path: string, fallback = '') => {
    if (room <= 0) return ''
    const value = beginning(written(valueAt(facts, path.trim()), fallback, room), room)
    room -= lengthOf(value)
    return value
  })
  return rendered.toWellFormed()
}

/**
 * Returns the text of a value. For an object, at least `room` characters are written if it has them; the rest may be
 * omitted.
 */
const written = (value: unknown, fallback: string, room: number): string => {
  if (value === undefined) return fallback.trim()
  return typeof value === 'object' && value !== null ? beginningOf(value, 2 * room) : String(value)
}

/** Cache of the JSON beginnings of objects. The names of a large object are then listed once, not for each text. */
const beginnings = new WeakMap<object, { text: string; max: number }>()

const beginningOf = (value: object, max: number): string => {
  const known = beginnings.get(value)
  if (known && known.max >= max) return known.text
  const text = beginningOfJson(value, max, namesAsStored)
  beginnings.set(value, { text, max })
  return text
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Returns the first `max` characters of a text. A surrogate pair counts as one and is not split. */
const beginning = (text: string, max: number): string => {
  if (text.length <= max) return text
  let [end, count] = [0, 0]
  for (const character of text) {
    if (count === max) break
    end += character.length
    count++
  }
  return text.slice(0, end)
}

/** Returns the paths of the placeholders in a text. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(match => (match[1] ?? '').trim())

export const holdsPlaceholder = (text: string): boolean => placeholdersOf(text).length > 0

/** Returns whether the text contains a `{{` that does not start a placeholder. */
export const holdsUnclosed = (text: string): boolean => text.replaceAll(placeholder, ' ').includes('{{')
