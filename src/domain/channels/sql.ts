import type { Sql } from '../../db/client.ts'
import type { PageRequest } from '../pagination.ts'
import type { ChannelKind } from './providers/index.ts'

export interface ChannelRow {
  id: string
  kind: ChannelKind
  name: string
  createdAt: Date
}

export const insertChannel = async (sql: Sql, p: { workspaceId: string; kind: ChannelKind; name: string }) => {
  const [row] = await sql<ChannelRow[]>`
    insert into channels (workspace_id, kind, name) values (${p.workspaceId}, ${p.kind}, ${p.name})
    returning id, kind, name, created_at as "createdAt"`
  return row!
}

export const selectChannels = (sql: Sql, workspaceId: string, page: PageRequest) => sql<ChannelRow[]>`
  select id, kind, name, created_at as "createdAt" from channels
  where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`
