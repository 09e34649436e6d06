/** What comes from a provider, read with suspicion: any field may be missing, of another type, or of any size. */
import { clock } from '../../../platform/clock.ts'
import type { DeliveryStatus } from './provider.ts'

/** Maximum number of messages, statuses and preferences read from one callback. Meta puts up to 1,000 into one. */
export const maxItems = 1000
/** Maximum number of list elements looked at in one callback: an entry, a change, a contact and an item for each. */
export const maxElements = 4 * maxItems
/** Characters of a message that are kept. */
export const maxText = 65_536
/** Characters of anything that tells which message, person or number is meant; longer, it is none of them. */
export const maxId = 250
/** Characters of a name that are kept. */
export const maxName = 200
/** Characters that are kept of why something failed. */
export const maxDetail = 500
/** Sentences about what could not be understood that are kept of one callback. */
const maxFaults = 20

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none where it is anything else. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text that PostgreSQL can store, cut off where it is too long; null where there is none. */
export const textOf = (value: unknown, max = maxText): string | null => {
  if (typeof value !== 'string' || value === '') return null
  const cut = value.length > max ? `${value.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : value
  return cut.replaceAll('\0', '\ufffd').toWellFormed()
}

/** A text that names something, whole; null where there is none. A whole number is taken as it is written. */
export const idOf = (value: unknown): string | null => {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= maxId && textOf(text) === text ? text : null
}

/** The number in E.164, from the digits that a provider writes with or without a plus; null where it is none. */
export const phoneOf = (value: unknown): string | null => {
  const text = idOf(value)
  if (text === null) return null
  const digits = text.startsWith('+') ? text.slice(1) : text
  return /^[1-9][0-9]{6,14}$/.test(digits) ? `+${digits}` : null
}

/** The earliest time that a provider can mean: before it there was none of them. */
const earliest = Date.UTC(2009, 0)
/** Milliseconds that a provider's clock may be ahead of ours. */
const maxAhead = 24 * 60 * 60 * 1000

/** The time, where it is one that a provider can mean now. */
export const plausible = (ms: number): Date | null =>
  ms >= earliest && ms <= clock.now() + maxAhead ? new Date(ms) : null

/** From whole seconds, as a text or a number. */
export const timeOf = (value: unknown): Date | null => {
  const text = idOf(value)
  return text !== null && /^[0-9]{1,12}$/.test(text) ? plausible(Number(text) * 1000) : null
}

/** Collects what could not be understood, in words; of a callback that holds nothing else, not all of it. */
export class Faults {
  readonly #sentences: string[] = []
  #more = 0

  add(sentence: string): void {
    if (this.#sentences.includes(sentence)) return
    if (this.#sentences.length < maxFaults) this.#sentences.push(sentence)
    else this.#more += 1
  }

  get sentences(): string[] {
    return this.#more === 0 ? this.#sentences : [...this.#sentences, `And ${this.#more} more of the kind.`]
  }
}

/** What a value is, in a sentence that must not repeat it: it may be the address of a person. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || Array.isArray(value) || isObject(value)) return shown(value)
  if (value === null || typeof value === 'boolean') return String(value)
  const { length } = String(value)
  return `a ${typeof value} of ${length} character${length === 1 ? '' : 's'}`.replace('a string', 'a text')
}

/** A value as it can be shown in a sentence. */
export const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return JSON.stringify(textOf(String(value), 60) ?? '')
}

/** What a provider calls the ways of a message, in our words. */
export type StatusWords = Readonly<Record<string, DeliveryStatus | 'sent' | null>>
