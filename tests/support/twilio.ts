/**
 * A stand-in for Twilio's messages: a server on loopback that accepts documented requests, refuses all others with the
 * documented codes, and sends signed callbacks.
 *
 *     const twilio = await startTwilio()
 *     twilio.callBack(`${publicUrl}/v1/inbound/twilio/${channelId}`, service)   // signed URL, and its reachable host
 *     twilio.apiUrl, twilio.credentials                                  // TWILIO_API_URL, credentials of a channel
 *     twilio.behave(acceptAndHang, well)                                 // misbehaves once (moods: ./stand-in.ts)
 *     await twilio.write({ from: '+4915112345678', text: 'Hello' })      // a customer writes
 *     await twilio.tell(twilio.sent[0]!, 'delivered')                    // a status, repeatable, in any order
 *     await twilio.post({ Anything: 'at all' }, { signature: 'forged' }) // a callback with any parameters or bytes
 *     await twilio.stop()
 *
 * Statuses go to the `StatusCallback` of their message. A message without one gets no statuses.
 */
import { createHmac } from 'node:crypto'
import {
  answering,
  type CallbackReply,
  hex,
  type Mood,
  postCallback,
  type StandIn,
  startStandIn,
  untilSent,
  type WireAnswer,
  type WireRequest,
} from './stand-in.ts'

/** An accepted message. */
export interface SentByTwilio {
  /** `SM…` */
  sid: string
  to: string
  from: string | null
  messagingServiceSid: string | null
  body: string
  statusCallback: string | null
}

interface WrittenToTwilio {
  from: string
  text?: string
  media?: string[]
  optOutType?: 'STOP' | 'START' | 'HELP'
  sid?: string
  /** Additional parameters, or replacements for the standard ones. */
  more?: Record<string, string>
}

export interface Posting {
  /** `forged` uses another token, `none` omits the header. Any other text becomes the header's value. */
  signature?: 'true' | 'forged' | 'none' | (string & {})
  /** Signed URL, if it is not the URL for messages. */
  to?: string
}

export interface Twilio extends StandIn {
  credentials: { accountSid: string; authToken: string; from: string }
  /** Credentials of the same account, with its messaging service. */
  serviceCredentials: { accountSid: string; authToken: string; messagingServiceSid: string }
  sent: readonly SentByTwilio[]
  account: { status: 'active' | 'suspended' | 'closed' }
  /** Numbers that opted out: error 21610. */
  stopped: Set<string>
  /** Numbers that cannot receive texts: error 21614. */
  landlines: Set<string>
  /**
   * Sets the callback URL for messages. `url` is signed; `reachedAt` is the reachable host if `url` does not lead to
   * this machine.
   */
  callBack(url: string, reachedAt?: string): void
  untilSent(count: number, timeoutMs?: number): Promise<readonly SentByTwilio[]>
  write(message: WrittenToTwilio): Promise<CallbackReply>
  /** Sends a status. Rejects if the message requested no status callbacks. */
  tell(
    message: SentByTwilio,
    status: string,
    more?: { errorCode?: number; doneDate?: string; more?: Record<string, string> },
  ): Promise<CallbackReply>
  post(parameters: Record<string, string> | string | Uint8Array<ArrayBuffer>, posting?: Posting): Promise<CallbackReply>
}

/** Returns the value of `X-Twilio-Signature`. */
export const signTwilio = (authToken: string, url: string, parameters: Record<string, string> = {}): string => {
  const names = Object.keys(parameters).sort()
  const signed = url + names.map(name => `${name}${parameters[name]}`).join('')
  return createHmac('sha1', authToken).update(signed).digest('base64')
}

/** Returns an error in the API's format. */
export const twilioError = (status: number, code: number, message: string): WireAnswer => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})

/** Refuses the request with a rate limit error. Without `seconds`, the answer has no retry time. */
export const rateLimited = (seconds: number | null = null, code = 20429): Mood =>
  answering({
    ...twilioError(429, code, 'Too Many Requests'),
    ...(seconds !== null && { headers: { 'Retry-After': String(seconds) } }),
  })

/** Refuses the request with a given code. */
export const refusing = (code: number, status = 400, words = 'Refused'): Mood =>
  answering(twilioError(status, code, words))

/** Fails on the provider's side. The caller cannot know whether the message was accepted. */
export const failing = (status = 500): Mood => answering(twilioError(status, 20500, 'Internal Server Error'))

