/** Prepares inbound messages so that the database cannot reject any of them. */

import { newId } from '../../core/ids.ts'
import { type OptOutReading, readOptOut } from '../../core/opt-out-words.ts'
import { clock } from '../../platform/clock.ts'
import type { InboundMessage } from './message.ts'

/** A message as a parameter row of the statement. Its ids are created on arrival and sort in the order of arrival. */
export interface InboundRow {
  position: number
  workspace_id: string
  channel_id: string
  id: string
  provider_message_id: string
  handle: string
  other_handle: string | null
  /** The first of its addresses that is a phone number. */
  phone: string | null
  /**
   * Number of the person within the batch. Messages with the same number come from the same person, as far as their
   * addresses show.
   */
  person: number
  person_phone: string | null
  person_name: string | null
  /** Id for the customer that is created if the person is unknown. */
  new_customer_id: string
  /** Id for the conversation that is created if the customer has none on the channel. */
  new_conversation_id: string
  type: InboundMessage['type']
  text: string | null
  sent_at: string
  normal: string | null
  word: string
  is_published: boolean
  resumes: boolean
  looks_like: boolean
}

/** A prepared message with its final id. It is prepared once, even if it is retried several times. */
export type PreparedMessage = InboundMessage & { id: string; name: string | null; at: Date; reading: OptOutReading }

const maxText = 65_536
const maxName = 200

/** Prepares a message: replaces characters that PostgreSQL cannot store, and limits the length of its texts. */
export const prepareMessage = (message: InboundMessage): PreparedMessage => {
  const text = message.text === null ? null : toStorable(message.text).slice(0, maxText).toWellFormed()
  return { ...message, ...sanitizeFields(message), id: newId(), text, reading: readOptOut(text) }
}

const sanitizeFields = (message: InboundMessage) => ({
  providerMessageId: toStorable(message.providerMessageId),
  handle: toStorable(message.handle),
  otherHandle: message.otherHandle === null ? null : toStorable(message.otherHandle),
  name:
    toStorable(message.name ?? '')
      .trim()
      .slice(0, maxName)
      .toWellFormed() || null,
  at: plausibleTime(message.sentAt, new Date(clock.now())),
})

const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** Replaces times before the year 2000 and times in the future with the current time. */
const plausibleTime = (time: Date, now: Date): Date => (time >= earliest && time <= now ? time : now)

const earliest = new Date('2000-01-01T00:00:00Z')

const e164 = /^\+[1-9][0-9]{6,14}$/

/** Returns the address that is a phone number, or null if there is none. */
export const findPhone = ({ handle, otherHandle }: Pick<InboundMessage, 'handle' | 'otherHandle'>): string | null =>
  [handle, otherHandle].find(address => address !== null && e164.test(address)) ?? null

/** Converts the messages of one batch to parameter rows. */
export const inboundRows = (messages: readonly PreparedMessage[]): InboundRow[] => {
  const persons = groupPersons(messages)
  return messages.map((message, position) => {
    const { normal, word, isPublished, resumes, looksLikeOptOut } = message.reading
    const person = persons[position]!
    return {
      position,
      workspace_id: message.workspaceId,
      channel_id: message.channelId,
      id: message.id,
      provider_message_id: message.providerMessageId,
      handle: message.handle,
      other_handle: message.otherHandle === message.handle ? null : message.otherHandle,
      phone: findPhone(message),
      person: person.number,
      person_phone: person.phone,
      person_name: person.name,
      new_customer_id: person.newCustomerId,
      new_conversation_id: newId(),
      type: message.type,
      text: message.text,
      sent_at: message.at.toISOString(),
      normal,
      word,
      is_published: isPublished,
      resumes,
      looks_like: looksLikeOptOut,
    }
  })
}

interface Person {
  number: number
  phone: string | null
  name: string | null
  newCustomerId: string
}

/**
 * Returns the person of each message. Messages that share an address, directly or through other messages, share their
 * person.
 */
const groupPersons = (messages: readonly PreparedMessage[]): Person[] => {
  const groups = new DisjointSets()
  for (const message of messages) groups.union(addressKeys(message))
  const persons = new Map<string, Person>()
  for (const message of messages) {
    const name = groups.find(addressKeys(message)[0]!)
    const person = persons.get(name) ?? { number: persons.size, phone: null, name: null, newCustomerId: newId() }
    person.phone ??= findPhone(message)
    person.name ??= message.name
    persons.set(name, person)
  }
  return messages.map(message => persons.get(groups.find(addressKeys(message)[0]!))!)
}

/**
 * Keys of the addresses of a message. A phone number belongs to one person on every channel, any other address only on
 * its channel.
 */
const addressKeys = (message: PreparedMessage): string[] => {
  const { workspaceId, channelId, handle, otherHandle } = message
  const phone = findPhone(message)
  return [
    `${channelId} ${handle}`,
    ...(otherHandle === null ? [] : [`${channelId} ${otherHandle}`]),
    ...(phone === null ? [] : [`${workspaceId} ${phone}`]),
  ]
}

/** Disjoint sets of names (union-find). Each set is represented by one of its names. */
class DisjointSets {
  readonly #parents = new Map<string, string>()

  union([first, ...others]: string[]): void {
    const root = this.find(first!)
    for (const other of others) {
      const otherRoot = this.find(other)
      if (otherRoot !== root) this.#parents.set(otherRoot, root)
    }
  }

  find(one: string): string {
    let root = one
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent
    // Shortens the path, so that a chain of names is followed once.
    for (let name = one; name !== root; ) {
      const parent = this.#parents.get(name)!
      this.#parents.set(name, root)
      name = parent
    }
    return root
  }
}
