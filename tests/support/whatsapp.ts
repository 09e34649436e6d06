/**
 * A stand-in for WhatsApp's Cloud API: a server on loopback that accepts documented requests, refuses all others with
 * the documented codes, and sends signed callbacks.
 *
 *     const whatsapp = await startWhatsApp()
 *     whatsapp.callBack(`${service}/v1/inbound/whatsapp/${channelId}`)   // URL for callbacks
 *     whatsapp.apiUrl, whatsapp.credentials                              // WHATSAPP_API_URL, credentials of a channel
 *     whatsapp.behave(rateLimited(2), well)                              // misbehaves once (moods: ./stand-in.ts)
 *     await whatsapp.write({ from: '+4915112345678', text: 'Hello' })    // a customer writes
 *     await whatsapp.tell(whatsapp.sent[0]!, 'read')                     // a status, repeatable, in any order
 *     await whatsapp.post(anything, { signature: 'forged' })             // a callback with any bytes
 *     await whatsapp.stop()
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
export interface SentByWhatsApp {
  /** `wamid.…` */
  id: string
  /** Digits of the number. Null if the message went to a user id. */
  to: string | null
  userId: string | null
  text: string | null
  template: { name: string; language: string; parameters: string[] } | null
  /** `biz_opaque_callback_data`, returned with every status. */
  opaque: string | null
}

/** An approved template. */
interface ApprovedTemplate {
  name: string
  language: string
  /** Number of `{{1}}` parameters in its body. */
  parameters: number
}

export interface WrittenToWhatsApp {
  /** E.164. If omitted, the customer hides the number and `userId` identifies the person. */
  from?: string
  userId?: string
  name?: string
  text?: string
  /** A message that is not text: its type, and the content under that name. */
  other?: { type: string; content: Record<string, unknown> }
  id?: string
  at?: Date
  /** Number of the account, if it is not the default one. */
  phoneNumberId?: string
}

export interface Posting {
  /** `forged` uses another secret, `none` omits the header. Any other text becomes the header's value. */
  signature?: 'true' | 'forged' | 'none' | (string & {})
  /** Target URL, if it is not the callback URL. */
  to?: string
}

export interface WhatsApp extends StandIn {
  credentials: { phoneNumberId: string; accessToken: string; appSecret: string; verifyToken: string }
  sent: readonly SentByWhatsApp[]
  templates: ApprovedTemplate[]
  /** Digits of numbers that opted out: error 131050 for templates. */
  stopped: Set<string>
  callBack(url: string): void
  untilSent(count: number, timeoutMs?: number): Promise<readonly SentByWhatsApp[]>
  write(message: WrittenToWhatsApp): Promise<CallbackReply>
  tell(
    message: Pick<SentByWhatsApp, 'id'> & Partial<SentByWhatsApp>,
    status: string,
    more?: { error?: { code: number; title: string; details?: string }; at?: Date },
  ): Promise<CallbackReply>
  wish(from: string, value: 'stop' | 'resume', detail?: string, at?: Date): Promise<CallbackReply>
  /** Posts one callback with these changes of `messages`, batched in the given order. */
  postChanges(...values: Record<string, unknown>[]): Promise<CallbackReply>
  post(body: string | Uint8Array<ArrayBuffer>, posting?: Posting): Promise<CallbackReply>
  /** Requests the callback URL with GET, as WhatsApp does when the URL is entered. */
  subscribe(challenge: string, verifyToken?: string): Promise<CallbackReply>
}

