/** Requests to the Twilio API. */

import { asFields, maxName, parseId, parseText } from '../parsers.ts'
import type { CallOptions, CredentialsCheck, OutboundMessage, SendResult } from '../provider.ts'
import { type RequestResult, sendRequest } from '../send-request.ts'
import { type ResponseReader, redactSecrets, toSendResult, withErrorCode } from '../send-result.ts'
import { addressFor } from './addresses.ts'
import type { Credentials } from './credentials.ts'
import { findMeaning, meaningForSender, parseError } from './errors.ts'
import { failureDetail } from './read.ts'

const reader: Omit<ResponseReader, 'meaning'> = {
  name: 'Twilio',
  accepted: body => {
    const { sid, status, error_code } = asFields(body)
    const id = parseId(sid)
    if (id === null) return null
    const hasFailed = status === 'failed' || status === 'undelivered'
    const statuses = hasFailed ? [{ status: 'failed' as const, detail: failureDetail(parseId(error_code)) }] : []
    return { kind: 'accepted', providerMessageId: id, statuses }
  },
  error: parseError,
}

/** Sends one message. */
export const send = async (message: OutboundMessage, options: CallOptions<Credentials>): Promise<SendResult> => {
  const body = new URLSearchParams(buildParameters(message, options)).toString()
  const { credentials } = options
  const meaning = meaningForSender('from' in credentials ? credentials.from : undefined)
  return toSendResult(await call(options, 'POST', '/Messages.json', body), { ...reader, meaning }, [
    credentials.authToken,
  ])
}

const buildParameters = (
  { handle, text }: OutboundMessage,
  { credentials, statusUrl }: CallOptions<Credentials>,
): Record<string, string> => ({
  To: addressFor(handle, credentials),
  ...('from' in credentials ? { From: credentials.from } : { MessagingServiceSid: credentials.messagingServiceSid }),
  Body: text,
  ...(statusUrl !== null && { StatusCallback: statusUrl }),
})

/** Checks the account only. The first message shows whether the number belongs to it. */
export const checkCredentials = async (options: CallOptions<Credentials>): Promise<CredentialsCheck> => {
  const result = await call(options, 'GET', '.json')
  if (result.kind !== 'answered') return { ok: false, detail: `Twilio could not be reached: ${result.reason}.` }
  const { friendly_name, status } = asFields(result.body)
  if (result.status !== 200 || typeof status !== 'string')
    return { ok: false, detail: rejectionDetail(result, options) }
  const name = parseText(friendly_name, maxName)
  const account = name === null ? 'the account' : `the account ${name}`
  if (status !== 'active') return { ok: false, detail: `Twilio reports that ${account} is ${parseText(status, 40)}.` }
  return { ok: true, detail: `Twilio knows ${account}.` }
}

const rejectionDetail = (
  { status, body }: Extract<RequestResult, { kind: 'answered' }>,
  { credentials }: CallOptions<Credentials>,
): string => {
  const error = parseError(body)
  if (error === null) return `Twilio responded with status ${status} and an unreadable body.`
  const message = `Twilio rejected the request: ${error.text ?? 'no reason given'}`
  return withErrorCode(findMeaning(error.code)?.words ?? redactSecrets(message, [credentials.authToken]), error.code)
}

const call = (
  { apiUrl, credentials: { accountSid, authToken }, timeoutMs, signal, traceparent = null }: CallOptions<Credentials>,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
): Promise<RequestResult> =>
  sendRequest({
    method,
    url: `${apiUrl}/2010-04-01/Accounts/${accountSid}${path}`,
    headers: {
      Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
      ...(body !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    ...(body !== undefined && { body }),
    timeoutMs,
    signal,
    traceparent,
  })
