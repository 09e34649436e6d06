/**
 * Parses a WhatsApp callback: entries with changes that contain messages, statuses and preferences. Pure except for the
 * clock.
 */

import { isId } from '../../../../core/ids.ts'
import { clock } from '../../../../platform/clock.ts'
import {
  asFields,
  describeKind,
  Faults,
  type Fields,
  formatValue,
  isObject,
  maxDetail,
  maxElements,
  maxItems,
  maxName,
  parseId,
  parsePhone,
  parseText,
  parseTime,
  type StatusMap,
} from '../parsers.ts'
import type { CallbackContent, CallbackItem, MessageType } from '../provider.ts'
import { type ProviderError, withErrorCode } from '../send-result.ts'
import { findMeaning, parseError } from './errors.ts'

/** WhatsApp sends at most 3 MiB. */
const maxBytes = 4 * 1024 * 1024
/**
 * Maximum number of quotation marks and opening brackets. Parsing is synchronous, and its time grows with their number
 * more than with the bytes. A callback of 1,000 updates has about 100,000.
 */
const maxTokens = 250_000
/**
 * Maximum number of colons, and of commas, outside texts. Distinct names take the longest to parse. A callback of 1,000
 * updates has fewer than 30,000 names.
 */
const maxSeparators = 40_000

/** Returns all well-formed items, even if other parts are malformed. */
export const read = (body: Uint8Array, phoneNumberId: string): CallbackContent => {
  const parser = new CallbackParser(phoneNumberId)
  if (body.byteLength > maxBytes)
    parser.faults.add(`The callback has ${body.byteLength} bytes. The maximum is ${maxBytes}.`)
  else {
    const excess = findExcess(body)
    if (excess === null) parser.parseCallback(parseJson(body))
    else parser.faults.add(`The callback has more than ${excess}. It was not processed.`)
  }
  return { items: parser.items, rejections: parser.faults.sentences }
}

const [quote, backslash, comma, colon, bracket, brace] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b]
const excessTokens = `${maxTokens} quotation marks and brackets`

/** Returns the first maximum that the body exceeds, in words, or null. Reads each byte at most once. */
const findExcess = (body: Uint8Array): string | null => {
  let tokens = 0
  let colons = 0
  let commas = 0
  let isInText = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === quote || byte === bracket || byte === brace) {
      if (++tokens > maxTokens) return excessTokens
    }
    if (byte === quote) isInText = !isInText
    else if (isInText) {
      // Skips an escaped character. An escaped quotation mark also counts.
      if (byte === backslash && body[++i] === quote && ++tokens > maxTokens) return excessTokens
    } else if (byte === colon) {
      if (++colons > maxSeparators) return `${maxSeparators} names`
    } else if (byte === comma && ++commas > maxSeparators) return `${maxSeparators} commas outside texts`
  }
  return null
}

/** Returns undefined if the body is not JSON. */
const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** A path in the callback, such as `entry.0.changes.1`. */
type Path = string

class CallbackParser {
  readonly items: CallbackItem[] = []
  readonly faults = new Faults()
  #elements = 0

  constructor(private readonly phoneNumberId: string) {}

  parseCallback(content: unknown) {
    if (content === undefined) this.faults.add('The callback is not valid JSON, or is incomplete.')
    else if (!isObject(content)) this.faults.add(`The callback must be an object, not ${formatValue(content)}.`)
    else if (content.object !== 'whatsapp_business_account')
      this.faults.add(`The callback is for ${formatValue(content.object)}, not for a WhatsApp Business account.`)
    else this.each(content.entry, 'entry', (entry, path) => this.entry(entry, path))
  }

  private entry(entry: Fields, path: Path) {
    this.each(entry.changes, `${path}.changes`, (change, path) => this.change(change, path))
  }

