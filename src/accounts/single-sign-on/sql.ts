import type { Role } from '../../core/context.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { SsoIdentity } from '../sessions/index.ts'

/** Records that a sign-in is being completed. Returns the time, or null if it was completed before. */
export const insertState = async (sql: Sql, stateHash: string, lifetimeMinutes: number): Promise<Date | null> => {
  const [row] = await sql<{ at: Date }[]>`
    insert into sso_states (state_hash, expires_at)
    values (decode(${stateHash}, 'hex'), now() + make_interval(mins => ${lifetimeMinutes})) on conflict do nothing
    returning created_at as at`
  return row?.at ?? null
}

/** Records a logout of a subject or of a session of the provider. */
export const insertLogout = (sql: Sql, logoutHash: string, lifetimeMinutes: number) => sql`
  insert into sso_states (state_hash, expires_at)
  values (decode(${logoutHash}, 'hex'), now() + make_interval(mins => ${lifetimeMinutes}))
  on conflict (state_hash) do update set created_at = excluded.created_at, expires_at = excluded.expires_at`

/** Returns whether the session was logged out, or the subject since a time. `sessionHash` is null without a session. */
export const wasLoggedOut = async (
  sql: Sql,
  p: { sessionHash: string | null; subjectHash: string; since: Date },
): Promise<boolean> => {
  const [row] = await sql<{ exists: boolean }[]>`
    select exists (
      select from sso_states where expires_at > now() and (state_hash = decode(${p.sessionHash}, 'hex')
        or state_hash = decode(${p.subjectHash}, 'hex') and created_at >= ${p.since})) as exists`
  return row!.exists
}

/** Deletes the record of a sign-in that could not be completed. */
export const deleteState = (sql: Sql, stateHash: string) =>
  sql`delete from sso_states where state_hash = decode(${stateHash}, 'hex')`

/** Deletes at most `limit` expired states. */
export const deleteExpiredStates = (sql: Sql, limit: number) => sql`
  delete from sso_states where state_hash = any(array(
    select state_hash from sso_states where expires_at < now() order by expires_at limit ${limit}))`

export interface SsoAccount {
  id: string
  email: string
  passwordHash: string
  isDisabled: boolean
}

/** Finds the account that is linked to an identity. */
export const findIdentityAccount = async (
  sql: Sql,
  { issuer, subject }: Pick<SsoIdentity, 'issuer' | 'subject'>,
): Promise<SsoAccount | null> => {
  const [row] = await sql<SsoAccount[]>`
    select u.id, u.email, u.password_hash as "passwordHash", u.disabled_at is not null as "isDisabled"
    from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject} and u.email is not null`
  return row ?? null
}

/** Locks an account until the transaction ends. Its deletion locks it too, before its links and workspaces. */
export const lockAccount = (tx: Sql, userId: string) => tx`select 1 from users where id = ${userId} for share`

/** Returns when the person linked an identity of the issuer. Null if there is none. */
export const findIdentity = async (sql: Sql, userId: string, issuer: string): Promise<Date | null> => {
  const [row] = await sql<{ linkedAt: Date }[]>`
    select linked_at as "linkedAt" from identities where user_id = ${userId} and issuer = ${issuer}`
  return row?.linkedAt ?? null
}

/** Links an identity. Returns false if it is linked already, or if the person has another identity of the issuer. */
export const insertLinkedIdentity = async (
  sql: Sql,
  userId: string,
  { issuer, subject }: SsoIdentity,
): Promise<boolean> => {
  const { count } = await sql`
    insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId}) on conflict do nothing`
  return count === 1
}

/** Removes the identity of the issuer. Returns false if there is none. */
export const deleteIdentity = async (sql: Sql, userId: string, issuer: string): Promise<boolean> => {
  const { count } = await sql`delete from identities where user_id = ${userId} and issuer = ${issuer}`
  return count === 1
}

export interface NewIdentityLink {
  tokenHash: string
  userId: string
  identity: SsoIdentity
  /** Role that the provider claims. Null if it claims none. */
  role: Role | null
  mailed: boolean
  lifetimeMinutes: number
}

export const insertIdentityLink = (sql: Sql, p: NewIdentityLink) => sql`
  insert into identity_links (token_hash, user_id, issuer, subject, session, role, mailed, expires_at)
  values (decode(${p.tokenHash}, 'hex'), ${p.userId}, ${p.identity.issuer}, ${p.identity.subject},
    ${p.identity.session}, ${p.role}, ${p.mailed}, now() + make_interval(mins => ${p.lifetimeMinutes}))`

/** Returns how many links were mailed to the person within the last hour. */
export const countMailedLinks = async (sql: Sql, userId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from identity_links
    where user_id = ${userId} and mailed and created_at > now() - interval '1 hour'`
  return row!.count
}

export interface IdentityLinkRow {
  id: string
  email: string
  passwordHash: string
  /** True if the holder has proved the address. */
  isConfirmed: boolean
  identity: SsoIdentity
  /** Role that the provider claims. Null if it claims none. */
  role: Role | null
}

/** Finds a link that has not expired, by its ticket or its mailed token. Disabled accounts are excluded. */
export const findIdentityLink = async (
  sql: Sql,
  tokenHash: string,
  { mailed }: { mailed: boolean },
): Promise<IdentityLinkRow | null> => {
  const [row] = await sql<IdentityLinkRow[]>`
    select u.id, u.email, u.password_hash as "passwordHash", u.confirmed_at is not null as "isConfirmed", l.role,
      json_build_object('issuer', l.issuer, 'subject', l.subject, 'session', l.session) as identity
    from identity_links l join users u on u.id = l.user_id
    where l.token_hash = decode(${tokenHash}, 'hex') and l.mailed = ${mailed} and l.expires_at > now()
      and u.disabled_at is null and u.email is not null`
  return row ?? null
}

/** Deletes a link. Only one of several concurrent calls returns true. */
export const deleteIdentityLink = async (sql: Sql, tokenHash: string): Promise<boolean> => {
  const { count } = await sql`
    delete from identity_links where token_hash = decode(${tokenHash}, 'hex') and expires_at > now()`
  return count === 1
}

/**
 * Deletes the tickets of a subject, or those of one session of the provider, which would open a session. Mailed links
 * remain, because they open none.
 */
export const deleteIdentityLinksOf = (
  sql: Sql,
  p: { issuer: string; subject: string | null; session: string | null },
) => sql`
  delete from identity_links where issuer = ${p.issuer} and not mailed
    ${p.subject === null ? sql`` : sql`and subject = ${p.subject}`}
    ${p.session === null ? sql`` : sql`and session = ${p.session}`}`

/** Deletes at most `limit` links that expired more than an hour ago. Until then they count in the limit of mails. */
export const deleteExpiredIdentityLinks = (sql: Sql, limit: number) => sql`
  delete from identity_links where token_hash = any(array(
    select token_hash from identity_links where expires_at < now() - interval '1 hour'
    order by expires_at limit ${limit}))`
