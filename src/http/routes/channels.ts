import { SandboxMessage, SandboxStatus, tellSandboxStatus, writeSandboxMessage } from '../../domain/callbacks/index.ts'
import {
  ChangeChannel,
  Channel,
  type ChannelSettings,
  ChannelTest,
  ConnectChannel,
  changeChannel,
  connectChannel,
  listChannels,
  readChannel,
  testChannel,
} from '../../domain/channels/index.ts'
import { disconnectChannel, Message } from '../../domain/messages/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Channels'

export const channelRoutes = ({ channelSettings: settings }: { channelSettings: ChannelSettings }): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/channels',
    id: 'connectChannel',
    verb: connectChannel,
    tag,
    summary: 'Connect a channel',
    description:
      'Credentials are encrypted and in no answer. A number that is connected already is refused with 409; where the service has no key to encrypt under, channels with credentials are refused with 422.',
    body: ConnectChannel,
    examples: {
      sandbox: { summary: 'Sandbox, which reaches nobody', value: { kind: 'sandbox', name: 'Sandbox' } },
      whatsapp: {
        summary: 'WhatsApp, by the Cloud API of Meta',
        value: {
          kind: 'whatsapp_cloud',
          name: 'WhatsApp',
          credentials: {
            phoneNumberId: '106540352242922',
            accessToken: 'EAAGexampleOfAPermanentToken',
            appSecret: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
            verifyToken: 'a-word-of-your-own',
          },
        },
      },
      twilio: {
        summary: 'SMS, by Twilio',
        value: {
          kind: 'twilio_sms',
          name: 'SMS',
          credentials: {
            accountSid: 'AC00000000000000000000000000000000',
            authToken: '00000000000000000000000000000000',
            from: '+15005550006',
          },
        },
      },
    },
    answers: { 201: { description: 'The channel.', schema: Channel, example } },
    allowance: 'connectedNumbers',
    errors: {
      conflict: 'a channel with this number is connected already.',
      unprocessable: 'the operator has set no `SECRETS_KEY`, under which credentials are kept.',
    },
    given: ({ body }) => [settings, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/channels',
    id: 'listChannels',
    verb: listChannels,
    tag,
    summary: 'List channels',
    description: 'Also those that are disconnected.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of channels.',
        schema: Page(Channel),
        example: { data: [example], nextCursor: null },
      },
    },
    given: ({ query }) => [settings, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/channels/:id',
    id: 'readChannel',
    verb: readChannel,
    tag,
    summary: 'Read a channel',
    answers: { 200: { description: 'The channel.', schema: Channel, example } },
    given: ({ params }) => [settings, params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/channels/:id',
    id: 'changeChannel',
    verb: changeChannel,
    tag,
    summary: 'Change a channel',
    description:
      '`credentials` are given whole, and replace those there were; `sandbox` is for channels of that kind alone. A channel that is disconnected cannot be changed (422).',
    body: ChangeChannel,
    example: { sandbox: { delivery: 'manual' } },
    answers: {
      200: {
        description: 'The channel as it is now.',
        schema: Channel,
        example: { ...example, sandbox: { delivery: 'manual' } },
      },
    },
    errors: {
      conflict: 'a channel with this number is connected already.',
      unprocessable: 'the channel is disconnected and stays so; or the operator has set no `SECRETS_KEY`.',
    },
    given: ({ params, body }) => [settings, params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/channels/:id',
    id: 'disconnectChannel',
    verb: disconnectChannel,
    tag,
    summary: 'Disconnect a channel',
    description:
      'What was still to be sent over it is skipped, its number is free again, and its history stays readable. It cannot be connected again; a new channel can.',
    answers: { 204: { description: 'The channel is disconnected.' } },
    given: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/test',
    id: 'testChannel',
    verb: testChannel,
    tag,
    summary: 'Test a channel',
    description: 'Asks the provider who we are. Sends nothing to anybody.',
    answers: {
      200: {
        description: 'What the provider said.',
        schema: ChannelTest,
        example: { ok: true, detail: 'The sandbox is a part of this service.' },
      },
    },
    errors: {
      unprocessable: 'the channel is disconnected and stays so.',
    },
    needsNoConnection: true,
    given: ({ params }) => [settings, params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/sandbox/messages',
    id: 'writeSandboxMessage',
    createsAt: '/v1/messages',
    verb: writeSandboxMessage,
    tag,
    summary: 'Write as a customer',
    description: 'Over a sandbox: what follows is what follows from any message of a customer.',
    body: SandboxMessage,
    example: { from: '+4915112345678', text: 'Is it still there?', name: 'Ada' },
    answers: { 201: { description: 'The message, as it was received.', schema: Message, example: received } },
    errors: {
      unprocessable: 'the channel is no sandbox, or is disconnected.',
    },
    given: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/sandbox/statuses',
    id: 'tellSandboxStatus',
    verb: tellSandboxStatus,
    tag,
    summary: 'Tell a status as the provider',
    description:
      'Of a message that was sent over this sandbox, such as one whose delivery is `manual`. A status that says less than what is known moves nothing.',
    body: SandboxStatus,
    example: { messageId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0a', status: 'read' },
    answers: { 202: { description: 'It is recorded.' } },
    errors: {
      unprocessable: 'the channel is no sandbox, or is disconnected.',
    },
    given: ({ params, body }) => [params.id!, body],
  }),
]

const received: Message = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0b',
  conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0c',
  channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  customerId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0d',
  direction: 'inbound',
  type: 'text',
  text: 'Is it still there?',
  status: 'received',
  providerMessageId: 'sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7d0b',
  detail: null,
  templateId: null,
  sentBy: null,
  sentAt: '2026-03-01T09:30:00.000Z',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
}

const example: Channel = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  kind: 'sandbox',
  name: 'Sandbox',
  number: null,
  status: 'connected',
  statusDetail: null,
  inboundUrl: null,
  sandbox: { delivery: 'delivered' },
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
}
