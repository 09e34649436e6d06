/** What a workflow can see of the world, and how its texts look at it. Pure: no sql, no clock. */
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

/** What ended the last wait of a run: a reply of the customer, or an event. */
export type Answer = { text: string | null } | { data: Record<string, unknown> }

/** A channel of the run's workspace, as it is for the run's customer. */
export interface ChannelOfRun {
  id: string
  kind: string
  /** False once it was disconnected. */
  connected: boolean
  /** Its provider has templates of its own, which pass when the window is closed. */
  templates: boolean
  /** Hours after a message of the customer in which anything may be written to them; null = always. */
  windowHours: number | null
  /** Where the customer is reached on it; null where they are not. */
  address: string | null
  /** Until when anything may be written to this customer; null where they have not written. */
  windowClosesAt: string | null
}

/** What a run sees, and all that decides over what it may do. */
export interface RunFacts extends Facts {
  /** No path leads to whether they opted in or out, and whether they have a conversation, in which a sale is marked. */
  customer: Facts['customer'] & { optedIn: boolean; optedOut: boolean; hasConversation: boolean }
  /** In the order in which they were connected, those that were disconnected behind the others. */
  channels: readonly ChannelOfRun[]
  /** By their ids, in small letters: those of the definition's that there are. */
  templates: Readonly<Record<string, TemplateContent>>
  /** Of the workspace, as IANA names it. */
  timezone: string
  /** What the workspace's plan includes, now. */
  plan: { workflows: boolean }
}

/** Of a workspace whose channels are sandboxes, with a plan that includes workflows. */
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

/** What the paths of a definition lead into, at one moment of a run. */
export interface SeenFacts extends RunFacts {
  /** The event's data by another name: beside data of an event that arrives, it says whose is meant. */
  trigger: { data: Record<string, unknown> }
  answer: Answer | null
  /** ISO 8601. */
  now: string
}

/** A message's text, in characters as a person counts them: an emoji is one. */
export const maxCharacters = 4096

/** No white space beside the path: an expression that looked for it would try every way to share it out. */
const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g

/**
 * The text with each `{{path}}` replaced; an absent value leaves its `{{path|fallback}}`, or nothing. What stands around
 * the placeholders is kept whole; the values share what is left of `max` characters, the first in front, and one that
 * does not fit is cut. The bound is also what keeps a large event from being written out a thousand times.
 */
export const render = (text: string, facts: Facts, max = maxCharacters): string => {
  // Halves of a character on both sides of a placeholder are two, and become one only without it.
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

/** At least `room` characters of it where it has so many; what lies behind them is not made into text. */
const written = (value: unknown, fallback: string, room: number): string => {
  if (value === undefined) return fallback.trim()
  return typeof value === 'object' && value !== null ? beginningOf(value, 2 * room) : String(value)
}

/** Beginnings of values as JSON: the names of a large object are listed once, and not for each text that asks for it. */
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

/** The first characters of a text; a pair of surrogates is one and stays together. */
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

/** The paths that a text asks for. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(match => (match[1] ?? '').trim())

export const holdsPlaceholder = (text: string): boolean => placeholdersOf(text).length > 0

/** Whether a `{{` stands in the text that begins no placeholder. */
export const holdsUnclosed = (text: string): boolean => text.replaceAll(placeholder, ' ').includes('{{')
