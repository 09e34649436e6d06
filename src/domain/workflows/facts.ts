/** What a workflow can see of the world, and how its texts look at it. Pure: no sql, no clock. */
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

/** What a run sees, and over which channels its workspace can write, the one connected first in front. */
export interface RunFacts extends Facts {
  channelIds: readonly string[]
}

/** The value at a path such as `data.items.0.name`; undefined when any part of it is absent. */
export const valueAt = (facts: unknown, path: string): unknown => {
  let value: unknown = facts
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value ?? undefined
}

/** A message's text, in characters as a person counts them: an emoji is one. */
export const maxCharacters = 4096

/** No white space beside the path: an expression that looked for it would try every way to share it out. */
const placeholder = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g

/**
 * The text with each `{{path}}` replaced; an absent value leaves its `{{path|fallback}}`, or nothing. What stands around
 * the placeholders is kept whole; the values share what is left of 4096 characters, the first in front, and one that
 * does not fit is cut. The bound is also what keeps a large event from being written out a thousand times.
 */
export const render = (text: string, facts: Facts): string => {
  // Halves of a character on both sides of a placeholder are two, and become one only without it.
  const whole = text.toWellFormed()
  let room = maxCharacters - lengthOf(whole.replaceAll(placeholder, ''))
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
  return typeof value === 'object' ? beginningOfJson(value, 2 * room, namesAsStored) : String(value)
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

/** Whether a `{{` stands in the text that begins no placeholder. */
export const holdsUnclosed = (text: string): boolean => text.replaceAll(placeholder, ' ').includes('{{')
