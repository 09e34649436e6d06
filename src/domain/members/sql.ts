import type { Sql } from '../../db/client.ts'
import type { Role } from '../context.ts'
import type { PageRequest } from '../pagination.ts'

export interface MemberRow {
  id: string
  /** Null while the invitation is pending. */
  userId: string | null
  email: string
  name: string | null
  role: Role
  invitedAt: Date | null
  /** Null while the invitation is pending. */
  joinedAt: Date | null
}

const columns = (sql: Sql) => sql`
  m.id, m.user_id as "userId", coalesce(u.email, m.email) as email, coalesce(u.name, m.name) as name, m.role, m.invited_at as "invitedAt",
  m.joined_at as "joinedAt"`

export const selectMembers = (sql: Sql, workspaceId: string, page: PageRequest) => sql<MemberRow[]>`
  select ${columns(sql)} from members m left join users u on u.id = m.user_id
  where m.workspace_id = ${workspaceId} ${page.before === null ? sql`` : sql`and m.id < ${page.before}`}
  order by m.id desc limit ${page.limit + 1}`

export const findMember = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<MemberRow[]>`
    select ${columns(sql)} from members m left join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.id = ${id}`
  return row ?? null
}

/** Whoever has this address in the team, joined or invited, however its letters are cased. */
export const findMemberByEmail = async (sql: Sql, workspaceId: string, email: string) => {
  const [row] = await sql<(MemberRow & { expired: boolean })[]>`
    select ${columns(sql)}, coalesce(m.expires_at <= now(), false) as expired
    from members m left join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and lower(coalesce(u.email, m.email)) = lower(${email})`
  return row ?? null
}

/** The ids of those who own the workspace; of very many, the first to join. */
export const findOwners = async (sql: Sql, workspaceId: string): Promise<string[]> => {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from members
    where workspace_id = ${workspaceId} and role = 'owner' and user_id is not null order by joined_at limit 50`
  return rows.map(({ userId }) => userId)
}

/** Those who have joined: an owner who was only invited cannot do anything yet. */
export const countOwners = async (sql: Sql, workspaceId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from members
    where workspace_id = ${workspaceId} and role = 'owner' and user_id is not null`
  return row!.count
}

/** The first member of a new workspace, whom nobody invited. */
export const insertOwner = (sql: Sql, workspaceId: string, userId: string) =>
  sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'owner')`

export interface NewInvitation {
  workspaceId: string
  email: string
  name: string | null
  role: Role
  tokenHash: string
  lifetimeDays: number
}

/** The shown link is the one there is; a mailed one takes its place (`renewInvitation`). */
export const insertInvitation = async (sql: Sql, p: NewInvitation) => {
  const [row] = await sql<(MemberRow & { expiresAt: Date })[]>`
    insert into members as m (workspace_id, email, name, role, joined_at, invited_at, token_hash, expires_at)
    values (${p.workspaceId}, ${p.email}, ${p.name}, ${p.role}, null, now(), decode(${p.tokenHash}, 'hex'),
      now() + make_interval(days => ${p.lifetimeDays}))
    returning m.id, m.user_id as "userId", m.email, m.name, m.role, m.invited_at as "invitedAt", m.joined_at as "joinedAt",
      m.expires_at as "expiresAt"`
  return row!
}

export interface InvitationRow {
  workspaceId: string
  email: string
  name: string | null
  /** The link came by mail: whoever has it reads what is mailed to the address. */
  mailed: boolean
}

/** An invitation that can still be accepted. */
export const findInvitation = async (sql: Sql, tokenHash: string) => {
  const [row] = await sql<InvitationRow[]>`
    select workspace_id as "workspaceId", email, name, mailed from members
    where token_hash = decode(${tokenHash}, 'hex') and expires_at > now()`
  return row ?? null
}

/** Another link for an invitation that is still open, to be mailed: the one before is void. Null where it is over. */
export const renewInvitation = async (sql: Sql, workspaceId: string, id: string, tokenHash: string) => {
  const [row] = await sql<{ email: string; role: Role; expiresAt: Date }[]>`
    update members set token_hash = decode(${tokenHash}, 'hex'), mailed = true
    where workspace_id = ${workspaceId} and id = ${id} and user_id is null and expires_at > now()
    returning email, role, expires_at as "expiresAt"`
  return row ?? null
}

/**
 * Turns the invitation into a membership; null when it can no longer be accepted. Of two calls with one token the
 * second waits for the row and then finds no token in it.
 */
export const joinWithInvitation = async (tx: Sql, tokenHash: string, userId: string) => {
  const [row] = await tx<{ workspaceId: string; id: string; role: Role; email: string; mailed: boolean }[]>`
    update members set user_id = ${userId}, joined_at = now(), email = null, name = null, token_hash = null, expires_at = null
    where token_hash = decode(${tokenHash}, 'hex') and expires_at > now()
    returning workspace_id as "workspaceId", id, role, old.email, mailed`
  return row ?? null
}

/** In how many workspaces each of these people is. */
export const countMemberships = async (sql: Sql, userIds: string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ userId: string; count: number }[]>`
    select user_id as "userId", count(*)::integer as count from members
    where user_id = any(${userIds}::uuid[]) group by user_id`
  return new Map(rows.map(({ userId, count }) => [userId, count]))
}

export const updateRole = (sql: Sql, workspaceId: string, id: string, role: Role) =>
  sql`update members set role = ${role} where workspace_id = ${workspaceId} and id = ${id}`

/** Without a row there is no way into the workspace: sessions look for it at every request, invitations when accepted. */
export const deleteMember = (sql: Sql, workspaceId: string, id: string) =>
  sql`delete from members where workspace_id = ${workspaceId} and id = ${id}`

/** Whether a user is in the team, and has joined; until the transaction ends nobody takes them out. */
export const isInTeam = async (tx: Sql, workspaceId: string, userId: string): Promise<boolean> => {
  const rows = await tx`
    select 1 from members where workspace_id = ${workspaceId} and user_id = ${userId} for key share`
  return rows.length === 1
}

/** The workspaces that somebody has joined, in an order that is the same for everybody. */
export const findWorkspacesOf = async (sql: Sql, userId: string): Promise<string[]> => {
  const rows = await sql<{ workspaceId: string }[]>`
    select workspace_id as "workspaceId" from members where user_id = ${userId} order by workspace_id`
  return rows.map(({ workspaceId }) => workspaceId)
}

/** The role that the person had; null where they have left already. */
export const deleteMemberOf = async (sql: Sql, workspaceId: string, userId: string): Promise<Role | null> => {
  const [row] = await sql<{ role: Role }[]>`
    delete from members where workspace_id = ${workspaceId} and user_id = ${userId} returning role`
  return row?.role ?? null
}
