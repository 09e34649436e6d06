/**
 * Routes for callbacks from messaging providers. Providers have no credential of this service and define their own
 * bodies. A signature authenticates them.
 */

import type { RateLimit } from '../../../config.ts'
import { notFound } from '../../../core/errors.ts'
import type { RejectedRequestLog } from '../../../events/rejected-requests/index.ts'
import {
  type CallbackOutcome,
  Callbacks,
  challengeResponse,
  invalidSignature,
  isSigned,
  readCallback,
  receiveCallback,
  requireSignature,
} from '../../../messaging/callbacks/index.ts'
import type { CallbackChannel, ChannelSettings, Provider } from '../../../messaging/channels/index.ts'
import { clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/client.ts'
import { type Answer, type Call, type Operation, publicOperation, type RawBody } from '../../operation.ts'

const tag = 'Callbacks'

const maxBytes = 3 * 1024 * 1024

interface InboundDeps {
  sql: Database
  rejectedRequests: RejectedRequestLog
  channelSettings: ChannelSettings
  /** Maximum callback rate per workspace in this process. Null means no limit. */
  callbackRate: RateLimit | null
}

/** Returns the operations of each provider with callbacks. */
export const inboundRoutes = (deps: InboundDeps): Operation[] => {
  const callbacks = new Callbacks(deps.sql, deps.callbackRate)
  return Object.values(deps.channelSettings.providers).flatMap(provider => providerRoutes(deps, callbacks, provider))
}

const providerRoutes = (deps: InboundDeps, callbacks: Callbacks, provider: Provider): Operation[] => {
  if (provider.callbacks === null) return []
  const { name, description, mediaType, challenge, response } = provider.callbacks
  const path = `/v1/inbound/${name}/:channelId`
  const shared = { path, tag, access: 'anyone', raw: { maxBytes, mediaType } } as const
  const idSuffix = name.charAt(0).toUpperCase() + name.slice(1)
  const confirm = publicOperation({
    ...shared,
    method: 'GET',
    id: `challenge${idSuffix}`,
    summary: `Confirm the callback URL for ${provider.name}`,
    description: 'The provider calls this operation once during callback setup, with the verify token of the channel.',
    answers: {
      200: { description: 'The challenge, as text/plain.' },
    },
    errors: {
      forbidden: 'the verify token does not match the channel.',
    },
    handle: async ({ request, params }) => {
      const channel = await requireChannel(callbacks, name, params.channelId!)
      const text = challengeResponse(deps.channelSettings, channel, new URL(request.url).searchParams)
      return { status: 200, text, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }
    },
  })
  const receiving = publicOperation({
    ...shared,
    method: 'POST',
    id: `receive${idSuffix}`,
    summary: `Receive messages and statuses of ${provider.name}`,
    description: `${description} Returns 200 after all messages and statuses are recorded. Content that cannot be understood is listed as a rejected event.`,
    answers: {
      200: { description: `The callback is recorded. The body is \`${response.body}\`, as ${response.contentType}.` },
    },
    errors: {
      unauthorized: 'the signature is missing or invalid.',
      forbidden: 'an API key was sent. API keys cannot call this operation.',
      invalid_request: 'the body is larger than 3 MiB.',
    },
    handle: (call: Call<never, never>, rawBody) => receive(deps, callbacks, { name, path, call, rawBody }),
  })
  return challenge ? [confirm, receiving] : [receiving]
}

interface CallbackCall {
  name: string
  path: string
  call: Call<never, never>
  rawBody: RawBody
}

/**
 * Finds the channel, checks the rates, reads the body, verifies the signature and parses. Only then does it acquire a
 * permit of the channel. A sender without a valid signature, or a callback that waits for its parser, holds none.
 */
const receive = async (deps: InboundDeps, callbacks: Callbacks, callbackCall: CallbackCall): Promise<Answer> => {
  const { request, params, address } = callbackCall.call
  const settings = deps.channelSettings
  const channel = await requireChannel(callbacks, callbackCall.name, params.channelId!)
  requireSignature(settings, channel, request.headers)
  callbacks.checkRateLimits(channel, address)
  const body = await callbackCall.rawBody.read(channel.workspaceId, callbacks.isVerified(channel, address))
  const { pathname, search } = new URL(request.url)
  const signedRequest = { url: settings.publicUrl() + pathname + search, headers: request.headers, body }
  const callback = { channel, request: signedRequest }
  if (!isSigned(settings, callback)) {
    callbacks.countUnsigned(channel, address)
    throw invalidSignature()
  }
  callbacks.countSigned(channel, address, body.byteLength)
  const content = await callbackCall.rawBody.parse(channel.workspaceId, body, () => readCallback(settings, callback))
  const outcome = await callbacks.run(channel, body.byteLength, request.signal, () =>
    receiveCallback(deps.sql, settings, channel, content, items => callbacks.countItems(channel, items)),
  )
  recordNotUnderstood(deps.rejectedRequests, channel, callbackCall, outcome)
  const { contentType, body: text } = outcome.response
  return { status: 200, text, headers: { 'Content-Type': contentType } }
}

const requireChannel = async (callbacks: Callbacks, name: string, id: string): Promise<CallbackChannel> => {
  const channel = await callbacks.findChannel(name, id)
  if (!channel) throw notFound('channel')
  return channel
}

/**
 * Records messages that could not be understood for the team. The provider already got a success status, because
 * sending them again would not help.
 */
const recordNotUnderstood = (
  rejectedRequests: RejectedRequestLog,
  { workspaceId, kind }: CallbackChannel,
  { path, call: { request, requestId } }: CallbackCall,
  { rejections: notUnderstood }: CallbackOutcome,
): void => {
  for (const message of notUnderstood)
    rejectedRequests.record({
      workspaceId,
      sender: kind,
      apiKeyId: null,
      method: request.method,
      path,
      status: 200,
      error: { code: 'invalid_request', message },
      requestId,
      at: new Date(clock.now()),
    })
}
