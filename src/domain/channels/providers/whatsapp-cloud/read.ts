/**
 * Parses a WhatsApp callback: entries with changes that contain messages, statuses and preferences. Pure except for the
 * clock.
 */
import { clock } from '../../../../platform/clock.ts'
import { isId } from '../../../ids.ts'
import {
  Faults,
  type Fields,
  fieldsOf,
  idOf,
  isObject,
  kindOf,
  maxDetail,
  maxElements,
  maxItems,
  maxName,
  phoneOf,
  type StatusWords,
  shown,
  textOf,
  timeOf,
} from '../outside.ts'
import type { CallbackContent, CallbackItem, MessageType } from '../provider.ts'
import { type ProviderError, sentence } from '../refusals.ts'
import { errorOf, meaningOf } from './errors.ts'

/** WhatsApp sends at most 3 MiB. */
const maxBytes = 4 * 1024 * 1024
/**
 * Maximum number of quotation marks and opening brackets. Parsing is synchronous, and its time grows with their number
 * more than with the bytes. A callback of 1,000 updates has about 100,000.
 */
const maxSigns = 250_000

/** Returns all well-formed items, even if other parts are malformed. */
export const read = (body: Uint8Array, phoneNumberId: string): CallbackContent => {
  const reading = new Reading(phoneNumberId)
  if (body.byteLength > maxBytes)
    reading.faults.add(`The callback has ${body.byteLength} bytes, and at most ${maxBytes} are read.`)
  else if (hasTooManySigns(body))
    reading.faults.add(`The callback has more than ${maxSigns} quotation marks and brackets, and was not read.`)
  else reading.callback(parsed(body))
  return { items: reading.items, notUnderstood: reading.faults.sentences }
}

const [quote, bracket, brace] = [0x22, 0x5b, 0x7b]

const hasTooManySigns = (body: Uint8Array): boolean => {
  let signs = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === quote || byte === bracket || byte === brace) signs++
  }
  return signs > maxSigns
}

/** Returns undefined if the body is not JSON. */
const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** A path in the callback, such as `entry.0.changes.1`. */
type Place = string

class Reading {
  readonly items: CallbackItem[] = []
  readonly faults = new Faults()
  #elements = 0

  constructor(private readonly phoneNumberId: string) {}

  callback(content: unknown) {
    if (content === undefined) this.faults.add('The callback is not JSON, or not all of it came.')
    else if (!isObject(content)) this.faults.add(`The callback must be an object, not ${shown(content)}.`)
    else if (content.object !== 'whatsapp_business_account')
      this.faults.add(`The callback is of ${shown(content.object)}, not of a WhatsApp Business account.`)
    else this.each(content.entry, 'entry', (entry, place) => this.entry(entry, place))
  }

  private entry(entry: Fields, place: Place) {
    this.each(entry.changes, `${place}.changes`, (change, place) => this.change(change, place))
  }

  /** Ignores other fields. They concern templates, the account and similar things that are not stored. */
  private change({ field, value }: Fields, place: Place) {
    if (field !== 'messages' && field !== 'user_preferences') return
    if (!isObject(value)) return this.faults.add(`${place}.value must be an object, not ${shown(value)}.`)
    if (!this.isOurs(value, place)) return
    const contacts = this.contactsOf(value.contacts)
    const within = `${place}.value`
    this.each(value.messages, `${within}.messages`, (one, at) => this.message(one, contacts, at), optional)
    this.each(value.statuses, `${within}.statuses`, (one, at) => this.status(one, at), optional)
    this.each(value.user_preferences, `${within}.user_preferences`, (one, at) => this.preference(one, at), optional)
    this.each(value.errors, `${within}.errors`, one => this.error(one), optional)
  }

