/** What came from a provider, made ready to be recorded: nothing in it can be refused by the database. */
import { clock } from '../../platform/clock.ts'
import { newId } from '../ids.ts'
import { type Reading, readingOf } from '../opt-out-words/index.ts'
import type { InboundMessage } from './message.ts'

/** A message as the statement is given it, with ids made as it came in: in the order of arrival. */
export interface Arrived {
  place: number
  workspace_id: string
  channel_id: string
  id: string
  provider_message_id: string
  handle: string
  other_handle: string | null
  /** Whichever of its addresses is a phone number. */
  phone: string | null
  /** Messages of the same number were written by the same person, as far as their addresses tell. */
  person: number
  person_phone: string | null
  person_name: string | null
  /** Whom the person becomes, where nobody knows them. */
  new_customer_id: string
  /** What it is written in, where it is the first of its customer there. */
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

/** A message that has been asked for, with the id it will have, and read once, however often it goes round. */
export type Incoming = InboundMessage & { id: string; name: string | null; at: Date; reading: Reading }

const maxText = 65_536
const maxName = 200

/** What PostgreSQL cannot store is replaced, and what has no bound is given one. */
export const incoming = (message: InboundMessage): Incoming => {
  const text = message.text === null ? null : storable(message.text).slice(0, maxText).toWellFormed()
  return { ...message, ...named(message), id: newId(), text, reading: readingOf(text) }
}

const named = (message: InboundMessage) => ({
  providerMessageId: storable(message.providerMessageId),
  handle: storable(message.handle),
  otherHandle: message.otherHandle === null ? null : storable(message.otherHandle),
  name:
    storable(message.name ?? '')
      .trim()
      .slice(0, maxName)
      .toWellFormed() || null,
  at: saneTime(message.sentAt, new Date(clock.now())),
})

const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** No message is older than the providers, and none comes from the future. */
const saneTime = (time: Date, now: Date): Date => (time >= earliest && time <= now ? time : now)

const earliest = new Date('2000-01-01T00:00:00Z')

const e164 = /^\+[1-9][0-9]{6,14}$/

/** The address that is a phone number; null where none is. */
export const phoneOf = ({ handle, otherHandle }: Pick<InboundMessage, 'handle' | 'otherHandle'>): string | null =>
  [handle, otherHandle].find(address => address !== null && e164.test(address)) ?? null

/** Those that are in the same batch, ready to be recorded together. */
export const arrivedTogether = (messages: readonly Incoming[]): Arrived[] => {
  const persons = personsOf(messages)
  return messages.map((message, place) => {
    const { normal, word, isPublished, resumes, looksLike } = message.reading
    const person = persons[place]!
    return {
      place,
      workspace_id: message.workspaceId,
      channel_id: message.channelId,
      id: message.id,
      provider_message_id: message.providerMessageId,
      handle: message.handle,
      other_handle: message.otherHandle === message.handle ? null : message.otherHandle,
      phone: phoneOf(message),
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
      looks_like: looksLike,
    }
  })
}

interface Person {
  number: number
  phone: string | null
  name: string | null
  newCustomerId: string
}

/** Of each message who wrote it: messages that share an address, directly or over another one, share their person. */
const personsOf = (messages: readonly Incoming[]): Person[] => {
  const groups = new Groups()
  for (const message of messages) groups.join(addressesOf(message))
  const persons = new Map<string, Person>()
  for (const message of messages) {
    const name = groups.nameOf(addressesOf(message)[0]!)
    const person = persons.get(name) ?? { number: persons.size, phone: null, name: null, newCustomerId: newId() }
    person.phone ??= phoneOf(message)
    person.name ??= message.name
    persons.set(name, person)
  }
  return messages.map(message => persons.get(groups.nameOf(addressesOf(message)[0]!))!)
}

/** A phone is the same person's on every channel; any other address is of its channel. */
const addressesOf = (message: Incoming): string[] => {
  const { workspaceId, channelId, handle, otherHandle } = message
  const phone = phoneOf(message)
  return [
    `${channelId} ${handle}`,
    ...(otherHandle === null ? [] : [`${channelId} ${otherHandle}`]),
    ...(phone === null ? [] : [`${workspaceId} ${phone}`]),
  ]
}

/** Names that belong together, each group under one of them. */
class Groups {
  readonly #above = new Map<string, string>()

  join([first, ...others]: string[]): void {
    for (const other of others) this.#above.set(this.nameOf(other), this.nameOf(first!))
  }

  nameOf(one: string): string {
    let name = one
    for (let above = this.#above.get(name); above !== undefined && above !== name; above = this.#above.get(name))
      name = above
    return name
  }
}