const version = '2010-04-01'

/** Starts a stand-in with an account that has one number and one messaging service. */
export const startTwilio = async (credentials: Partial<Twilio['credentials']> = {}): Promise<Twilio> => {
  let callbackUrl: string | null = null
  let reachedAt: string | null = null
  const sent: SentByTwilio[] = []
  const standIn = await startStandIn('', request => take(twilio, request, sent))
  const account = { accountSid: `AC${hex(16)}`, authToken: hex(16), from: '+15550123456', ...credentials }
  const { accountSid, authToken } = account
  const twilio: Twilio = Object.assign(standIn, {
    credentials: account,
    serviceCredentials: { accountSid, authToken, messagingServiceSid: `MG${hex(16)}` },
    sent,
    account: { status: 'active' },
    stopped: new Set<string>(),
    landlines: new Set<string>(),
    callBack(url: string, at?: string) {
      callbackUrl = url
      reachedAt = at ?? null
    },
    untilSent: (count: number, timeoutMs?: number) => untilSent(sent, count, timeoutMs),
    write: (message: WrittenToTwilio) => twilio.post(inbound(twilio, message)),
    tell: async (message: SentByTwilio, status: string, more = {}) => {
      if (message.statusCallback === null) throw new Error(`${message.sid} asked for no statuses.`)
      return twilio.post(statusOf(twilio, message, status, more), { to: message.statusCallback })
    },
    post: (
      parameters: Record<string, string> | string | Uint8Array<ArrayBuffer>,
      { signature = 'true', to }: Posting = {},
    ) => {
      const url = to ?? callbackUrl
      if (url === null) throw new Error('Where callbacks go was not said: callBack(url).')
      const isForm = typeof parameters === 'object' && !(parameters instanceof Uint8Array)
      const body = isForm ? new URLSearchParams(parameters).toString() : parameters
      const signedParameters = isForm ? parameters : Object.fromEntries(new URLSearchParams(textOf(parameters)))
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
        ...signatureOf(signature, twilio.credentials.authToken, url, signedParameters),
      }
      return postCallback(reached(url, reachedAt), headers, body)
    },
  } satisfies Omit<Twilio, keyof StandIn>)
  return twilio
}

const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))

/** Returns the same operation at the address of the service. The original host is only reachable from outside. */
const reached = (url: string, at: string | null): string => (at === null ? url : at + url.slice(url.indexOf('/v1/')))

const signatureOf = (
  signature: string,
  token: string,
  url: string,
  parameters: Record<string, string>,
): Record<string, string> => {
  if (signature === 'none') return {}
  if (signature === 'true') return { 'X-Twilio-Signature': signTwilio(token, url, parameters) }
  return { 'X-Twilio-Signature': signature === 'forged' ? signTwilio(`not ${token}`, url, parameters) : signature }
}

/** Handles a request like the API. */
const take = (twilio: Twilio, request: WireRequest, sent: SentByTwilio[]): WireAnswer => {
  const { accountSid, authToken } = twilio.credentials
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  if (request.headers.authorization !== expected) return twilioError(401, 20003, 'Authenticate')
  const account = `/${version}/Accounts/${accountSid}`
  if (request.method === 'GET' && request.path === `${account}.json`) return accountOf(twilio)
  if (request.path !== `${account}/Messages.json`)
    return twilioError(404, 20404, `The requested resource ${request.path} was not found`)
  if (request.method !== 'POST') return twilioError(405, 20004, 'Method not allowed')
  return takeMessage(twilio, request, sent)
}

const accountOf = ({ credentials, account }: Twilio): WireAnswer => ({
  status: 200,
  body: { sid: credentials.accountSid, friendly_name: 'Example Shop', status: account.status, type: 'Full' },
})

const takeMessage = (twilio: Twilio, { headers, body }: WireRequest, sent: SentByTwilio[]): WireAnswer => {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return twilioError(400, 21604, "A 'To' phone number is required.")
  const form = new URLSearchParams(body)
  const [to, from, service, text, statusCallback] = ['To', 'From', 'MessagingServiceSid', 'Body', 'StatusCallback'].map(
    name => form.get(name),
  )
  const fault = faultOfTo(to, twilio) ?? faultOfSender(from, service, twilio) ?? faultOfBody(text)
  const refusal = fault ?? faultOfCallback(statusCallback)
  if (refusal) return refusal
  if (twilio.account.status !== 'active') return twilioError(403, 20005, 'Account is not active')
  if (twilio.stopped.has(to!)) return twilioError(400, 21610, 'Attempt to send to unsubscribed recipient')
  const route = { to: to!, from: from ?? null, messagingServiceSid: service ?? null }
  const message = { ...route, sid: `SM${hex(16)}`, body: text!, statusCallback: statusCallback ?? null }
  sent.push(message)
  return { status: 201, body: created(twilio, message) }
}