  /** Ignores other numbers: all numbers of an account can use the same callback URL. */
  private isOurs(value: Fields, place: Place): boolean {
    const { phone_number_id: given } = fieldsOf(value.metadata)
    const id = idOf(given)
    if (id === this.phoneNumberId) return true
    if (id === null) {
      this.faults.add(
        `${place}.value.metadata.phone_number_id must be the id of the phone number that it is told of, not ${shown(given)}.`,
      )
      return false
    }
    this.faults.add(`Something was told of the phone number with the id ${shown(id)}, which is not this channel's.`)
    return false
  }

  private message(message: Fields, contacts: Contacts, place: Place) {
    const type = typeof message.type === 'string' ? message.type : ''
    if (passedOver.has(type))
      return this.faults.add(`A message of the type ${shown(type)} was passed over: ${passedOver.get(type)}.`)
    const id = idOf(message.id)
    if (id === null) return this.faults.add(`${place}.id must be the id of the message, not ${shown(message.id)}.`)
    const sender = this.senderOf(message, contacts)
    if (sender === null) return this.faults.add(`${place}.from must be a phone number, not ${kindOf(message.from)}.`)
    const sentAt = timeOf(message.timestamp)
    if (sentAt === null)
      this.faults.add(
        `${place}.timestamp must be a time in seconds, not ${shown(message.timestamp)}; the message has that of its arrival.`,
      )
    this.items.push({
      kind: 'message',
      providerMessageId: id,
      ...sender,
      type: typeOf(type),
      text: textIn(message, type),
      sentAt: sentAt ?? new Date(clock.now()),
    })
  }

