import { Channel, ConnectChannel, connectChannel, listChannels } from '../../domain/channels/index.ts'
import { Page, PageQuery } from '../../domain/schema.ts'
import { type Operation, operation } from '../operation.ts'

const tag = 'Channels'

export const channelRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/channels',
    id: 'connectChannel',
    tag,
    summary: 'Connect a channel',
    access: 'owner',
    body: ConnectChannel,
    example: { kind: 'sandbox', name: 'Sandbox' },
    answers: { 201: { description: 'The channel.', schema: Channel, example } },
    errors: ['plan_limit_reached'],
    handle: async (ctx, { body }) => ({ status: 201, body: await connectChannel(ctx, body) }),
  }),
  operation({
    method: 'GET',
    path: '/v1/channels',
    id: 'listChannels',
    tag,
    summary: 'List channels',
    access: 'member',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of channels.',
        schema: Page(Channel),
        example: { data: [example], nextCursor: null },
      },
    },
    handle: async (ctx, { query }) => ({ status: 200, body: await listChannels(ctx, query) }),
  }),
]

const example: Channel = {
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
  kind: 'sandbox',
  name: 'Sandbox',
  createdAt: '2026-03-01T09:30:00.000Z',
}
