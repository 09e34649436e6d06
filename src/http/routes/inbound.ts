/**
 * Routes for callbacks from messaging providers. Providers have no credential of this service and define their own
 * bodies. A signature authenticates them.
 */

import type { RateLimit } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import {
  type CallbackOutcome,
  Callbacks,
  challengeAnswer,
  isSigned,
  notSigned,
  receiveCallback,
  requireSignature,
} from '../../domain/callbacks/index.ts'
import type { CalledChannel, ChannelSettings } from '../../domain/channels/index.ts'
import { notFound } from '../../domain/errors.ts'
import type { RefusalLog } from '../../domain/refusals/index.ts'
import { clock } from '../../platform/clock.ts'
import { type Answer, type Call, type Operation, publicOperation, type RawBody } from '../operation.ts'

const tag = 'Callbacks'

const maxBytes = 3 * 1024 * 1024

interface InboundDeps {
  sql: Database
  refusals: RefusalLog
  channelSettings: ChannelSettings
  /** Maximum callback rate per workspace in this process. Null means no limit. */
  callbackRate: RateLimit | null
}

export const inboundRoutes = (deps: InboundDeps): Operation[] => {
  const callbacks = new Callbacks(deps.sql, deps.callbackRate)
  const receiving = (name: string, path: string) => (call: Call<never, never>, rawBody: RawBody) =>
    receive(deps, callbacks, { name, path, call, rawBody })
  return [
    publicOperation({
      ...whatsapp,
      method: 'GET',
      id: 'challengeWhatsapp',
      summary: 'Confirm the WhatsApp callback URL',
      description: 'Meta calls this operation once during callback setup, with the verify token of the channel.',
      raw: { maxBytes, mediaType: 'application/json' },
      answers: {
        200: { description: 'The challenge, as text/plain.' },
      },
      errors: {
        forbidden: 'the verify token does not match the channel.',
      },
      handle: async ({ request, params }) => {
        const channel = await existing(callbacks, 'whatsapp', params.channelId!)
        const text = challengeAnswer(deps.channelSettings, channel, new URL(request.url).searchParams)
        return { status: 200, text, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }
      },
    }),
    publicOperation({
      ...whatsapp,
      method: 'POST',
      id: 'receiveWhatsapp',
      summary: 'Receive WhatsApp messages and statuses',
      description:
        'Receives callbacks from Meta, signed in X-Hub-Signature-256. Returns 200 after all messages and statuses are recorded. Content that cannot be understood is listed as a rejected event.',
      raw: { maxBytes, mediaType: 'application/json' },
      answers: {
        200: { description: 'The callback is recorded. The body is empty.' },
      },
      errors: {
        unauthorized: 'the signature is missing, or does not match the body.',
        forbidden: 'an API key was sent. API keys cannot call this operation.',
        invalid_request: 'the body is larger than 3 MiB.',
      },
      handle: receiving('whatsapp', whatsapp.path),
    }),
    publicOperation({
      ...twilio,
      method: 'POST',
      id: 'receiveTwilio',
      summary: 'Receive Twilio messages and statuses',
      description:
        'Receives callbacks from Twilio, signed in X-Twilio-Signature. The signature covers the public URL of the service (`PUBLIC_URL`). Returns 200 after all messages and statuses are recorded. Content that cannot be understood is listed as a rejected event.',
      raw: { maxBytes, mediaType: 'application/x-www-form-urlencoded' },
      answers: {
        200: { description: 'The callback is recorded. The body is an empty `<Response/>` of type text/xml.' },
      },
      errors: {
        unauthorized: 'the signature is missing, or does not match the body and the URL.',
        forbidden: 'an API key was sent. API keys cannot call this operation.',
        invalid_request: 'the body is larger than 3 MiB.',
      },
      handle: receiving('twilio', twilio.path),
    }),
  ]
}

const whatsapp = { path: '/v1/inbound/whatsapp/:channelId', tag, access: 'anyone' } as const
const twilio = { path: '/v1/inbound/twilio/:channelId', tag, access: 'anyone' } as const

interface Called {
  name: string
  path: string
  call: Call<never, never>
  rawBody: RawBody
}

/**
 * Finds the channel, checks the rates, reads the body and verifies the signature. Only then does it acquire a permit of
 * the channel, so a sender without a valid signature never holds one.
 */
const receive = async (deps: InboundDeps, callbacks: Callbacks, called: Called): Promise<Answer> => {
  const { request, params, address } = called.call
  const settings = deps.channelSettings
  const channel = await existing(callbacks, called.name, params.channelId!)
  requireSignature(settings, channel, request.headers)
  callbacks.requireAllowance(channel, address)
  const body = await called.rawBody(channel.workspaceId)
  const { pathname, search } = new URL(request.url)
  const asked = { url: settings.publicUrl() + pathname + search, headers: request.headers, body }
  const callback = { channel, request: asked }
  if (!isSigned(settings, callback)) {
    callbacks.countUnsigned(channel, address)
    throw notSigned()
  }
  callbacks.countBytes(channel, body.byteLength)
  const outcome = await callbacks.inPlace(channel, request.signal, () =>
    receiveCallback(deps.sql, settings, callback, items => callbacks.countItems(channel, items)),
  )
  keepNotUnderstood(deps.refusals, channel, called, outcome)
  const { contentType, body: text } = outcome.answer
  return { status: 200, text, headers: { 'Content-Type': contentType } }
}

const existing = async (callbacks: Callbacks, name: string, id: string): Promise<CalledChannel> => {
  const channel = await callbacks.channelAt(name, id)
  if (!channel) throw notFound('channel')
  return channel
}

/**
 * Records messages that could not be understood for the team. The provider already got a success status, because
 * sending them again would not help.
 */
const keepNotUnderstood = (
  refusals: RefusalLog,
  { workspaceId, kind }: CalledChannel,
  { path, call: { request, requestId } }: Called,
  { notUnderstood }: CallbackOutcome,
): void => {
  for (const sentence of notUnderstood)
    refusals.keep({
      workspaceId,
      sender: kind,
      method: request.method,
      path,
      status: 200,
      error: { code: 'invalid_request', message: sentence },
      requestId,
      at: new Date(clock.now()),
    })
}
