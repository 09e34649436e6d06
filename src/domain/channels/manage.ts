import { inTransaction } from '../context.ts'
import { requireRoom } from '../entitlements/index.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { verb } from '../verb.ts'
import type { Channel, ConnectChannel } from './schema.ts'
import { type ChannelRow, insertChannel, selectChannels } from './sql.ts'

/** Connects a channel; workflows can write over it from now on. It is one of the plan's connected numbers. */
export const connectChannel = verb(
  { by: 'owner' },
  (ctx, { kind, name }: ConnectChannel): Promise<Channel> =>
    inTransaction(ctx, async ({ sql, caller: { workspaceId } }) => {
      await requireRoom(sql, workspaceId, 'connectedNumbers')
      return shape(await insertChannel(sql, { workspaceId, kind, name }))
    }),
)

export const listChannels = verb(
  { by: 'member' },
  async ({ sql, caller }, query: PageQuery): Promise<PageOf<Channel>> => {
    const page = pageRequest(query)
    return pageOf(await selectChannels(sql, caller.workspaceId, page), page.limit, shape)
  },
)

const shape = (row: ChannelRow): Channel => ({ ...row, createdAt: row.createdAt.toISOString() })