/** Returns the value of `X-Hub-Signature-256`. */
export const signWhatsApp = (appSecret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

/** Writes JSON like WhatsApp: escapes every slash and every character outside ASCII. */
export const escaped = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns an error in the API's format. */
export const whatsAppError = (
  status: number,
  code: number,
  message: string,
  details?: string,
  subcode?: number,
): WireAnswer => ({
  status,
  body: {
    error: {
      message: `(#${code}) ${message}`,
      type: subcode === 33 ? 'GraphMethodException' : 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
      fbtrace_id: hex(8),
    },
  },
})

/** Refuses the request with a rate limit error. Without `seconds`, the answer has no retry time. */
export const rateLimited = (seconds: number | null = null, code = 130429): Mood => {
  const details = 'Message failed to send because there were too many messages.'
  const answer = whatsAppError(429, code, 'Rate limit hit', details)
  return answering({ ...answer, ...(seconds !== null && { headers: { 'Retry-After': String(seconds) } }) })
}

/** Refuses the request with a given code. */
export const refusing = (code: number, status = 400, words = 'Refused', details?: string): Mood =>
  answering(whatsAppError(status, code, words, details))

/** Fails on the provider's side. The caller cannot know whether the message was accepted. */
export const failing = (status = 500, code = 131000): Mood =>
  answering(whatsAppError(status, code, 'Something went wrong'))

const version = '/v23.0'

/** Starts a stand-in with an account that has one number and no templates. */
export const startWhatsApp = async (credentials: Partial<WhatsApp['credentials']> = {}): Promise<WhatsApp> => {
  let callbackUrl: string | null = null
  const sent: SentByWhatsApp[] = []
  const standIn = await startStandIn(version, request => take(whatsapp, request, sent))
  const digits = Array.from(hex(7), letter => Number.parseInt(letter, 16) % 10).join('')
  const whatsapp: WhatsApp = Object.assign(standIn, {
    credentials: {
      phoneNumberId: `1${digits}`,
      accessToken: `EAA${hex(40)}`,
      appSecret: hex(16),
      verifyToken: hex(10),
      ...credentials,
    },
    sent,
    templates: [],
    stopped: new Set<string>(),
    callBack(url: string) {
      callbackUrl = url
    },
    untilSent: (count: number, timeoutMs?: number) => untilSent(sent, count, timeoutMs),
    write: (message: WrittenToWhatsApp) => whatsapp.postChanges(inbound(whatsapp, message)),
    tell: (message, status, more) => whatsapp.postChanges(statusOf(whatsapp, message, status, more ?? {})),
    wish: (from: string, value: 'stop' | 'resume', detail?: string, at?: Date) =>
      whatsapp.post(wishBody(whatsapp, from, value, detail, at)),
    postChanges: (...values: Record<string, unknown>[]) => whatsapp.post(messagesBody(...values)),
    post: (body: string | Uint8Array<ArrayBuffer>, { signature = 'true', to }: Posting = {}) => {
      const url = to ?? callbackUrl
      if (url === null) throw new Error('Where callbacks go was not said: callBack(url).')
      const headers = { 'Content-Type': 'application/json', ...signed(signature, whatsapp.credentials.appSecret, body) }
      return postCallback(url, headers, body)
    },
    subscribe: async (challenge: string, verifyToken = whatsapp.credentials.verifyToken) => {
      const query = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': challenge }
      const response = await fetch(`${callbackUrl}?${new URLSearchParams(query)}`, { redirect: 'manual' })
      const contentType = response.headers.get('content-type')
      return { status: response.status, contentType, body: await response.text() }
    },
  } satisfies Omit<WhatsApp, keyof StandIn>)
  return whatsapp
}

const signed = (signature: string, secret: string, body: string | Uint8Array): Record<string, string> => {
  if (signature === 'none') return {}
  if (signature === 'true') return { 'X-Hub-Signature-256': signWhatsApp(secret, body) }
  return { 'X-Hub-Signature-256': signature === 'forged' ? signWhatsApp(`not ${secret}`, body) : signature }
}

/** Handles a request like the API. */
const take = (whatsapp: WhatsApp, request: WireRequest, sent: SentByWhatsApp[]): WireAnswer => {
  if (request.headers.authorization !== `Bearer ${whatsapp.credentials.accessToken}`)
    return whatsAppError(401, 190, 'Invalid OAuth access token - Cannot parse access token')
  const [id, ...rest] = request.path.slice(`${version}/`.length).split('/')
  if (!request.path.startsWith(`${version}/`) || id !== whatsapp.credentials.phoneNumberId)
    return whatsAppError(400, 100, `Unsupported request. Object with ID '${id}' does not exist`, undefined, 33)
  if (request.method === 'GET' && rest.length === 0) return numberOf(whatsapp, request)
  if (request.method !== 'POST' || rest.join('/') !== 'messages')
    return whatsAppError(400, 100, 'Unsupported request - method type')
  return takeMessage(whatsapp, request, sent)
}

const displayNumber = '+1 555-012-3456'

const numberOf = ({ credentials }: WhatsApp, { query }: WireRequest): WireAnswer => {
  const fields: Record<string, string> = { display_phone_number: displayNumber, verified_name: 'Example Shop' }
  const asked = (query.get('fields') ?? 'display_phone_number,verified_name').split(',')
  const unknown = asked.find(name => !(name in fields) && name !== 'id')
  if (unknown !== undefined) return whatsAppError(400, 100, `Tried accessing nonexisting field (${unknown})`)
  return {
    status: 200,
    body: { ...Object.fromEntries(asked.map(name => [name, fields[name]])), id: credentials.phoneNumberId },
  }
}

const invalid = (details: string): WireAnswer => whatsAppError(400, 100, 'Invalid parameter', details)

const known = new Set(
  'messaging_product recipient_type to recipient type text template context biz_opaque_callback_data'.split(' '),
)

const takeMessage = (whatsapp: WhatsApp, request: WireRequest, sent: SentByWhatsApp[]): WireAnswer => {
  if (!request.headers['content-type']?.startsWith('application/json')) return invalid('The body is not JSON.')
  const body = jsonOf(request.body)
  if (body === null) return invalid('The body is not JSON.')
  const unknown = Object.keys(body).find(name => !known.has(name))
  if (unknown !== undefined) return invalid(`Unexpected key "${unknown}" on param.`)
  if (body.messaging_product !== 'whatsapp') return invalid('messaging_product must be whatsapp.')
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual') return invalid('recipient_type')
  const fault = faultOfRecipient(body) ?? faultOfOpaque(body.biz_opaque_callback_data)
  if (fault !== null) return invalid(fault)
  const to = (body.to as string | undefined)?.replace('+', '') ?? null
  const userId = to === null ? (body.recipient as string) : null
  const content = body.type === 'template' ? takeTemplate(whatsapp, body, to) : takeText(body)
  if ('status' in content) return content
  const opaque = (body.biz_opaque_callback_data as string | undefined) ?? null
  const message = { id: `wamid.${hex(20).toUpperCase()}`, to, userId, ...content, opaque }
  sent.push(message)
  const contact = to === null ? { input: userId, user_id: userId } : { input: body.to, wa_id: to }
  return { status: 200, body: { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id: message.id }] } }
}

