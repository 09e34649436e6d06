import type { Sql } from '../../platform/postgres/client.ts'

/** Purpose of a link: a password reset, the confirmation of an email address, or a sign-in. */
export type LinkKind = 'reset' | 'confirmation' | 'sign_in'

/** Returns how many links of this kind were created for the account within the last hour. */
export const countRecentLinks = async (sql: Sql, userId: string, kind: LinkKind): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from account_links
    where user_id = ${userId} and kind = ${kind} and created_at > now() - interval '1 hour'`
  return row!.count
}

export const insertLink = (
  sql: Sql,
  p: { tokenHash: string; userId: string; kind: LinkKind; mailed: boolean; lifetimeMinutes: number },
) => sql`
  insert into account_links (token_hash, user_id, kind, mailed, expires_at)
  values (decode(${p.tokenHash}, 'hex'), ${p.userId}, ${p.kind}, ${p.mailed},
    now() + make_interval(mins => ${p.lifetimeMinutes}))`

export interface LinkRow {
  userId: string
  email: string
  mailed: boolean
}

/** Returns a link of this kind that has not expired, or null. */
export const findLink = async (sql: Sql, tokenHash: string, kind: LinkKind): Promise<LinkRow | null> => {
  const [row] = await sql<LinkRow[]>`
    select l.user_id as "userId", u.email, l.mailed from account_links l join users u on u.id = l.user_id
    where l.token_hash = decode(${tokenHash}, 'hex') and l.kind = ${kind} and l.expires_at > now()`
  return row ?? null
}

export interface LinkAccount {
  id: string
  passwordHash: string
}

/** Returns the account that a valid link signs in, or null. Disabled accounts are excluded. */
export const findLinkAccount = async (sql: Sql, tokenHash: string): Promise<LinkAccount | null> => {
  const [row] = await sql<LinkAccount[]>`
    select u.id, u.password_hash as "passwordHash" from account_links l join users u on u.id = l.user_id
    where l.token_hash = decode(${tokenHash}, 'hex') and l.kind = 'sign_in' and l.expires_at > now()
      and u.disabled_at is null`
  return row ?? null
}

/** Deletes the link and returns whether it was valid. Only one of several concurrent calls gets true. */
export const consumeLink = async (sql: Sql, tokenHash: string, kind: LinkKind): Promise<boolean> => {
  const { count } = await sql`
    delete from account_links
    where token_hash = decode(${tokenHash}, 'hex') and kind = ${kind} and expires_at > now()`
  return count === 1
}

/** Voids all links of these kinds. */
export const deleteLinksOf = (sql: Sql, userId: string, ...kinds: LinkKind[]) =>
  sql`delete from account_links where user_id = ${userId} and kind = any(${kinds})`

/** Deletes at most `limit` expired links. */
export const deleteExpiredLinks = (sql: Sql, limit: number) => sql`
  delete from account_links where token_hash = any(array(
    select token_hash from account_links where expires_at < now() order by expires_at limit ${limit}))`
