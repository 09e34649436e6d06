import type { Role } from '../../core/context.ts'
import type { PageRequest } from '../../core/pagination.ts'
import { hasWords } from '../../core/word-search.ts'
import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'

/** A person, or a service account whose only credentials are access tokens. */
export type MemberKind = 'person' | 'service'

export interface MemberRow {
  id: string
  /** Null while the invitation is pending. */
  userId: string | null
  /** Null for a service account. */
  email: string | null
  name: string | null
  role: Role
  kind: MemberKind
  invitedAt: Date | null
  /** Null while the invitation is pending. */
  joinedAt: Date | null
  /** Whether the person's sign-in requires a code. */
  secondFactor: boolean
}

const columns = (sql: Sql) => sql`
  m.id, m.user_id as "userId", coalesce(u.email, m.email) as email, coalesce(u.name, m.name) as name, m.role, m.kind,
  m.invited_at as "invitedAt", m.joined_at as "joinedAt",
  exists (select from second_factors f where f.user_id = m.user_id and f.confirmed_at is not null) as "secondFactor"`

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

/** Finds the member or invitation with this address, ignoring case. */
export const findMemberByEmail = async (sql: Sql, workspaceId: string, email: string) => {
  const [row] = await sql<(MemberRow & { expired: boolean })[]>`
    select ${columns(sql)}, coalesce(m.expires_at <= now(), false) as expired
    from members m left join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and lower(coalesce(u.email, m.email)) = lower(${email})`
  return row ?? null
}

/**
 * Finds members and invitations with all words in the name or the text at the start of the address, among the newest
 * `max`.
 */
export const findMembersByText = (
  sql: Sql,
  p: { workspaceId: string; text: string; limit: number; max: number },
) => directoryOf(sql)<MemberRow[]>`
  select * from (
    select ${columns(sql)} from members m left join users u on u.id = m.user_id
    where m.workspace_id = ${p.workspaceId} order by m.id desc limit ${p.max}
  ) newest
  where ${hasWords(sql, sql`name`, p.text)}
    or starts_with(lower(email collate pg_c_utf8), lower(${p.text}::text collate pg_c_utf8))
  order by lower(coalesce(name, email)), id limit ${p.limit}`

/** Returns the ids of the people who own the workspace, at most 50, in the order in which they joined. */
export const findOwners = async (sql: Sql, workspaceId: string): Promise<string[]> => {
  const rows = await directoryOf(sql)<{ userId: string }[]>`
    select user_id as "userId" from members
    where workspace_id = ${workspaceId} and role = 'owner' and kind = 'person' and user_id is not null
    order by joined_at limit 50`
  return rows.map(({ userId }) => userId)
}

/** Counts people who are owners and have joined. An invited owner cannot act yet, and a service account cannot sign in. */
export const countOwners = async (sql: Sql, workspaceId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from members
    where workspace_id = ${workspaceId} and role = 'owner' and kind = 'person' and user_id is not null`
  return row!.count
}

/** Inserts the first member of a new workspace, who has no invitation. */
export const insertOwner = (sql: Sql, workspaceId: string, userId: string) =>
  sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, 'owner')`

/** Counts the service accounts of a workspace, up to `max`. */
export const countServiceAccounts = async (sql: Sql, workspaceId: string, max: number): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select from members where workspace_id = ${workspaceId} and kind = 'service' limit ${max}) m`
  return row!.count
}

/** Inserts a service account as a member and returns the id of the member. */
export const insertServiceMember = async (
  sql: Sql,
  p: { workspaceId: string; userId: string; role: Role },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into members (workspace_id, user_id, role, kind) values (${p.workspaceId}, ${p.userId}, ${p.role}, 'service')
    returning id`
  return row!.id
}

/** Selects the members of these kinds who have joined a workspace. */
export const selectJoinedMembers = (
  sql: Sql,
  p: { workspaceId: string; kinds: readonly MemberKind[]; limit: number },
) => directoryOf(sql)<{ id: string; userId: string }[]>`
  select id, user_id as "userId" from members
  where workspace_id = ${p.workspaceId} and kind = any(${[...p.kinds]}::text[]) and user_id is not null
  order by id limit ${p.limit}`

export interface NewInvitation {
  workspaceId: string
  email: string
  name: string | null
  role: Role
  tokenHash: string
  lifetimeDays: number
}

/** Inserts an invitation with the token of the link that is shown. A mailed link replaces it (`renewInvitation`). */
export const insertInvitation = async (sql: Sql, p: NewInvitation) => {
  const [row] = await sql<(MemberRow & { expiresAt: Date })[]>`
    insert into members as m (workspace_id, email, name, role, joined_at, invited_at, token_hash, expires_at)
    values (${p.workspaceId}, ${p.email}, ${p.name}, ${p.role}, null, now(), decode(${p.tokenHash}, 'hex'),
      now() + make_interval(days => ${p.lifetimeDays}))
    returning m.id, m.user_id as "userId", m.email, m.name, m.role, m.kind, m.invited_at as "invitedAt",
      m.joined_at as "joinedAt", false as "secondFactor", m.expires_at as "expiresAt"`
  return row!
}

export interface InvitationRow {
  workspaceId: string
  email: string
  name: string | null
  /** True if the link was mailed: the holder of the link can read mail sent to the address. */
  mailed: boolean
}