const jsonOf = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

const faultOfRecipient = ({ to, recipient }: Record<string, unknown>): string | null => {
  if (to !== undefined)
    return typeof to === 'string' && /^\+?[1-9]\d{6,14}$/.test(to) ? null : 'to is not a phone number.'
  if (recipient === undefined) return 'The parameter to is required.'
  const isUserId = typeof recipient === 'string' && /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient)
  return isUserId ? null : 'recipient is not a business-scoped user id.'
}

const faultOfOpaque = (opaque: unknown): string | null =>
  opaque === undefined || (typeof opaque === 'string' && opaque.length <= 512)
    ? null
    : 'biz_opaque_callback_data must be a text of at most 512 characters.'

type Content = Pick<SentByWhatsApp, 'text' | 'template'>

const takeText = ({ type = 'text', text, template }: Record<string, unknown>): Content | WireAnswer => {
  if (type !== 'text') return whatsAppError(400, 131051, 'Unsupported message type')
  const { body, preview_url: preview = false, ...more } = (text ?? {}) as Record<string, unknown>
  if (template !== undefined || typeof preview !== 'boolean' || Object.keys(more).length > 0) return invalid('text')
  if (typeof body !== 'string' || body === '') return whatsAppError(400, 100, "The parameter text['body'] is required.")
  if (body.length > 4096) return whatsAppError(400, 100, "Param text['body'] must be at most 4096 characters long.")
  return { text: body, template: null }
}

const takeTemplate = (
  { templates, stopped }: WhatsApp,
  { template, text }: Record<string, unknown>,
  to: string | null,
): Content | WireAnswer => {
  const { name, language, components = [] } = (template ?? {}) as Record<string, unknown>
  const { code } = (language ?? {}) as Record<string, unknown>
  if (text !== undefined || typeof name !== 'string' || typeof code !== 'string') return invalid('template')
  const found = templates.find(one => one.name === name && one.language === code)
  if (!found) return whatsAppError(404, 132001, 'Template name does not exist in the translation', `${name}, ${code}`)
  const parameters = parametersIn(components)
  if (parameters === null) return invalid('template.components')
  if (parameters.length !== found.parameters)
    return whatsAppError(400, 132000, 'Number of parameters does not match the expected number of params')
  if (to !== null && stopped.has(to))
    return whatsAppError(400, 131050, 'This recipient has chosen to stop receiving marketing messages.')
  return { text: null, template: { name, language: code, parameters } }
}

