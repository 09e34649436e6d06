/** Parses a Twilio callback. It contains either one message or one status, which differ in their parameters. */

import { isId } from '../../../../core/ids.ts'
import { clock } from '../../../../platform/clock.ts'
import {
  describeKind,
  Faults,
  formatValue,
  maxName,
  parseId,
  parseText,
  plausibleTime,
  type StatusMap,
} from '../parsers.ts'
import type { CallbackContent, CallbackItem, CallbackRequest, MessageType } from '../provider.ts'
import { withErrorCode } from '../send-result.ts'
import { handleFrom } from './addresses.ts'
import { findMeaning } from './errors.ts'

/** Maximum number of bytes of a callback, far above what Twilio sends. */
const maxBytes = 256 * 1024

export const read = ({ url, body }: CallbackRequest): CallbackContent => {
  const faults = new Faults()
  const items = body.byteLength > maxBytes ? [] : parseItems(parseParameters(body), url, faults)
  if (body.byteLength > maxBytes) faults.add(`The callback has ${body.byteLength} bytes. The maximum is ${maxBytes}.`)
  return { items, rejections: faults.sentences }
}

/** Returns a parameter by name, or undefined if it is missing. */
type Parameters = (name: string) => string | undefined

const parseParameters = (body: Uint8Array): Parameters => {
  const parameters = new URLSearchParams(new TextDecoder().decode(body))
  return name => parameters.get(name) ?? undefined
}

const parseItems = (parameters: Parameters, url: string, faults: Faults): CallbackItem[] => {
  const id = parseId(parameters('MessageSid') ?? parameters('SmsSid'))
  if (id === null) {
    const value = parameters('MessageSid') ?? parameters('SmsSid')
    faults.add(`MessageSid must be the id of the message, not ${formatValue(value)}.`)
    return []
  }
  const status = parameters('MessageStatus') ?? parameters('SmsStatus')
  const isInbound = status === undefined || status === 'received' || status === 'receiving'
  return isInbound ? parseMessage(id, parameters, faults) : parseStatus(id, status, parameters, url, faults)
}

/** Puts the preference before the message, so that an opt-out takes effect before anything replies. */
const parseMessage = (id: string, parameters: Parameters, faults: Faults): CallbackItem[] => {
  const handle = handleFrom(parameters('From'))
  if (handle === null) {
    faults.add(`From must be the address of the customer, not ${describeKind(parameters('From'))}.`)
    return []
  }
  const text = parseText(parameters('Body'))
  const otherHandle = parseId(parameters('ExternalUserId'))
  const message: CallbackItem = {
    kind: 'message',
    providerMessageId: id,
    handle,
    otherHandle: otherHandle === handle ? null : otherHandle,
    name: parseText(parameters('ProfileName'), maxName),
    type: messageType(parameters, text),
    text,
    // Twilio sends no time. It calls back immediately.
    sentAt: new Date(clock.now()),
  }
  const wants = preferenceByKeyword[parameters('OptOutType')?.toUpperCase() ?? '']
  return wants ? [{ kind: 'preference', handle, wants, words: text ?? wants, sourceMessageId: id }, message] : [message]
}

const preferenceByKeyword: Readonly<Record<string, 'stop' | 'resume'>> = { STOP: 'stop', START: 'resume' }

const messageType = (parameters: Parameters, text: string | null): MessageType => {
  if (parameters('Latitude') !== undefined && parameters('Longitude') !== undefined) return 'location'
  if (Number(parameters('NumMedia') ?? 0) > 0) return mediaType(parameters('MediaContentType0') ?? '')
  return text === null ? 'other' : 'text'
}

const mediaType = (contentType: string): MessageType => {
  const [kind = ''] = contentType.split('/', 1)
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind
  return kind === 'application' ? 'document' : 'other'
}

const parseStatus = (id: string, name: string, parameters: Parameters, url: string, faults: Faults): CallbackItem[] => {
  const status = Object.hasOwn(statuses, name) ? statuses[name] : undefined
  if (status === undefined) faults.add(`MessageStatus is not known: ${formatValue(name)}.`)
  if (!status) return []
  const code = parseId(parameters('ErrorCode'))
  const item: CallbackItem = {
    kind: 'status',
    providerMessageId: id,
    messageId: parseMessageId(url),
    status,
    detail: status === 'failed' ? failureDetail(code) : null,
    at: parseDoneDate(parameters('RawDlrDoneDate')),
  }
  const handle = handleFrom(parameters('To'))
  const meaning = code === null ? undefined : findMeaning(code)
  if (meaning?.class !== 'opted_out' || handle === null) return [item]
  return [
    { kind: 'preference', handle, wants: 'stop', words: withErrorCode(meaning.words, code), sourceMessageId: id },
    item,
  ]
}

/** Null ignores the status: the message is still in progress. */
const statuses: StatusMap = {
  accepted: null,
  scheduled: null,
  queued: null,
  sending: null,
  sent: 'sent',
  delivered: 'delivered',
  partially_delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

/** Returns the reason why a message failed. */
export const failureDetail = (code: string | null): string => {
  if (code === null || code === '0') return 'Twilio could not deliver it and gave no reason.'
  return withErrorCode(findMeaning(code)?.words ?? 'Twilio could not deliver it', parseText(code, 20))
}

/** Returns our message id from the status callback URL. */
const parseMessageId = (url: string): string | null => {
  const id = URL.canParse(url) ? new URL(url).searchParams.get('message') : null
  return id !== null && isId(id) ? id : null
}

/** Parses `YYMMDDhhmm` from the mobile network as UTC. The real time zone is unknown. */
const parseDoneDate = (text: string | undefined): Date | null => {
  if (text === undefined || !/^\d{10}$/.test(text)) return null
  const [year, month, day, hour, minute] = Array.from({ length: 5 }, (_, index) =>
    Number(text.slice(2 * index, 2 * index + 2)),
  ) as [number, number, number, number, number]
  const at = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute))
  const isValid = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24 && minute < 60
  return isValid ? plausibleTime(at.getTime()) : null
}
