import type { Role } from '../../core/context.ts'
import type { PageRequest } from '../../core/pagination.ts'
import type { Plan } from '../../core/plan.ts'
import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'

/** Account at an identity provider, with which a person signed in. */
export interface SsoIdentity {
  issuer: string
  subject: string
  /** Session at the provider. Null if the provider does not name it. */
  session: string | null
}

export interface NewSessionRow {
  tokenHash: string
  userId: string
  /** Hash of the password that was checked. */
  passwordHash: string
  lifetimeDays: number
  address: string
  userAgent: string | null
  /** Null for a sign-in without single sign-on. */
  identity: SsoIdentity | null
}

/**
 * Inserts a session. Returns false if the password has changed, or if the account was disabled or deleted. The row lock
 * serializes this with a password change. Either the insert waits and sees the new password, or the change waits and
 * ends this session too.
 */
export const insertSession = async (sql: Sql, p: NewSessionRow): Promise<boolean> => {
  const { count } = await sql`
    insert into sessions (token_hash, user_id, expires_at, address, user_agent, sso_issuer, sso_subject, sso_session)
    select decode(${p.tokenHash}, 'hex'), id, now() + make_interval(days => ${p.lifetimeDays}), ${p.address}, ${p.userAgent},
      ${p.identity?.issuer ?? null}, ${p.identity?.subject ?? null}, ${p.identity?.session ?? null}
    from users where id = ${p.userId} and password_hash = ${p.passwordHash} and disabled_at is null for share`
  return count === 1
}

/** An active session or access token, with all user data that a request needs. */
export interface SignedInRow {
  id: string
  expiresAt: Date
  /** True if the use was not recorded recently. */
  isTouchDue: boolean
  userId: string
  /** Null for a service account. */
  email: string | null
  userName: string
  /** True if the user's sign-in requires a code. */
  hasSecondFactor: boolean
  /**
   * Issuers of single sign-on: of the sign-in for a session, and of all linked identities for an access token of a person.
   */
  ssoIssuers: string[]
  /** In the order in which the user joined. A workspace of them can be closed. */
  memberships: MembershipRow[]
}

export interface SessionRow extends SignedInRow {
  email: string
  /** Identity of a single sign-on; null if none. */
  identity: SsoIdentity | null
}

/** A membership with what its workspace requires and includes. */
export interface Membership extends Plan {
  workspaceId: string
  workspaceName: string
  role: Role
  /** True if the member has no access without a second factor. */
  requiresSecondFactor: boolean
  /** True if the member has access only by single sign-on. */
  requiresSso: boolean
}

/** A membership as the directory stores it. */
export interface MembershipRow {
  workspaceId: string
  role: Role
  kind: 'person' | 'service'
}

/** Days without use after which a session expires. */
const idleDays = 7

const activeSession = (sql: Sql) =>
  sql`s.expires_at > now() and s.last_seen_at > now() - make_interval(days => ${idleDays})`

/** Identity of a single sign-on in a row of a session or a ticket; null if none. */
const identityIn = (sql: Sql, row: Fragment): Fragment => sql`
  case when ${row}.sso_issuer is not null then json_build_object(
    'issuer', ${row}.sso_issuer, 'subject', ${row}.sso_subject, 'session', ${row}.sso_session) end as identity`

/** Finds an active session with all data of the user that a request needs, in one query of the directory. */
export const findSession = async (sql: Sql, tokenHash: string): Promise<SessionRow | null> => {
  const [row] = await directoryOf(sql)<SessionRow[]>`
    select s.id, s.expires_at as "expiresAt", s.last_seen_at < now() - interval '1 minute' as "isTouchDue",
      u.id as "userId", u.email, u.name as "userName",
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "hasSecondFactor",
      array_remove(array[s.sso_issuer], null) as "ssoIssuers",
      coalesce((
        select json_agg(json_build_object('workspaceId', m.workspace_id, 'role', m.role, 'kind', m.kind)
          order by m.joined_at, m.workspace_id)
        from members m where m.user_id = u.id), '[]') as memberships,
      ${identityIn(sql, sql`s`)}
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = decode(${tokenHash}, 'hex') and ${activeSession(sql)} and u.disabled_at is null`
  return row ?? null
}

/** Records that these sessions are in use. Skips rows locked by another process, which writes the same values. */
export const touchSessions = (sql: Sql, tokenHashes: string[]) => directoryOf(sql)`
  update sessions set last_seen_at = now() where token_hash = any(array(
    select token_hash from sessions where token_hash = any(array(select decode(one, 'hex') from unnest(${tokenHashes}::text[]) one))
    for no key update skip locked))`

export interface OwnSessionRow {
  id: string
  createdAt: Date
  lastSeenAt: Date
  address: string | null
  userAgent: string | null
}

/** Selects the active sessions of a user, newest first. */
export const selectSessions = (sql: Sql, userId: string, page: PageRequest) => sql<OwnSessionRow[]>`
  select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.address, s.user_agent as "userAgent"
  from sessions s
  where s.user_id = ${userId} and ${activeSession(sql)} ${page.before === null ? sql`` : sql`and s.id < ${page.before}`}
  order by s.id desc limit ${page.limit + 1}`

export const deleteSession = (sql: Sql, tokenHash: string) => sql<{ userId: string }[]>`
  delete from sessions where token_hash = decode(${tokenHash}, 'hex') returning user_id as "userId"`

