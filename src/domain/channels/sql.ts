import type { Sql } from '../../db/client.ts'
import { type Compared, comparing } from '../compared.ts'
import type { PageRequest } from '../pagination.ts'
import type { ChannelKind, SandboxDelivery } from './providers/index.ts'
import type { Channel } from './schema.ts'

export interface ChannelRow {
  id: string
  kind: ChannelKind
  name: string
  number: string | null
  status: Channel['status']
  statusDetail: string | null
  sandboxDelivery: SandboxDelivery
  createdAt: Date
  updatedAt: Date
}

/** With what nobody is shown. */
export interface ChannelWithCredentials extends ChannelRow {
  credentials: Buffer | null
}

const columns = (sql: Sql) => sql`
  id, kind, name, number, status, status_detail as "statusDetail", sandbox_delivery as "sandboxDelivery",
  created_at as "createdAt", updated_at as "updatedAt"`

export interface NewChannel {
  workspaceId: string
  id: string
  kind: ChannelKind
  name: string
  number: string | null
  credentials: Buffer | null
  sandboxDelivery: SandboxDelivery
}

/** Null where the workspace has a living channel with that number: the index over these is the guarantee. */
export const insertChannel = async (sql: Sql, p: NewChannel) => {
  const [row] = await sql<ChannelRow[]>`
    insert into channels (workspace_id, id, kind, name, number, credentials, sandbox_delivery)
    values (${p.workspaceId}, ${p.id}, ${p.kind}, ${p.name}, ${p.number}, ${p.credentials}, ${p.sandboxDelivery})
    on conflict do nothing
    returning ${columns(sql)}`
  return row ?? null
}

export const selectChannels = (sql: Sql, workspaceId: string, page: PageRequest) => sql<ChannelRow[]>`
  select ${columns(sql)} from channels
  where workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

export const findChannel = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<ChannelWithCredentials[]>`
    select ${columns(sql)}, credentials from channels where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/**
 * Changes what is not null in a channel that is still connected. With other credentials it starts anew, whatever the
 * provider said to those before. Fails with 23505 where another living channel has the number.
 */
export const updateChannel = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    name: string | null
    credentials: Buffer | null
    number: string | null
    sandboxDelivery: SandboxDelivery | null
  },
) => {
  const anew = sql`
    credentials = ${p.credentials}, number = ${p.number}, status = 'connected', status_detail = null, failing_since = null, paused_until = null,`
  const [row] = await sql<(ChannelRow & Compared)[]>`
    update channels set ${p.credentials === null ? sql`` : anew}
      name = coalesce(${p.name}, name), sandbox_delivery = coalesce(${p.sandboxDelivery}, sandbox_delivery), updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'
    returning ${columns(sql)}, ${comparing(sql)}`
  return row ?? null
}

/** Its credentials are gone with it, and its number is free: `now`, or before. Null where there is no such channel. */
export const markDisconnected = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<{ kind: ChannelKind; name: string; number: string | null; now: boolean }[]>`
    update channels set status = 'disconnected', status_detail = null, failing_since = null, credentials = null, paused_until = null,
      updated_at = case when status = 'disconnected' then updated_at else now() end
    where workspace_id = ${workspaceId} and id = ${id}
    returning kind, name, number, updated_at = now() as now`
  return row ?? null
}

/** The provider took what it was asked: nothing is wrong with the channel any more. Answers whether anything was. */
export const markWorking = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const { count } = await sql`
    update channels set status = 'connected', status_detail = null, failing_since = null, paused_until = null, updated_at = now()
    where workspace_id = ${workspaceId} and id = ${id} and (status = 'failing' or paused_until is not null)
      and status <> 'disconnected'`
  return count > 0
}

/**
 * The provider refuses us, with these words; it is not asked again before so many milliseconds have passed. Answers whether
 * owners are to be told: it did not before, and they were told of the last time more than six hours ago.
 */
export const markFailing = async (
  sql: Sql,
  p: { workspaceId: string; id: string; detail: string; afterMs: number },
): Promise<boolean> => {
  const isNews = sql`(status <> 'failing' and coalesce(failing_told_at < now() - interval '6 hours', true))`
  const [row] = await sql<{ isNews: boolean }[]>`
    update channels set status = 'failing', status_detail = ${p.detail},
      failing_since = case when status = 'failing' then coalesce(failing_since, updated_at) else now() end,
      failing_told_at = case when ${isNews} then now() else failing_told_at end,
      paused_until = clock_timestamp() + ${p.afterMs} * interval '1 millisecond', updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'
    returning old.failing_told_at is distinct from new.failing_told_at as "isNews"`
  return row?.isNews ?? false
}

/** Of the channels of all workspaces that fail, a page behind this one: what they are to be opened by, and what was said. */
export const findFailingChannels = (sql: Sql, after: { workspaceId: string; id: string }, limit: number) => sql<
  { workspaceId: string; id: string; credentials: Buffer | null; statusDetail: string | null }[]
>`
  select workspace_id as "workspaceId", id, credentials, status_detail as "statusDetail" from channels
  where status = 'failing' and (workspace_id, id) > (${after.workspaceId}, ${after.id})
  order by workspace_id, id limit ${limit}`

/** What it failed with, in these words, is over. Answers whether it still failed so. */
export const markReadable = async (
  sql: Sql,
  p: { workspaceId: string; id: string; statusDetail: string },
): Promise<boolean> => {
  const { count } = await sql`
    update channels set status = 'connected', status_detail = null, failing_since = null, paused_until = null,
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and status = 'failing' and status_detail = ${p.statusDetail}`
  return count > 0
}

/** Nothing is handed over before so many milliseconds have passed; a longer rest stays as long as it is. */
export const pauseChannel = (sql: Sql, p: { workspaceId: string; id: string; afterMs: number }) => sql`
  update channels
  set paused_until = greatest(paused_until, clock_timestamp() + ${p.afterMs} * interval '1 millisecond')
  where workspace_id = ${p.workspaceId} and id = ${p.id} and status <> 'disconnected'`

export interface CalledChannel {
  workspaceId: string
  id: string
  kind: ChannelKind
  credentials: Buffer | null
}

/** Of the channels that providers call back, those that are connected. An address names its channel alone. */
export const findCalledChannels = (sql: Sql, ids: string[]) => sql<CalledChannel[]>`
  select ch.workspace_id as "workspaceId", ch.id, ch.kind, ch.credentials
  from unnest(${ids}::uuid[]) as called(id)
  cross join lateral (select * from channels ch where ch.id = called.id offset 0) ch
  where ch.status <> 'disconnected'`

/** A channel whose provider refuses us. */
export interface FailingChannel {
  id: string
  kind: ChannelKind
  name: string
  statusDetail: string | null
  since: Date
}

export const selectFailing = (sql: Sql, workspaceId: string, limit: number) => sql<FailingChannel[]>`
  select id, kind, name, status_detail as "statusDetail", coalesce(failing_since, updated_at) as since from channels
  where workspace_id = ${workspaceId} and status = 'failing'
  order by id limit ${limit}`