/** Returns the texts of the single body component, or null if it differs from the documentation. */
const parametersIn = (components: unknown): string[] | null => {
  if (!Array.isArray(components) || components.length > 1) return null
  if (components.length === 0) return []
  const { type, parameters } = components[0] as Record<string, unknown>
  if (type !== 'body' || !Array.isArray(parameters) || parameters.length === 0) return null
  const texts = parameters.map(one => (one?.type === 'text' && typeof one.text === 'string' ? one.text : null))
  return texts.every(text => text !== null && text !== '') ? (texts as string[]) : null
}

const envelope = (field: string, values: Record<string, unknown>[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', changes: values.map(value => ({ field, value })) }],
})

const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1000))

const metadataOf = ({ credentials }: WhatsApp, phoneNumberId = credentials.phoneNumberId) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: displayNumber.replaceAll(/\D/g, ''), phone_number_id: phoneNumberId },
})

/** Returns the change value for one inbound message. */
export const inbound = (
  whatsapp: WhatsApp,
  {
    from,
    userId,
    name = 'Ana',
    text,
    other,
    id = `wamid.${hex(20).toUpperCase()}`,
    at = new Date(),
    phoneNumberId,
  }: WrittenToWhatsApp,
): Record<string, unknown> => {
  const waId = from?.replace('+', '')
  const content = other
    ? { type: other.type, [other.type]: other.content }
    : { type: 'text', text: { body: text ?? '' } }
  const sender = { ...(waId !== undefined && { from: waId }), ...(userId !== undefined && { from_user_id: userId }) }
  const ids = { ...(waId !== undefined && { wa_id: waId }), ...(userId !== undefined && { user_id: userId }) }
  return {
    ...metadataOf(whatsapp, phoneNumberId),
    contacts: [{ profile: { name }, ...ids }],
    messages: [{ ...sender, id, timestamp: seconds(at), ...content }],
  }
}

/** Returns the change value for one status. */
export const statusOf = (
  whatsapp: WhatsApp,
  { id, to, userId, opaque }: Pick<SentByWhatsApp, 'id'> & Partial<SentByWhatsApp>,
  status: string,
  { error, at = new Date() }: { error?: { code: number; title: string; details?: string }; at?: Date },
): Record<string, unknown> => ({
  ...metadataOf(whatsapp),
  statuses: [
    {
      id,
      status,
      timestamp: seconds(at),
      ...(to ? { recipient_id: to } : { recipient_user_id: userId ?? 'US.1' }),
      ...(opaque && { biz_opaque_callback_data: opaque }),
      ...(status === 'sent' && { conversation: { id: hex(16), origin: { type: 'service' } } }),
      ...(error && { errors: [errorOf(error)] }),
    },
  ],
})

const errorOf = ({ code, title, details = title }: { code: number; title: string; details?: string }) => ({
  code,
  title,
  message: title,
  error_data: { details },
})

/** Returns the body of a callback with these changes of `messages`. */
export const messagesBody = (...values: Record<string, unknown>[]): string => escaped(envelope('messages', values))

/** Returns the body of a callback in which the customer stops or resumes marketing messages. */
const wishBody = (...wish: Parameters<typeof wishOf>): string =>
  escaped(envelope('user_preferences', [wishOf(...wish)]))

const wishOf = (whatsapp: WhatsApp, from: string, value: 'stop' | 'resume', detail?: string, at = new Date()) => ({
  ...metadataOf(whatsapp),
  contacts: [{ profile: { name: 'Ana' }, wa_id: from.replace('+', '') }],
  user_preferences: [
    {
      wa_id: from.replace('+', ''),
      detail: detail ?? `User requested to ${value} marketing messages`,
      category: 'marketing_messages',
      value,
      timestamp: seconds(at),
    },
  ],
})
