/** Requests to the Twilio API. */
import { type Asked, ask } from '../ask.ts'
import { fieldsOf, idOf, maxName, textOf } from '../outside.ts'
import type { Handover, Introduction, OutboundMessage, SendResult } from '../provider.ts'
import { resultOf, type Speech, sentence, withoutSecrets } from '../refusals.ts'
import { addressFor } from './addresses.ts'
import type { Credentials } from './credentials.ts'
import { errorOf, meaningFor, meaningOf } from './errors.ts'
import { failureOf } from './read.ts'

const speech: Omit<Speech, 'meaning'> = {
  name: 'Twilio',
  accepted: body => {
    const { sid, status, error_code } = fieldsOf(body)
    const id = idOf(sid)
    if (id === null) return null
    const hasFailed = status === 'failed' || status === 'undelivered'
    const statuses = hasFailed ? [{ status: 'failed' as const, detail: failureOf(idOf(error_code)) }] : []
    return { kind: 'accepted', providerMessageId: id, statuses }
  },
  error: errorOf,
}

/** Sends one message. */
export const send = async (message: OutboundMessage, handover: Handover<Credentials>): Promise<SendResult> => {
  const body = new URLSearchParams(parametersOf(message, handover)).toString()
  const { credentials } = handover
  const meaning = meaningFor('from' in credentials ? credentials.from : undefined)
  return resultOf(await call(handover, 'POST', '/Messages.json', body), { ...speech, meaning }, [credentials.authToken])
}

const parametersOf = (
  { handle, text }: OutboundMessage,
  { credentials, statusUrl }: Handover<Credentials>,
): Record<string, string> => ({
  To: addressFor(handle, credentials),
  ...('from' in credentials ? { From: credentials.from } : { MessagingServiceSid: credentials.messagingServiceSid }),
  Body: text,
  ...(statusUrl !== null && { StatusCallback: statusUrl }),
})

/** Checks the account only. The first message shows whether the number belongs to it. */
export const whoAreWe = async (handover: Handover<Credentials>): Promise<Introduction> => {
  const asked = await call(handover, 'GET', '.json')
  if (asked.kind !== 'answered') return { ok: false, detail: `Twilio could not be asked: ${asked.why}.` }
  const { friendly_name, status } = fieldsOf(asked.body)
  if (asked.status !== 200 || typeof status !== 'string') return { ok: false, detail: notKnown(asked, handover) }
  const name = textOf(friendly_name, maxName)
  const account = name === null ? 'the account' : `the account ${name}`
  if (status !== 'active') return { ok: false, detail: `Twilio says that ${account} is ${textOf(status, 40)}.` }
  return { ok: true, detail: `Twilio knows ${account}.` }
}

const notKnown = (
  { status, body }: Extract<Asked, { kind: 'answered' }>,
  { credentials }: Handover<Credentials>,
): string => {
  const error = errorOf(body)
  if (error === null) return `Twilio answered with status ${status} and nothing that can be read.`
  const said = `Twilio refused to say who we are: ${error.text ?? 'no reason given'}`
  return sentence(meaningOf(error.code)?.words ?? withoutSecrets(said, [credentials.authToken]), error.code)
}

const call = (
  { apiUrl, credentials: { accountSid, authToken }, timeoutMs, signal }: Handover<Credentials>,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<Asked> =>
  ask({
    method,
    url: `${apiUrl}/2010-04-01/Accounts/${accountSid}${path}`,
    headers: {
      Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
      ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    ...(body !== undefined && { body }),
    timeoutMs,
    signal,
  })
