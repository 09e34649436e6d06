import type { Sql } from '../../db/client.ts'

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
