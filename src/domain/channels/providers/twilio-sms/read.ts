/** Parses a Twilio callback. It contains either one message or one status, which differ in their parameters. */
import { clock } from '../../../../platform/clock.ts'
import { isId } from '../../../ids.ts'
import { Faults, idOf, kindOf, maxName, plausible, type StatusWords, shown, textOf } from '../outside.ts'
import type { CallbackContent, CallbackItem, CallbackRequest, MessageType } from '../provider.ts'
import { sentence } from '../refusals.ts'
import { handleFrom } from './addresses.ts'
import { meaningOf } from './errors.ts'

/** Maximum number of bytes of a callback, far above what Twilio sends. */
const maxBytes = 256 * 1024

export const read = ({ url, body }: CallbackRequest): CallbackContent => {
  const faults = new Faults()
  const items = body.byteLength > maxBytes ? [] : itemsOf(parametersOf(body), url, faults)
  if (body.byteLength > maxBytes)
    faults.add(`The callback has ${body.byteLength} bytes, and at most ${maxBytes} are read.`)
  return { items, notUnderstood: faults.sentences }
}

/** Returns a parameter by name, or undefined if it is missing. */
type Parameters = (name: string) => string | undefined

const parametersOf = (body: Uint8Array): Parameters => {
  const parameters = new URLSearchParams(new TextDecoder().decode(body))
  return name => parameters.get(name) ?? undefined
}

const itemsOf = (parameters: Parameters, url: string, faults: Faults): CallbackItem[] => {
  const id = idOf(parameters('MessageSid') ?? parameters('SmsSid'))
  if (id === null) {
    const given = parameters('MessageSid') ?? parameters('SmsSid')
    faults.add(`MessageSid must be the id of the message, not ${shown(given)}.`)
    return []
  }
  const status = parameters('MessageStatus') ?? parameters('SmsStatus')
  const isInbound = status === undefined || status === 'received' || status === 'receiving'
  return isInbound ? messageOf(id, parameters, faults) : statusOf(id, status, parameters, url, faults)
}

/** Puts the preference before the message, so that an opt-out takes effect before anything replies. */
const messageOf = (id: string, parameters: Parameters, faults: Faults): CallbackItem[] => {
  const handle = handleFrom(parameters('From'))
  if (handle === null) {
    faults.add(`From must be the address of the customer, not ${kindOf(parameters('From'))}.`)
    return []
  }
  const text = textOf(parameters('Body'))
  const otherHandle = idOf(parameters('ExternalUserId'))
  const message: CallbackItem = {
    kind: 'message',
    providerMessageId: id,
    handle,
    otherHandle: otherHandle === handle ? null : otherHandle,
    name: textOf(parameters('ProfileName'), maxName),
    type: typeOf(parameters, text),
    text,
    // Twilio sends no time. It calls back immediately.
    sentAt: new Date(clock.now()),
  }
  const wants = wishes[parameters('OptOutType')?.toUpperCase() ?? '']
  return wants ? [{ kind: 'preference', handle, wants, words: text ?? wants, toldBy: id }, message] : [message]
}

const wishes: Readonly<Record<string, 'stop' | 'resume'>> = { STOP: 'stop', START: 'resume' }

const typeOf = (parameters: Parameters, text: string | null): MessageType => {
  if (parameters('Latitude') !== undefined && parameters('Longitude') !== undefined) return 'location'
  if (Number(parameters('NumMedia') ?? 0) > 0) return mediaTypeOf(parameters('MediaContentType0') ?? '')
  return text === null ? 'other' : 'text'
}

const mediaTypeOf = (contentType: string): MessageType => {
  const [kind = ''] = contentType.split('/', 1)
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind
  return kind === 'application' ? 'document' : 'other'
}

const statusOf = (id: string, name: string, parameters: Parameters, url: string, faults: Faults): CallbackItem[] => {
  const status = Object.hasOwn(statuses, name) ? statuses[name] : undefined
  if (status === undefined) faults.add(`MessageStatus is not known: ${shown(name)}.`)
  if (!status) return []
  const code = idOf(parameters('ErrorCode'))
  const told: CallbackItem = {
    kind: 'status',
    providerMessageId: id,
    messageId: ourId(url),
    status,
    detail: status === 'failed' ? failureOf(code) : null,
    at: doneAt(parameters('RawDlrDoneDate')),
  }
  const handle = handleFrom(parameters('To'))
  const meaning = code === null ? undefined : meaningOf(code)
  if (meaning?.class !== 'opted_out' || handle === null) return [told]
  return [{ kind: 'preference', handle, wants: 'stop', words: sentence(meaning.words, code), toldBy: id }, told]
}

/** Null ignores the status: the message is still in progress. */
const statuses: StatusWords = {
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
export const failureOf = (code: string | null): string => {
  if (code === null || code === '0') return 'Twilio could not deliver it, and did not say why.'
  return sentence(meaningOf(code)?.words ?? 'Twilio could not deliver it', textOf(code, 20))
}

/** Returns our message id from the status callback URL. */
const ourId = (url: string): string | null => {
  const id = URL.canParse(url) ? new URL(url).searchParams.get('message') : null
  return id !== null && isId(id) ? id : null
}

/** Parses `YYMMDDhhmm` from the mobile network as UTC. The real time zone is unknown. */
const doneAt = (text: string | undefined): Date | null => {
  if (text === undefined || !/^\d{10}$/.test(text)) return null
  const [year, month, day, hour, minute] = Array.from({ length: 5 }, (_, index) =>
    Number(text.slice(2 * index, 2 * index + 2)),
  ) as [number, number, number, number, number]
  const at = new Date(Date.UTC(2000 + year, month - 1, day, hour, minute))
  const isSo = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24 && minute < 60
  return isSo ? plausible(at.getTime()) : null
}
