/** Parsers for untrusted provider input. Any field can be missing, of another type, or of any size. */
import { clock } from '../../../platform/clock.ts'
import type { DeliveryStatus } from './provider.ts'

/** Maximum number of messages, statuses and preferences read from one callback. Meta puts up to 1,000 into one. */
export const maxItems = 1000
/** Maximum number of list elements read in one callback: an entry, a change, a contact and an item for each item. */
export const maxElements = 4 * maxItems
/** Maximum number of characters stored of a message. */
export const maxText = 65_536
/** Maximum number of characters of an identifier. Longer values are rejected. */
export const maxId = 250
/** Maximum number of characters stored of a name. */
export const maxName = 200
/** Maximum number of characters stored of a failure reason. */
export const maxDetail = 500
/** Maximum number of sentences stored about faults in one callback. */
const maxFaults = 20

export type Fields = Readonly<Record<string, unknown>>

/** Returns the value if it is an object, or an empty object. */
export const asFields = (value: unknown): Fields => (isObject(value) ? value : {})

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a text that PostgreSQL can store, truncated to `max` characters, or null for any other value. */
export const parseText = (value: unknown, max = maxText): string | null => {
  if (typeof value !== 'string' || value === '') return null
  const cut = value.length > max ? `${value.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : value
  return cut.replaceAll('\0', '\ufffd').toWellFormed()
}

/** Returns an identifier without truncation, or null. Whole numbers are converted to text. */
export const parseId = (value: unknown): string | null => {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= maxId && parseText(text) === text ? text : null
}

/** Returns a number in E.164 format from digits with or without a plus, or null if it is not one. */
export const parsePhone = (value: unknown): string | null => {
  const text = parseId(value)
  if (text === null) return null
  const digits = text.startsWith('+') ? text.slice(1) : text
  return /^[1-9][0-9]{6,14}$/.test(digits) ? `+${digits}` : null
}

/** Earliest plausible time of a provider event. None of the providers existed before. */
const earliest = Date.UTC(2009, 0)
/** Maximum milliseconds that a provider's clock can be ahead. */
const maxAhead = 24 * 60 * 60 * 1000

/** Returns the time if it is plausible, or null. */
export const plausibleTime = (ms: number): Date | null =>
  ms >= earliest && ms <= clock.now() + maxAhead ? new Date(ms) : null

/** Parses whole seconds, given as text or number. */
export const parseTime = (value: unknown): Date | null => {
  const text = parseId(value)
  return text !== null && /^[0-9]{1,12}$/.test(text) ? plausibleTime(Number(text) * 1000) : null
}

/** Collects sentences about faults, without duplicates and up to `maxFaults`. The rest is only counted. */
export class Faults {
  readonly #sentences: string[] = []
  #omitted = 0

  add(sentence: string): void {
    if (this.#sentences.includes(sentence)) return
    if (this.#sentences.length < maxFaults) this.#sentences.push(sentence)
    else this.#omitted += 1
  }

  get sentences(): string[] {
    return this.#omitted === 0 ? this.#sentences : [...this.#sentences, `And ${this.#omitted} more of this kind.`]
  }
}

/** Describes a value without repeating it, because it can be a person's address. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || Array.isArray(value) || isObject(value)) return formatValue(value)
  if (value === null || typeof value === 'boolean') return String(value)
  const { length } = String(value)
  return `a ${typeof value} of ${length} character${length === 1 ? '' : 's'}`.replace('a string', 'a text')
}

/** Formats a value for a sentence. */
export const formatValue = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return JSON.stringify(parseText(String(value), 60) ?? '')
}

/** Maps a provider's statuses to ours; null ignores the status. */
export type StatusMap = Readonly<Record<string, DeliveryStatus | 'sent' | null>>
