import type { Sql } from '../../db/client.ts'
import type { User } from './schema.ts'

/** The person with this address, however its letters are cased. */
export const findUserForSignIn = async (sql: Sql, email: string) => {
  const [user] = await sql<
    { id: string; email: string; name: string; passwordHash: string; isConfirmed: boolean; isDisabled: boolean }[]
  >`
    select id, email, name, password_hash as "passwordHash", confirmed_at is not null as "isConfirmed",
      disabled_at is not null as "isDisabled"
    from users where lower(email) = lower(${email})`
  return user ?? null
}

export interface NewUser {
  email: string
  name: string
  passwordHash: string
  /** The workspace whose invitation makes the account. */
  madeByWorkspace?: string
  /** Whoever makes it has shown that the address is theirs. */
  isConfirmed?: boolean
}

/** The new person's id; null where the address, in whatever case, has an account already. */
export const insertUser = async (sql: Sql, p: NewUser) => {
  const [row] = await sql<{ id: string }[]>`
    insert into users (email, name, password_hash, made_by_workspace, confirmed_at)
    values (${p.email}, ${p.name}, ${p.passwordHash}, ${p.madeByWorkspace ?? null},
      case when ${p.isConfirmed ?? false} then now() end)
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** The hash of a person's password; null where the account is gone. */
export const findPasswordOf = async (sql: Sql, userId: string): Promise<string | null> => {
  const [row] = await sql<{ passwordHash: string }[]>`
    select password_hash as "passwordHash" from users where id = ${userId}`
  return row?.passwordHash ?? null
}

/** False where the password is another by now than the one that was judged, if any: of two changes at once, one is made. */
export const replacePassword = async (
  sql: Sql,
  p: { userId: string; judged: string | null; passwordHash: string },
): Promise<boolean> => {
  const { count } = await sql`
    update users set password_hash = ${p.passwordHash}
    where id = ${p.userId} and password_hash = coalesce(${p.judged}, password_hash)`
  return count === 1
}

/**
 * Held until the transaction ends, so that nobody opens a session, joins a workspace or changes the password meanwhile.
 * False where the password is another by now than the one that was judged.
 */
export const holdUser = async (tx: Sql, p: { userId: string; judged: string }): Promise<boolean> => {
  const rows = await tx`select 1 from users where id = ${p.userId} and password_hash = ${p.judged} for update`
  return rows.length === 1
}

/** Null where the account is gone. */
export const findUser = async (sql: Sql, userId: string): Promise<User | null> => {
  const [row] = await sql<User[]>`select id, email, name, locale, timezone from users where id = ${userId}`
  return row ?? null
}

/** What is undefined stays as it is. */
export interface UserChange {
  name?: string | undefined
  locale?: string | null | undefined
  timezone?: string | null | undefined
}

/** Null where the account is gone. */
export const updateUser = async (sql: Sql, userId: string, change: UserChange) => {
  const { name = null, locale = null, timezone = null } = change
  const [row] = await sql<(User & { differs: boolean })[]>`
    update users set name = coalesce(${name}, name),
      locale = case when ${change.locale !== undefined} then ${locale} else locale end,
      timezone = case when ${change.timezone !== undefined} then ${timezone} else timezone end
    where id = ${userId}
    returning id, email, name, locale, timezone,
      (old.name, old.locale, old.timezone) is distinct from (new.name, new.locale, new.timezone) as differs`
  return row ?? null
}

/** The account is gone, and its sessions with it. It must be in no workspace any more. */
export const deleteUser = (tx: Sql, userId: string) => tx`delete from users where id = ${userId}`
export interface AccountRow {
  id: string
  email: string
  name: string
  passwordHash: string
  createdAt: Date
  confirmedAt: Date | null
  disabledAt: Date | null
  /** The workspace whose invitation made the account. */
  madeByWorkspace: string | null
}

const columns = (sql: Sql) => sql`
  id, email, name, password_hash as "passwordHash", created_at as "createdAt", confirmed_at as "confirmedAt",
  disabled_at as "disabledAt", made_by_workspace as "madeByWorkspace"`

/** With what is known of the account; null where it is gone. */
export const findAccount = async (sql: Sql, id: string): Promise<AccountRow | null> => {
  const [row] = await sql<AccountRow[]>`select ${columns(sql)} from users where id = ${id}`
  return row ?? null
}

/** A page of all people, the oldest account first. */
export const selectUsers = (sql: Sql, after: string | null, limit: number) => sql<AccountRow[]>`
  select ${columns(sql)} from users ${after === null ? sql`` : sql`where id > ${after}`} order by id limit ${limit}`

/** The address was shown to be theirs; true where it was for the first time. */
export const markConfirmed = async (sql: Sql, userId: string): Promise<boolean> => {
  const rows = await sql`
    update users set confirmed_at = now() where id = ${userId} and confirmed_at is null returning id`
  return rows.length === 1
}

/** Keeps somebody out from now on, or lets them in again. */
/** False where it was so already. */
export const updateDisabled = async (sql: Sql, userId: string, isDisabled: boolean): Promise<boolean> => {
  const { count } = await sql`
    update users set disabled_at = case when ${isDisabled} then now() end
    where id = ${userId} and (disabled_at is not null) <> ${isDisabled}`
  return count > 0
}