/** Finds an invitation that can still be accepted. */
export const findInvitation = async (sql: Sql, tokenHash: string) => {
  const [row] = await sql<InvitationRow[]>`
    select workspace_id as "workspaceId", email, name, mailed from members
    where token_hash = decode(${tokenHash}, 'hex') and expires_at > now()`
  return row ?? null
}

/**
 * Replaces the token of a pending invitation with the token of a mailed link; the previous link becomes invalid.
 * Returns null if the invitation is no longer pending.
 */
export const renewInvitation = async (sql: Sql, workspaceId: string, id: string, tokenHash: string) => {
  const [row] = await directoryOf(sql)<{ email: string; role: Role; expiresAt: Date }[]>`
    update members set token_hash = decode(${tokenHash}, 'hex'), mailed = true
    where workspace_id = ${workspaceId} and id = ${id} and user_id is null and expires_at > now()
    returning email, role, expires_at as "expiresAt"`
  return row ?? null
}

/**
 * Converts the invitation into a membership. Returns null if the invitation is no longer valid. If two calls use the
 * same token, the second call waits for the row lock and then finds no token.
 */
export const joinWithInvitation = async (tx: Sql, tokenHash: string, userId: string) => {
  const [row] = await tx<{ workspaceId: string; id: string; role: Role; email: string; mailed: boolean }[]>`
    update members set user_id = ${userId}, joined_at = now(), email = null, name = null, token_hash = null, expires_at = null
    where token_hash = decode(${tokenHash}, 'hex') and expires_at > now()
    returning workspace_id as "workspaceId", id, role, old.email, mailed`
  return row ?? null
}

/** Returns the number of workspaces for each of these users. */
export const countMemberships = async (sql: Sql, userIds: string[]): Promise<Map<string, number>> => {
  const rows = await sql<{ userId: string; count: number }[]>`
    select user_id as "userId", count(*)::integer as count from members
    where user_id = any(${userIds}::uuid[]) group by user_id`
  return new Map(rows.map(({ userId, count }) => [userId, count]))
}

/** Counts persons who have joined and service accounts, by workspace. For the operator: reads all members. */
export const countMembers = async (sql: Sql): Promise<Map<string, { people: number; services: number }>> => {
  const rows = await directoryOf(sql)<{ workspaceId: string; people: number; services: number }[]>`
    select workspace_id as "workspaceId", count(*) filter (where kind = 'person')::integer as people,
      count(*) filter (where kind = 'service')::integer as services
    from members where user_id is not null group by workspace_id`
  return new Map(rows.map(({ workspaceId, ...counts }) => [workspaceId, counts]))
}

/** Selects the memberships of a person with another role than this one, in the order in which workspaces are locked. */
export const selectOtherRoles = (sql: Sql, userId: string, role: Role) => sql<{ workspaceId: string; id: string }[]>`
  select workspace_id as "workspaceId", id from members
  where user_id = ${userId} and kind = 'person' and role <> ${role} order by workspace_id`

export const updateRole = (sql: Sql, workspaceId: string, id: string, role: Role) =>
  sql`update members set role = ${role} where workspace_id = ${workspaceId} and id = ${id}`

/**
 * Deletes a member. This also ends access: sessions check the row on every request, and invitations check it on
 * acceptance.
 */
export const deleteMember = (sql: Sql, workspaceId: string, id: string) =>
  sql`delete from members where workspace_id = ${workspaceId} and id = ${id}`

/**
 * Returns whether a user is a person who has joined the team. The row lock prevents the removal of the member until the
 * transaction ends.
 */
export const isPersonInTeam = async (tx: Sql, workspaceId: string, userId: string): Promise<boolean> => {
  const rows = await directoryOf(tx)`
    select 1 from members where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'person'
    for key share`
  return rows.length === 1
}

/** Returns the id of the membership of a user, or null. */
export const findMembership = async (sql: Sql, workspaceId: string, userId: string): Promise<string | null> => {
  const [row] = await directoryOf(sql)<{ id: string }[]>`
    select id from members where workspace_id = ${workspaceId} and user_id = ${userId}`
  return row?.id ?? null
}

/** Returns the id of the membership of a user and locks it until the transaction ends, or returns null. */
export const lockMembership = async (tx: Sql, workspaceId: string, userId: string): Promise<string | null> => {
  const [row] = await tx<{ id: string }[]>`
    select id from members where workspace_id = ${workspaceId} and user_id = ${userId} for no key update`
  return row?.id ?? null
}

/** Returns the workspaces of a user, always sorted by id so that all callers lock them in the same order. */
export const findWorkspacesOf = async (sql: Sql, userId: string): Promise<string[]> => {
  const rows = await sql<{ workspaceId: string }[]>`
    select workspace_id as "workspaceId" from members where user_id = ${userId} order by workspace_id`
  return rows.map(({ workspaceId }) => workspaceId)
}

/** Deletes a membership and returns its role; null if the user had already left. */
export const deleteMemberOf = async (sql: Sql, workspaceId: string, userId: string): Promise<Role | null> => {
  const [row] = await sql<{ role: Role }[]>`
    delete from members where workspace_id = ${workspaceId} and user_id = ${userId} returning role`
  return row?.role ?? null
}

/** Returns the workspaces that have members, in the order of their ids, after `after` (null: from the first one). */
export const selectWorkspacesWithMembers = async (sql: Sql, after: string | null, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select distinct workspace_id as id from members
    where ${after}::uuid is null or workspace_id > ${after}::uuid order by id limit ${limit}`
  return rows.map(({ id }) => id)
}
