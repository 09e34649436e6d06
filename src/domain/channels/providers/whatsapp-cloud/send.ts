/** Requests to the Cloud API. */
import { type Asked, ask } from '../ask.ts'
import { fieldsOf, idOf, maxName, phoneOf, textOf } from '../outside.ts'
import type { Handover, Introduction, OutboundMessage, SendResult } from '../provider.ts'
import { resultOf, type Speech, sentence, withoutSecrets } from '../refusals.ts'
import type { Credentials } from './credentials.ts'
import { errorOf, meaningOf } from './errors.ts'

const speech: Speech = {
  name: 'WhatsApp',
  accepted: body => {
    const { messages } = fieldsOf(body)
    const id = idOf(fieldsOf(Array.isArray(messages) ? messages[0] : undefined).id)
    return id === null ? null : { kind: 'accepted', providerMessageId: id, statuses: [] }
  },
  error: body => errorOf(fieldsOf(body).error),
  meaning: meaningOf,
}

/** Sends one message: its template if it has one, otherwise its text. */
export const send = async (message: OutboundMessage, handover: Handover<Credentials>): Promise<SendResult> => {
  const asked = await call(handover, {
    method: 'POST',
    path: `${handover.credentials.phoneNumberId}/messages`,
    body: JSON.stringify(bodyOf(message)),
  })
  return resultOf(asked, speech, secretsOf(handover.credentials))
}

const bodyOf = ({ id, handle, text, template }: OutboundMessage) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  ...recipientOf(handle),
  // Returned with every status of the message.
  biz_opaque_callback_data: id,
  ...(template === null
    ? { type: 'text', text: { body: text, preview_url: false } }
    : { type: 'template', template: templateOf(template) }),
})

/** An id of a customer without a number has its own field. In `to`, the message would be lost. */
const recipientOf = (handle: string) =>
  phoneOf(handle) === null ? { recipient: handle } : { to: handle.replace('+', '') }

const templateOf = ({ name, language, parameters }: NonNullable<OutboundMessage['template']>) => ({
  name,
  language: { code: language },
  ...(parameters.length > 0 && {
    components: [{ type: 'body', parameters: parameters.map(text => ({ type: 'text', text })) }],
  }),
})

/** Looks up the number that belongs to the phone number id. */
export const whoAreWe = async (handover: Handover<Credentials>): Promise<Introduction> => {
  const path = `${handover.credentials.phoneNumberId}?fields=display_phone_number,verified_name`
  const asked = await call(handover, { method: 'GET', path })
  if (asked.kind !== 'answered') return { ok: false, detail: `WhatsApp could not be asked: ${asked.why}.` }
  const answer = fieldsOf(asked.body)
  const display = textOf(answer.display_phone_number, 40)
  if (asked.status !== 200 || display === null) return { ok: false, detail: notKnown(asked, handover.credentials) }
  const name = textOf(answer.verified_name, maxName)
  const number = phoneOf(display.replaceAll(/[^0-9]/g, ''))
  const detail = `WhatsApp knows this number as ${display}${name === null ? '' : ` of ${name}`}.`
  return { ok: true, detail, ...(number !== null && { number }) }
}

const notKnown = ({ status, body }: Extract<Asked, { kind: 'answered' }>, credentials: Credentials): string => {
  const error = errorOf(fieldsOf(body).error)
  if (error === null) return `WhatsApp answered with status ${status} and nothing that can be read.`
  const said = withoutSecrets(
    `WhatsApp refused to say who we are: ${error.text ?? 'no reason given'}`,
    secretsOf(credentials),
  )
  return sentence(meaningOf(error)?.words ?? said, error.code)
}

const call = (
  { apiUrl, credentials, timeoutMs, signal }: Handover<Credentials>,
  { path, ...request }: { method: 'GET' | 'POST'; path: string; body?: string },
): Promise<Asked> =>
  ask({
    ...request,
    url: `${apiUrl}/${path}`,
    headers: {
      Authorization: `Bearer ${credentials.accessToken}`,
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    timeoutMs,
    signal,
  })

const secretsOf = ({ accessToken, appSecret, verifyToken }: Credentials): string[] => [
  accessToken,
  appSecret,
  verifyToken,
]
