import { Channel, ConnectChannel, connectChannel, listChannels } from '../../domain/channels/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Channels'

export const channelRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/channels',
    id: 'connectChannel',
    verb: connectChannel,
    tag,
    summary: 'Connect a channel',
    body: ConnectChannel,
    example: { kind: 'sandbox', name: 'Sandbox' },
    answers: { 201: { description: 'The channel.', schema: Channel, example } },
    errors: ['plan_limit_reached'],
    given: ({ body }) => [body],
  }),
  operation({
    method: 'GET',
    path: '/v1/channels',
    id: 'listChannels',
    verb: listChannels,
    tag,
    summary: 'List channels',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of channels.',
        schema: Page(Channel),
        example: { data: [example], nextCursor: null },
      },
    },
    given: ({ query }) => [query],
  }),
]

const example: Channel = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  kind: 'sandbox',
  name: 'Sandbox',
  createdAt: '2026-03-01T09:30:00.000Z',
}