  private contactsOf(list: unknown): Contacts {
    const some: unknown[] = Array.isArray(list) ? list.slice(0, maxElements - this.#elements) : []
    this.#elements += some.length
    return contactsIn(some.filter(isObject))
  }

  private senderOf(message: Fields, contacts: Contacts) {
    const userId = idOf(message.from_user_id)
    const contact = contacts.of(message.from) ?? contacts.of(userId) ?? contacts.only ?? {}
    return addressed(phoneOf(message.from) ?? phoneOf(contact.wa_id), userId ?? idOf(contact.user_id), contact)
  }

  private status(status: Fields, place: Place) {
    const id = idOf(status.id)
    if (id === null) return this.faults.add(`${place}.id must be the id of the message, not ${shown(status.id)}.`)
    const name = typeof status.status === 'string' ? status.status : ''
    const told = Object.hasOwn(statuses, name) ? statuses[name] : undefined
    if (told === undefined) return this.faults.add(`${place}.status is not known: ${shown(status.status)}.`)
    if (told === null) return
    const error = Array.isArray(status.errors) ? errorOf(status.errors[0]) : null
    this.wishIn(status, error)
    const ours = idOf(status.biz_opaque_callback_data)
    this.items.push({
      kind: 'status',
      providerMessageId: id,
      messageId: ours !== null && isId(ours) ? ours : null,
      status: told,
      detail: told === 'failed' ? detailOf(error) : null,
      at: timeOf(status.timestamp),
    })
  }

  /** Adds an opt-out if a message failed because the customer wants no messages. */
  private wishIn(status: Fields, error: ProviderError | null) {
    const meaning = error === null ? undefined : meaningOf(error)
    const handle = phoneOf(status.recipient_id) ?? idOf(status.recipient_user_id)
    if (meaning?.class !== 'opted_out' || handle === null) return
    const words = sentence(meaning.words, error!.code)
    this.items.push({ kind: 'preference', handle, wants: 'stop', words, ...dated(status.timestamp) })
  }

  private preference(preference: Fields, place: Place) {
    const handle = phoneOf(preference.wa_id) ?? idOf(preference.user_id)
    if (handle === null)
      return this.faults.add(`${place}.wa_id must be a phone number, not ${kindOf(preference.wa_id)}.`)
    const { value } = preference
    if (value !== 'stop' && value !== 'resume')
      return this.faults.add(`${place}.value must be "stop" or "resume", not ${shown(value)}.`)
    const words = textOf(preference.detail, maxDetail) ?? value
    this.items.push({ kind: 'preference', handle, wants: value, words, ...dated(preference.timestamp) })
  }

  private error(value: Fields) {
    const error = errorOf(value)
    if (error) this.faults.add(sentence(`WhatsApp reports: ${error.text ?? 'an error'}`, error.code))
  }

  /** Calls `look` for each object of a list. Reports elements that are not objects, and values that are not lists. */
  private each(list: unknown, place: Place, look: (one: Fields, place: Place) => void, isOptional = false) {
    if (list === undefined && isOptional) return
    if (!Array.isArray(list)) return this.faults.add(`${place} must be a list, not ${shown(list)}.`)
    for (const [index, one] of list.entries()) {
      if (index >= maxItems || this.items.length >= maxItems || ++this.#elements > maxElements)
        return this.faults.add(`The callback tells more than ${maxItems} things; those after them were passed over.`)
      if (isObject(one)) look(one, `${place}.${index}`)
      else this.faults.add(`${place}.${index} must be an object, not ${shown(one)}.`)
    }
  }
}

const optional = true

const dated = (timestamp: unknown): { at?: Date } => {
  const at = timeOf(timestamp)
  return at === null ? {} : { at }
}

/** Profiles of the people in a change. */
interface Contacts {
  of(id: unknown): Fields | undefined
  /** Set if the change has exactly one contact. */
  only: Fields | undefined
}

const contactsIn = (contacts: Fields[]): Contacts => {
  const byId = new Map(contacts.flatMap(contact => [contact.wa_id, contact.user_id].map(id => [idOf(id), contact])))
  return { of: id => byId.get(idOf(id) ?? ''), only: contacts.length === 1 ? contacts[0] : undefined }
}

/** Replies go to the phone number if it is known. Customers with a user name can hide it. */
const addressed = (phone: string | null, userId: string | null, contact: Fields) => {
  const handle = phone ?? userId
  if (handle === null) return null
  const name = textOf(fieldsOf(contact.profile).name, maxName)
  return { handle, otherHandle: handle === userId ? null : userId, name }
}

/** Message types that contain nothing from the customer. */
const passedOver = new Map([
  ['system', 'it tells of a change of the customer’s own number or account'],
  ['request_welcome', 'the customer has only opened the chat'],
])

/** Unlisted types become `other`, so that messages of new types are not lost. */
const types: Readonly<Record<string, MessageType>> = {
  text: 'text',
  button: 'text',
  interactive: 'text',
  image: 'image',
  sticker: 'image',
  audio: 'audio',
  voice: 'audio',
  video: 'video',
  document: 'document',
  location: 'location',
}

const typeOf = (name: string): MessageType => (Object.hasOwn(types, name) ? types[name]! : 'other')

const textIn = (message: Fields, type: string): string | null => {
  const content = fieldsOf(Object.hasOwn(message, type) ? message[type] : undefined)
  switch (typeOf(type)) {
    case 'text':
      return textOf(content.body) ?? textOf(content.text) ?? textOf(content.payload) ?? chosen(content)
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
      return textOf(content.caption)
    default:
      return null
  }
}

/** Returns the option that the customer selected. */
const chosen = ({ button_reply, list_reply, nfm_reply }: Fields): string | null =>
  textOf(fieldsOf(button_reply).title) ?? textOf(fieldsOf(list_reply).title) ?? textOf(fieldsOf(nfm_reply).body)

/** Null ignores the status. */
const statuses: StatusWords = {
  accepted: null,
  pending: null,
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // A voice message was played.
  played: 'read',
  failed: 'failed',
  deleted: null,
  warning: null,
}

const detailOf = (error: ProviderError | null): string => {
  if (error === null) return 'WhatsApp could not deliver it, and did not say why.'
  const words = meaningOf(error)?.words ?? `WhatsApp could not deliver it: ${error.text ?? 'no reason given'}`
  return sentence(words.replace(/\.$/, ''), error.code)
}