  /** Ignores other fields. They concern templates, the account and similar things that are not stored. */
  private change({ field, value }: Fields, path: Path) {
    if (field !== 'messages' && field !== 'user_preferences') return
    if (!isObject(value)) return this.faults.add(`${path}.value must be an object, not ${formatValue(value)}.`)
    if (!this.isOurNumber(value, path)) return
    const contacts = this.contactsOf(value.contacts)
    const base = `${path}.value`
    this.each(value.messages, `${base}.messages`, (one, at) => this.message(one, contacts, at), optional)
    this.each(value.statuses, `${base}.statuses`, (one, at) => this.status(one, at), optional)
    this.each(value.user_preferences, `${base}.user_preferences`, (one, at) => this.preference(one, at), optional)
    this.each(value.errors, `${base}.errors`, one => this.error(one), optional)
  }

  /** Ignores other numbers: all numbers of an account can use the same callback URL. */
  private isOurNumber(value: Fields, path: Path): boolean {
    const { phone_number_id: numberId } = asFields(value.metadata)
    const id = parseId(numberId)
    if (id === this.phoneNumberId) return true
    if (id === null) {
      this.faults.add(
        `${path}.value.metadata.phone_number_id must be the ID of a phone number, not ${formatValue(numberId)}.`,
      )
      return false
    }
    this.faults.add(
      `The callback is for the phone number ID ${formatValue(id)}, which does not belong to this channel.`,
    )
    return false
  }

  private message(message: Fields, contacts: Contacts, path: Path) {
    const type = typeof message.type === 'string' ? message.type : ''
    if (ignoredTypes.has(type))
      return this.faults.add(`A message of the type ${formatValue(type)} was skipped: ${ignoredTypes.get(type)}.`)
    const id = parseId(message.id)
    if (id === null) return this.faults.add(`${path}.id must be the id of the message, not ${formatValue(message.id)}.`)
    const sender = this.senderOf(message, contacts)
    if (sender === null)
      return this.faults.add(`${path}.from must be a phone number, not ${describeKind(message.from)}.`)
    const sentAt = parseTime(message.timestamp)
    if (sentAt === null)
      this.faults.add(
        `${path}.timestamp must be a time in seconds, not ${formatValue(message.timestamp)}. The time of arrival is used.`,
      )
    this.items.push({
      kind: 'message',
      providerMessageId: id,
      ...sender,
      type: messageType(type),
      text: messageText(message, type),
      sentAt: sentAt ?? new Date(clock.now()),
    })
  }