type Refused = WireAnswer | null
type Field = string | null | undefined

const number = /^(whatsapp:)?\+[1-9]\d{6,14}$/

const faultOfTo = (to: Field, { landlines }: Twilio): Refused => {
  if (!to) return twilioError(400, 21604, "A 'To' phone number is required.")
  if (!number.test(to)) return twilioError(400, 21211, `Invalid 'To' Phone Number: ${to}`)
  return landlines.has(to) ? twilioError(400, 21614, `'To' number is not a valid mobile number: ${to}`) : null
}

const faultOfSender = (from: Field, service: Field, { credentials, serviceCredentials }: Twilio): Refused => {
  if (!from && !service) return twilioError(400, 21603, "A 'From' phone number is required.")
  if (service && service !== serviceCredentials.messagingServiceSid)
    return twilioError(404, 21701, `The Messaging Service ${service} was not found`)
  if (!from || from === credentials.from) return null
  return twilioError(400, 21606, `The 'From' phone number ${from} is not a valid, message-capable phone number`)
}

const faultOfBody = (text: Field): Refused => {
  if (!text) return twilioError(400, 21602, 'Message body is required.')
  return text.length > 1600
    ? twilioError(400, 21617, 'The concatenated message body exceeds the 1600 character limit.')
    : null
}

const faultOfCallback = (url: Field): Refused =>
  url == null || /^https?:\/\/[^/\s]+/.test(url)
    ? null
    : twilioError(400, 21609, `The StatusCallback URL ${url} is not a valid URL.`)

const created = ({ credentials }: Twilio, { sid, to, from, messagingServiceSid, body }: SentByTwilio) => {
  const status = messagingServiceSid === null ? 'queued' : 'accepted'
  const addresses = { from, messaging_service_sid: messagingServiceSid, to }
  return { sid, account_sid: credentials.accountSid, ...addresses, body, status, error_code: null, error_message: null }
}

/** Returns the callback parameters for an inbound message. */
export const inbound = (
  { credentials }: Twilio,
  { from, text = '', media = [], optOutType, sid = `SM${hex(16)}`, more }: WrittenToTwilio,
): Record<string, string> => ({
  ...Object.fromEntries(
    ['ToCountry', 'ToState', 'ToCity', 'ToZip', 'FromCountry', 'FromState', 'FromCity', 'FromZip'].map(name => [
      name,
      '',
    ]),
  ),
  SmsMessageSid: sid,
  SmsSid: sid,
  MessageSid: sid,
  SmsStatus: 'received',
  NumMedia: String(media.length),
  NumSegments: '1',
  Body: text,
  From: from,
  To: credentials.from,
  AccountSid: credentials.accountSid,
  ApiVersion: version,
  ...Object.fromEntries(
    media.flatMap((type, index) => [
      [`MediaContentType${index}`, type],
      [`MediaUrl${index}`, `https://api.twilio.com/${version}/Accounts/${credentials.accountSid}/Media/ME${hex(16)}`],
    ]),
  ),
  ...(optOutType && { OptOutType: optOutType }),
  ...more,
})

/** Returns the callback parameters for a status. */
export const statusOf = (
  { credentials }: Twilio,
  { sid, to, from }: Pick<SentByTwilio, 'sid' | 'to' | 'from'>,
  status: string,
  { errorCode, doneDate, more }: { errorCode?: number; doneDate?: string; more?: Record<string, string> } = {},
): Record<string, string> => ({
  SmsSid: sid,
  SmsStatus: status,
  MessageStatus: status,
  To: to,
  MessageSid: sid,
  AccountSid: credentials.accountSid,
  From: from ?? credentials.from,
  ApiVersion: version,
  ...(errorCode !== undefined && { ErrorCode: String(errorCode) }),
  ...(doneDate !== undefined && { RawDlrDoneDate: doneDate }),
  ...more,
})
