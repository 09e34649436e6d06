import type { Sql } from '../../db/client.ts'
import type { PageRequest } from '../pagination.ts'

export interface ChannelRow {
  id: string
  kind: 'sandbox'
  name: string
  createdAt: Date
}

export const insertChannel = async (sql: Sql, p: { workspaceId: string; kind: string; name: string }) => {
  const [row] = await sql<ChannelRow[]>`
    insert into channels (workspace_id, kind, name) values (${p.workspaceId}, ${p.kind}, ${p.name})
    returning id, kind, name, created_at as "createdAt"`
  return row!
}

export const selectChannels = (sql: Sql, workspaceId: string, page: PageRequest) => sql<ChannelRow[]>`
  select id, kind, name, created_at as "createdAt" from channels
  where workspace_id = ${workspaceId} and (${page.before}::uuid is null or id < ${page.before})
  order by id desc limit ${page.limit + 1}`
