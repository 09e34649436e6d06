import { List, Page, PageQuery } from '../../../core/schema.ts'
import {
  SandboxMessage,
  SandboxStatus,
  tellSandboxStatus,
  writeSandboxMessage,
} from '../../../messaging/callbacks/index.ts'
import {
  ChangeChannel,
  Channel,
  type ChannelSettings,
  ChannelTest,
  ConnectChannel,
  changeChannel,
  channelKinds,
  connectChannel,
  connectExamples,
  KindDetails,
  listChannelKinds,
  listChannels,
  readChannel,
  testChannel,
} from '../../../messaging/channels/index.ts'
import { disconnectChannel, Message } from '../../../messaging/messages/index.ts'
import { type Operation, operation } from '../../operation.ts'

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
      'Connects a channel to a messaging provider. Credentials are stored encrypted and never returned. Returns 409 if the number is already connected. Returns 422 if the channel has credentials and the service has no encryption key.',
    body: ConnectChannel,
    examples: connectExamples,
    answers: { 201: { description: 'The channel.', schema: Channel, example } },
    allowance: 'connectedNumbers',
    errors: {
      conflict: 'a channel with this number is already connected.',
      unprocessable:
        'the operator has not set `SECRETS_KEY`, which encrypts credentials. Or the workspace has 1,000 channels, including disconnected ones.',
    },
    args: ({ body }) => [settings, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/channels',
    id: 'listChannels',
    verb: listChannels,
    tag,
    summary: 'List channels',
    description: 'Returns all channels, including disconnected ones.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of channels.',
        schema: Page(Channel),
        example: { data: [example], nextCursor: null },
      },
    },
    args: ({ query }) => [settings, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/channel-kinds',
    id: 'listChannelKinds',
    verb: listChannelKinds,
    tag,
    summary: 'List kinds of channels',
    description:
      'Returns the kinds of channels that can be connected. Each has its features and limits, and the credentials that a form must ask for.',
    answers: {
      200: {
        description: 'All kinds of channels.',
        schema: List(KindDetails),
        example: { data: channelKinds },
      },
    },
    runsWithoutConnection: true,
    args: () => [],
  }),
  operation({
    method: 'GET',
    path: '/v1/channels/:id',
    id: 'readChannel',
    verb: readChannel,
    tag,
    summary: 'Read a channel',
    answers: { 200: { description: 'The channel.', schema: Channel, example } },
    args: ({ params }) => [settings, params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/channels/:id',
    id: 'changeChannel',
    verb: changeChannel,
    tag,
    summary: 'Change a channel',
    description:
      'Changes the fields that are given. `credentials` replace all previous credentials. `sandbox` is only for sandbox channels. Returns 422 if the channel is disconnected.',
    body: ChangeChannel,
    example: { sandbox: { delivery: 'manual' } },
    answers: {
      200: {
        description: 'The channel after the change.',
        schema: Channel,
        example: { ...example, sandbox: { delivery: 'manual' } },
      },
    },
    errors: {
      conflict: 'a channel with this number is already connected.',
      unprocessable: 'the channel is permanently disconnected, or the operator has not set `SECRETS_KEY`.',
    },
    args: ({ params, body }) => [settings, params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/channels/:id',
    id: 'disconnectChannel',
    verb: disconnectChannel,
    tag,
    summary: 'Disconnect a channel',
    description:
      'Disconnects the channel permanently. Queued messages are skipped. Its number can be used for a new channel, and its history stays readable.',
    answers: { 204: { description: 'The channel is disconnected.' } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/test',
    id: 'testChannel',
    verb: testChannel,
    tag,
    summary: 'Test a channel',
    description: 'Checks the account with the provider. Sends no message.',
    answers: {
      200: {
        description: 'The result from the provider.',
        schema: ChannelTest,
        example: { ok: true, detail: 'The sandbox is part of this service.' },
      },
    },
    errors: {
      unprocessable: 'the channel is permanently disconnected.',
    },
    runsWithoutConnection: true,
    args: ({ params }) => [settings, params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/sandbox/messages',
    id: 'writeSandboxMessage',
    locationBase: '/v1/messages',
    verb: writeSandboxMessage,
    tag,
    summary: 'Send a sandbox message as a customer',
    description:
      'Creates an inbound message on a sandbox channel. The message has the same effects as any message of a customer.',
    body: SandboxMessage,
    example: { from: '+4915112345678', text: 'Is it still there?', name: 'Ada' },
    answers: { 201: { description: 'The received message.', schema: Message, example: exampleReceived } },
    errors: {
      unprocessable: 'the channel is not a sandbox, or it is disconnected.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/channels/:id/sandbox/statuses',
    id: 'tellSandboxStatus',
    verb: tellSandboxStatus,
    tag,
    summary: 'Report a sandbox message status as the provider',
    description:
      'Reports the status of a message that was sent over this sandbox, for example with `manual` delivery. A status that is behind the current status has no effect.',
    body: SandboxStatus,
    example: { messageId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0a', status: 'read' },
    answers: { 202: { description: 'The status is recorded.' } },
    errors: {
      unprocessable: 'the channel is not a sandbox, or it is disconnected.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
]

const exampleReceived: Message = {
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
