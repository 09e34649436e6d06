/** Requests to the Cloud API. */

import { asFields, maxName, parseId, parsePhone, parseText } from '../parsers.ts'
import type { CallOptions, CredentialsCheck, OutboundMessage, SendResult } from '../provider.ts'
import { type RequestResult, sendRequest } from '../send-request.ts'
import { type ResponseReader, redactSecrets, toSendResult, withErrorCode } from '../send-result.ts'
import type { Credentials } from './credentials.ts'
import { findMeaning, parseError } from './errors.ts'

const reader: ResponseReader = {
  name: 'WhatsApp',
  accepted: body => {
    const { messages } = asFields(body)
    const id = parseId(asFields(Array.isArray(messages) ? messages[0] : undefined).id)
    return id === null ? null : { kind: 'accepted', providerMessageId: id, statuses: [] }
  },
  error: body => parseError(asFields(body).error),
  meaning: findMeaning,
}

/** Sends one message: its template if it has one, otherwise its text. */
export const send = async (message: OutboundMessage, options: CallOptions<Credentials>): Promise<SendResult> => {
  const result = await call(options, {
    method: 'POST',
    path: `${options.credentials.phoneNumberId}/messages`,
    body: JSON.stringify(buildBody(message)),
  })
  return toSendResult(result, reader, secretsOf(options.credentials))
}

const buildBody = ({ id, handle, text, template }: OutboundMessage) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipientFields(handle),
  // Returned with every status of the message.
  biz_opaque_callback_data: id,
  ...(template === null
    ? { type: 'text', text: { body: text, preview_url: false } }
    : { type: 'template', template: buildTemplate(template) }),
})

/** An id of a customer without a number has its own field. In `to`, the message would be lost. */
const recipientFields = (handle: string) =>
  parsePhone(handle) === null ? { recipient: handle } : { to: handle.replace('+', '') }

const buildTemplate = ({ name, language, parameters }: NonNullable<OutboundMessage['template']>) => ({
  name,
  language: { code: language },
  ...(parameters.length > 0 && {
    components: [{ type: 'body', parameters: parameters.map(text => ({ type: 'text', text })) }],
  }),
})

/** Looks up the number that belongs to the phone number id. */
export const checkCredentials = async (options: CallOptions<Credentials>): Promise<CredentialsCheck> => {
  const path = `${options.credentials.phoneNumberId}?fields=display_phone_number,verified_name`
  const result = await call(options, { method: 'GET', path })
  if (result.kind !== 'answered') return { ok: false, detail: `WhatsApp could not be reached: ${result.reason}.` }
  const response = asFields(result.body)
  const display = parseText(response.display_phone_number, 40)
  if (result.status !== 200 || display === null)
    return { ok: false, detail: rejectionDetail(result, options.credentials) }
  const name = parseText(response.verified_name, maxName)
  const number = parsePhone(display.replaceAll(/[^0-9]/g, ''))
  const detail = `WhatsApp knows this number as ${display}${name === null ? '' : ` of ${name}`}.`
  return { ok: true, detail, ...(number !== null && { number }) }
}

const rejectionDetail = (
  { status, body }: Extract<RequestResult, { kind: 'answered' }>,
  credentials: Credentials,
): string => {
  const error = parseError(asFields(body).error)
  if (error === null) return `WhatsApp responded with status ${status} and an unreadable body.`
  const message = redactSecrets(
    `WhatsApp rejected the request: ${error.text ?? 'no reason given'}`,
    secretsOf(credentials),
  )
  return withErrorCode(findMeaning(error)?.words ?? message, error.code)
}

const call = (
  { apiUrl, credentials, timeoutMs, signal, traceparent = null }: CallOptions<Credentials>,
  { path, ...request }: { method: 'GET' | 'POST'; path: string; body?: string },
): Promise<RequestResult> =>
  sendRequest({
    ...request,
    url: `${apiUrl}/${path}`,
    headers: {
      Authorization: `Bearer ${credentials.accessToken}`,
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    timeoutMs,
    signal,
    traceparent,
  })

const secretsOf = ({ accessToken, appSecret, verifyToken }: Credentials): string[] => [
  accessToken,
  appSecret,
  verifyToken,
]
