import type { Sql } from '../../db/client.ts'
import type { User } from './schema.ts'

/** The person with this address, however its letters are cased. */
export const findUserForSignIn = async (sql: Sql, email: string) => {
  const [user] = await sql<{ id: string; email: string; name: string; passwordHash: string }[]>`
    select id, email, name, password_hash as "passwordHash" from users where lower(email) = lower(${email})`
  return user ?? null
}

/** The new person's id; null where the address, in whatever case, has an account already. */
export const insertUser = async (sql: Sql, user: { email: string; name: string; passwordHash: string }) => {
  const [row] = await sql<{ id: string }[]>`
    insert into users (email, name, password_hash) values (${user.email}, ${user.name}, ${user.passwordHash})
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** The hash of a person's password; null where the account is gone. */
export const findPasswordOf = async (sql: Sql, userId: string): Promise<string | null> => {
  const [row] = await sql<{ passwordHash: string }[]>`
    select password_hash as "passwordHash" from users where id = ${userId}`
  return row?.passwordHash ?? null
}

/** False where the password is another by now than the one that was judged: of two changes at once, one is made. */
export const replacePassword = async (
  sql: Sql,
  p: { userId: string; judged: string; passwordHash: string },
): Promise<boolean> => {
  const { count } = await sql`
    update users set password_hash = ${p.passwordHash} where id = ${p.userId} and password_hash = ${p.judged}`
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
export const updateUser = async (sql: Sql, userId: string, change: UserChange): Promise<User | null> => {
  const { name = null, locale = null, timezone = null } = change
  const [row] = await sql<User[]>`
    update users set name = coalesce(${name}, name),
      locale = case when ${change.locale !== undefined} then ${locale} else locale end,
      timezone = case when ${change.timezone !== undefined} then ${timezone} else timezone end
    where id = ${userId}
    returning id, email, name, locale, timezone`
  return row ?? null
}

/** The account is gone, and its sessions with it. It must be in no workspace any more. */
export const deleteUser = (tx: Sql, userId: string) => tx`delete from users where id = ${userId}`