/** Locks a session against its end until the transaction ends. Returns false if it has ended. */
export const lockSession = async (tx: Sql, userId: string, id: string): Promise<boolean> => {
  const { count } = await tx`select 1 from sessions where user_id = ${userId} and id = ${id} for key share`
  return count === 1
}

/** Ends one of the user's active sessions. Returns false if there is none with this id. */
export const deleteSessionOf = async (sql: Sql, userId: string, id: string): Promise<boolean> => {
  const { count } =
    await sql`delete from sessions s where s.user_id = ${userId} and s.id = ${id} and ${activeSession(sql)}`
  return count === 1
}

/** Ends all of a user's sessions except one, or all, and deletes their pending tickets. */
export const deleteOtherSessions = (sql: Sql, userId: string, exceptId: string | null) => sql`
  with tickets as (delete from sign_in_tickets where user_id = ${userId})
  delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}`

/**
 * Ends all sessions of a subject, or those of one session of the provider. With both, a session must match both.
 * Returns the users whose sessions ended.
 */
export const deleteSsoSessions = async (sql: Sql, named: SsoLogout): Promise<string[]> => {
  const rows = await sql<{ userId: string }[]>`
    with ended as (delete from sessions where ${isNamed(sql, named)} returning user_id)
    select distinct user_id as "userId" from ended`
  return rows.map(({ userId }) => userId)
}

/** Deletes the pending tickets that a logout names, as `deleteSsoSessions` does with sessions. */
export const deleteSsoTickets = (sql: Sql, named: SsoLogout) =>
  sql`delete from sign_in_tickets where ${isNamed(sql, named)}`

/** Content of a logout token: a subject, a session of the provider, or both. */
export interface SsoLogout {
  issuer: string
  subject: string | null
  session: string | null
}

const isNamed = (sql: Sql, { issuer, subject, session }: SsoLogout): Fragment => sql`
  sso_issuer = ${issuer} ${subject === null ? sql`` : sql`and sso_subject = ${subject}`}
    ${session === null ? sql`` : sql`and sso_session = ${session}`}`

/** Ends the sessions and pending tickets of a person that began with an identity. */
export const deleteSessionsOfIdentity = (sql: Sql, userId: string, issuer: string, exceptId: string) => sql`
  with tickets as (delete from sign_in_tickets where user_id = ${userId} and sso_issuer = ${issuer})
  delete from sessions where user_id = ${userId} and sso_issuer = ${issuer} and id <> ${exceptId}`

/** Deletes at most `limit` expired sessions. */
export const deleteExpiredSessions = (sql: Sql, limit: number) => sql`
  delete from sessions where token_hash = any(array(
    select token_hash from sessions where expires_at < now() order by expires_at limit ${limit}))`

export interface NewTicketRow {
  tokenHash: string
  userId: string
  /** Hash of the password that was checked. */
  passwordHash: string
  invitationHash: string | null
  lifetimeMinutes: number
  /** Null for a sign-in without single sign-on. */
  identity: SsoIdentity | null
}

/**
 * Inserts a ticket. Returns false if the password has changed, or if the account was disabled or deleted. Uses the same
 * row lock as `insertSession`.
 */
export const insertTicket = async (sql: Sql, p: NewTicketRow): Promise<boolean> => {
  const { count } = await sql`
    insert into sign_in_tickets (token_hash, user_id, invitation_hash, expires_at, sso_issuer, sso_subject, sso_session)
    select decode(${p.tokenHash}, 'hex'), id, decode(${p.invitationHash}, 'hex'),
      now() + make_interval(mins => ${p.lifetimeMinutes}),
      ${p.identity?.issuer ?? null}, ${p.identity?.subject ?? null}, ${p.identity?.session ?? null}
    from users where id = ${p.userId} and password_hash = ${p.passwordHash} and disabled_at is null for share`
  return count === 1
}

export interface TicketRow {
  userId: string
  email: string
  passwordHash: string
  /** Hash of the invitation token that the session accepts; null if none. */
  invitationHash: string | null
  /** Identity of a single sign-on; null if none. */
  identity: SsoIdentity | null
}

/** Finds a valid ticket of a user whose account is not disabled. */
export const findTicket = async (sql: Sql, tokenHash: string): Promise<TicketRow | null> => {
  const [row] = await sql<TicketRow[]>`
    select t.user_id as "userId", u.email, u.password_hash as "passwordHash", encode(t.invitation_hash, 'hex') as "invitationHash",
      ${identityIn(sql, sql`t`)}
    from sign_in_tickets t join users u on u.id = t.user_id
    where t.token_hash = decode(${tokenHash}, 'hex') and t.expires_at > now() and u.disabled_at is null`
  return row ?? null
}

/** Deletes a ticket. Only one of several concurrent calls returns true. */
export const deleteTicket = async (sql: Sql, tokenHash: string): Promise<boolean> => {
  const { count } = await sql`delete from sign_in_tickets where token_hash = decode(${tokenHash}, 'hex')`
  return count === 1
}

/** Deletes at most `limit` expired tickets. */
export const deleteExpiredTickets = (sql: Sql, limit: number) => sql`
  delete from sign_in_tickets where token_hash = any(array(
    select token_hash from sign_in_tickets where expires_at < now() order by expires_at limit ${limit}))`
