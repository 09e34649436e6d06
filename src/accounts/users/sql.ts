import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { AlertEmail, User } from './schema.ts'

/** Finds the user with this address, ignoring case. */
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
  /** The workspace whose invitation created the account. */
  createdByWorkspace?: string
  /** True if the user has proved ownership of the address. */
  isConfirmed?: boolean
}

/** Inserts a user and returns the id. Returns null if the address, in any case, already has an account. */
export const insertUser = async (sql: Sql, p: NewUser) => {
  const [row] = await sql<{ id: string }[]>`
    insert into users (email, name, password_hash, created_by_workspace, confirmed_at)
    values (${p.email}, ${p.name}, ${p.passwordHash}, ${p.createdByWorkspace ?? null},
      case when ${p.isConfirmed ?? false} then now() end)
    on conflict do nothing returning id`
  return row?.id ?? null
}

/** Inserts a service account, which has no address and no password. Returns the id. */
export const insertServiceAccount = async (sql: Sql, p: { name: string; workspaceId: string }): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into users (name, created_by_workspace) values (${p.name}, ${p.workspaceId}) returning id`
  return row!.id
}

/** Returns the password hash of a user; null if the account was deleted. */
export const findPasswordHash = async (sql: Sql, userId: string): Promise<string | null> => {
  const [row] = await sql<{ passwordHash: string }[]>`
    select password_hash as "passwordHash" from users where id = ${userId}`
  return row?.passwordHash ?? null
}

/**
 * Replaces the password. Returns false if it has changed since `currentHash` was read; null skips this check. Of two
 * concurrent changes, only one succeeds.
 */
export const replacePassword = async (
  sql: Sql,
  p: { userId: string; currentHash: string | null; passwordHash: string },
): Promise<boolean> => {
  const { count } = await sql`
    update users set password_hash = ${p.passwordHash}
    where id = ${p.userId} and password_hash = coalesce(${p.currentHash}, password_hash)`
  return count === 1
}

/**
 * Locks a user until the transaction ends, so that no session, membership or password change happens concurrently.
 * Returns false if the password has changed since it was checked.
 */
export const lockUser = async (tx: Sql, p: { userId: string; currentHash: string }): Promise<boolean> => {
  const rows = await tx`select 1 from users where id = ${p.userId} and password_hash = ${p.currentHash} for update`
  return rows.length === 1
}

/** Returns null if the account was deleted. */
export const findUser = async (sql: Sql, userId: string): Promise<User | null> => {
  const [row] = await sql<User[]>`
    select id, email, name, locale, timezone, muted_emails as "mutedEmails" from users where id = ${userId}`
  return row ?? null
}

/** Changed fields. Undefined fields keep their value. */
export interface UserChange {
  name?: string | undefined
  locale?: string | null | undefined
  timezone?: string | null | undefined
  mutedEmails?: AlertEmail[] | undefined
}

/** Returns null if the account was deleted. */
export const updateUser = async (sql: Sql, userId: string, change: UserChange) => {
  const { name = null, locale = null, timezone = null, mutedEmails = null } = change
  const [row] = await sql<(User & { differs: boolean })[]>`
    update users set name = coalesce(${name}, name),
      locale = case when ${change.locale !== undefined} then ${locale} else locale end,
      timezone = case when ${change.timezone !== undefined} then ${timezone} else timezone end,
      muted_emails = coalesce(${mutedEmails}::text[], muted_emails)
    where id = ${userId}
    returning id, email, name, locale, timezone, muted_emails as "mutedEmails",
      (old.name, old.locale, old.timezone, old.muted_emails)
        is distinct from (new.name, new.locale, new.timezone, new.muted_emails) as differs`
  return row ?? null
}

/** Deletes an account and its sessions. The user must not be a member of any workspace. */
export const deleteUser = (tx: Sql, userId: string) => tx`delete from users where id = ${userId}`

/** Deletes a service account with its access tokens, unless it is a member of a workspace. */
export const deleteServiceAccount = (tx: Sql, userId: string) => tx`
  delete from users u
  where id = ${userId} and email is null and not exists (select from members m where m.user_id = u.id)`

/**
 * Deletes an account that the import of a workspace has created since its start. Keeps it if its address is confirmed,
 * or if it is a member of a workspace.
 */
export const deleteImportedAccount = (tx: Sql, p: { userId: string; workspaceId: string; since: Date }) => tx`
  delete from users u
  where id = ${p.userId} and created_by_workspace = ${p.workspaceId} and created_at >= ${p.since}
    and confirmed_at is null and not exists (select from members m where m.user_id = u.id)`

export interface AccountRow {
  id: string
  email: string
  name: string
  createdAt: Date
  confirmedAt: Date | null
  disabledAt: Date | null
  /** The workspace whose invitation created the account. */
  createdByWorkspace: string | null
  mutedEmails: AlertEmail[]
}

/** Returns the account data of a person; null if the account was deleted, and for a service account. */
export const findAccount = async (sql: Sql, id: string): Promise<AccountRow | null> => {
  const [row] = await directoryOf(sql)<AccountRow[]>`
    select id, email, name, created_at as "createdAt", confirmed_at as "confirmedAt", disabled_at as "disabledAt",
      created_by_workspace as "createdByWorkspace", muted_emails as "mutedEmails"
    from users where id = ${id} and email is not null`
  return row ?? null
}

/** The fields of an account that a list for the operator shows. A list never has the password hash. */
export type ListedAccount = Pick<AccountRow, 'id' | 'email' | 'name' | 'createdAt' | 'confirmedAt' | 'disabledAt'>

/** Selects a page of all people, oldest account first. Service accounts are not included. */
export const selectUsers = (sql: Sql, after: string | null, limit: number) => sql<ListedAccount[]>`
  select id, email, name, created_at as "createdAt", confirmed_at as "confirmedAt", disabled_at as "disabledAt"
  from users
  where email is not null ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${limit}`

/** Returns the current names of people. Deleted accounts are missing. */
export const findUserNames = (sql: Sql, ids: string[]) => directoryOf(sql)<{ id: string; name: string }[]>`
  select id, name from users where id = any(${ids}::uuid[])`

/** The fields of an account that an export of a workspace contains. */
export interface PortableAccount {
  id: string
  /** Null for a service account. */
  email: string | null
  name: string
  locale: string | null
  timezone: string | null
}

/** Returns these accounts for an export. */
export const findPortableAccounts = (sql: Sql, ids: readonly string[]) => directoryOf(sql)<PortableAccount[]>`
  select id, email, name, locale, timezone from users where id = any(${[...ids]}::uuid[])`

/**
 * Inserts the account of a member of an imported workspace. Returns its id, which is a new one if another account has
 * the id. `passwordHash` is null for a service account. Its address must have no account.
 */
export const insertPortableAccount = async (
  sql: Sql,
  p: PortableAccount & { passwordHash: string | null; workspaceId: string },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into users (id, email, name, password_hash, locale, timezone, created_by_workspace)
    select coalesce((select uuidv7() from users where id = ${p.id}), ${p.id}), ${p.email}, ${p.name}, ${p.passwordHash},
      ${p.locale}, ${p.timezone}, ${p.workspaceId}
    returning id`
  return row!.id
}

/** Marks the address as confirmed. Returns true the first time. */
export const markConfirmed = async (sql: Sql, userId: string): Promise<boolean> => {
  const rows = await sql`
    update users set confirmed_at = now() where id = ${userId} and confirmed_at is null returning id`
  return rows.length === 1
}

/** Disables or enables an account. Returns false if nothing changed. */
export const updateDisabled = async (sql: Sql, userId: string, isDisabled: boolean): Promise<boolean> => {
  const { count } = await sql`
    update users set disabled_at = case when ${isDisabled} then now() end
    where id = ${userId} and (disabled_at is not null) <> ${isDisabled}`
  return count > 0
}