  private contactsOf(list: unknown): Contacts {
    const elements: unknown[] = Array.isArray(list) ? list.slice(0, maxElements - this.#elements) : []
    this.#elements += elements.length
    return indexContacts(elements.filter(isObject))
  }

  private senderOf(message: Fields, contacts: Contacts) {
    const userId = parseId(message.from_user_id)
    const contact = contacts.of(message.from) ?? contacts.of(userId) ?? contacts.only ?? {}
    return toSender(parsePhone(message.from) ?? parsePhone(contact.wa_id), userId ?? parseId(contact.user_id), contact)
  }

  private status(status: Fields, path: Path) {
    const id = parseId(status.id)
    if (id === null) return this.faults.add(`${path}.id must be the id of the message, not ${formatValue(status.id)}.`)
    const name = typeof status.status === 'string' ? status.status : ''
    const ourStatus = Object.hasOwn(statuses, name) ? statuses[name] : undefined
    if (ourStatus === undefined) return this.faults.add(`${path}.status is not known: ${formatValue(status.status)}.`)
    if (ourStatus === null) return
    const error = Array.isArray(status.errors) ? parseError(status.errors[0]) : null
    this.addOptOut(status, error)
    const messageId = parseId(status.biz_opaque_callback_data)
    this.items.push({
      kind: 'status',
      providerMessageId: id,
      messageId: messageId !== null && isId(messageId) ? messageId : null,
      status: ourStatus,
      detail: ourStatus === 'failed' ? failureDetail(error) : null,
      at: parseTime(status.timestamp),
    })
  }

  /** Adds an opt-out if a message failed because the customer wants no messages. */
  private addOptOut(status: Fields, error: ProviderError | null) {
    const meaning = error === null ? undefined : findMeaning(error)
    const handle = parsePhone(status.recipient_id) ?? parseId(status.recipient_user_id)
    if (meaning?.class !== 'opted_out' || handle === null) return
    const words = withErrorCode(meaning.words, error!.code)
    this.items.push({ kind: 'preference', handle, wants: 'stop', words, ...withTime(status.timestamp) })
  }

  private preference(preference: Fields, path: Path) {
    const handle = parsePhone(preference.wa_id) ?? parseId(preference.user_id)
    if (handle === null)
      return this.faults.add(`${path}.wa_id must be a phone number, not ${describeKind(preference.wa_id)}.`)
    const { value } = preference
    if (value !== 'stop' && value !== 'resume')
      return this.faults.add(`${path}.value must be "stop" or "resume", not ${formatValue(value)}.`)
    const words = parseText(preference.detail, maxDetail) ?? value
    this.items.push({ kind: 'preference', handle, wants: value, words, ...withTime(preference.timestamp) })
  }

  private error(value: Fields) {
    const error = parseError(value)
    if (error) this.faults.add(withErrorCode(`WhatsApp reports: ${error.text ?? 'an error'}`, error.code))
  }

  /** Calls `parseItem` for each object of a list. Reports elements that are not objects, and values that are not lists. */
  private each(list: unknown, path: Path, parseItem: (one: Fields, path: Path) => void, isOptional = false) {
    if (list === undefined && isOptional) return
    if (!Array.isArray(list)) return this.faults.add(`${path} must be a list, not ${formatValue(list)}.`)
    for (const [index, one] of list.entries()) {
      if (index >= maxItems || this.items.length >= maxItems || ++this.#elements > maxElements)
        return this.faults.add(`The callback has more than ${maxItems} items. The others were skipped.`)
      if (isObject(one)) parseItem(one, `${path}.${index}`)
      else this.faults.add(`${path}.${index} must be an object, not ${formatValue(one)}.`)
    }
  }
}

const optional = true

const withTime = (timestamp: unknown): { at?: Date } => {
  const at = parseTime(timestamp)
  return at === null ? {} : { at }
}

/** Profiles of the people in a change. */
interface Contacts {
  of(id: unknown): Fields | undefined
  /** Set if the change has exactly one contact. */
  only: Fields | undefined
}

const indexContacts = (contacts: Fields[]): Contacts => {
  const byId = new Map(contacts.flatMap(contact => [contact.wa_id, contact.user_id].map(id => [parseId(id), contact])))
  return { of: id => byId.get(parseId(id) ?? ''), only: contacts.length === 1 ? contacts[0] : undefined }
}

/** Replies go to the phone number if it is known. Customers with a user name can hide it. */
const toSender = (phone: string | null, userId: string | null, contact: Fields) => {
  const handle = phone ?? userId
  if (handle === null) return null
  const name = parseText(asFields(contact.profile).name, maxName)
  return { handle, otherHandle: handle === userId ? null : userId, name }
}

/** Message types that contain nothing from the customer. */
const ignoredTypes = new Map([
  ['system', 'it reports a change of the number or account of the customer'],
  ['request_welcome', 'the customer only opened the chat'],
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

const messageType = (name: string): MessageType => (Object.hasOwn(types, name) ? types[name]! : 'other')

const messageText = (message: Fields, type: string): string | null => {
  const content = asFields(Object.hasOwn(message, type) ? message[type] : undefined)
  switch (messageType(type)) {
    case 'text':
      return parseText(content.body) ?? parseText(content.text) ?? parseText(content.payload) ?? selectedOption(content)
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
      return parseText(content.caption)
    default:
      return null
  }
}

/** Returns the option that the customer selected. */
const selectedOption = ({ button_reply, list_reply, nfm_reply }: Fields): string | null =>
  parseText(asFields(button_reply).title) ??
  parseText(asFields(list_reply).title) ??
  parseText(asFields(nfm_reply).body)

/** Null ignores the status. */
const statuses: StatusMap = {
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

const failureDetail = (error: ProviderError | null): string => {
  if (error === null) return 'WhatsApp could not deliver it and gave no reason.'
  const words = findMeaning(error)?.words ?? `WhatsApp could not deliver it: ${error.text ?? 'no reason given'}`
  return withErrorCode(words.replace(/\.$/, ''), error.code)
}
