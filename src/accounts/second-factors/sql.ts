import { directoryOf } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface SecondFactorRow {
  secret: Uint8Array
  /** Null until the user has entered a code. */
  confirmedAt: Date | null
  recoveryCodesLeft: number
}

export const findSecondFactor = async (sql: Sql, userId: string): Promise<SecondFactorRow | null> => {
  const [row] = await sql<SecondFactorRow[]>`
    select secret, confirmed_at as "confirmedAt", cardinality(recovery_codes) as "recoveryCodesLeft"
    from second_factors where user_id = ${userId}`
  return row ?? null
}

/** Returns whether the user's sign-in requires a code. */
export const hasSecondFactor = async (sql: Sql, userId: string): Promise<boolean> => {
  const rows = await directoryOf(sql)`
    select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`
  return rows.length === 1
}

/** Returns those of these users whose sign-in requires a code. */
export const findUsersWithSecondFactor = async (sql: Sql, userIds: string[]): Promise<Set<string>> => {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from second_factors
    where user_id = any(${userIds}::uuid[]) and confirmed_at is not null`
  return new Set(rows.map(({ userId }) => userId))
}

/**
 * Inserts a second factor, or replaces an unconfirmed one. Returns false if a confirmed one exists. The count of
 * attempts is kept.
 */
export const insertSecondFactor = async (sql: Sql, userId: string, secret: Uint8Array): Promise<boolean> => {
  const rows = await sql`
    insert into second_factors as f (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where f.confirmed_at is null
    returning user_id`
  return rows.length === 1
}

/** Confirms the second factor, so that sign-in requires it. Returns false if it is already confirmed. */
export const confirmSecondFactor = async (
  sql: Sql,
  userId: string,
  recoveryHashes: readonly string[],
): Promise<boolean> => {
  const rows = await sql`
    update second_factors set confirmed_at = now(),
      recovery_codes = array(select decode(hash, 'hex') from unnest(${recoveryHashes as string[]}::text[]) as hash)
    where user_id = ${userId} and confirmed_at is null
    returning user_id`
  return rows.length === 1
}

/** Replaces all recovery codes of a confirmed second factor. Returns false if there is none. */
export const replaceRecoveryCodes = async (
  sql: Sql,
  userId: string,
  recoveryHashes: readonly string[],
): Promise<boolean> => {
  const rows = await sql`
    update second_factors set
      recovery_codes = array(select decode(hash, 'hex') from unnest(${recoveryHashes as string[]}::text[]) as hash)
    where user_id = ${userId} and confirmed_at is not null
    returning user_id`
  return rows.length === 1
}

/** Deletes the second factor. Returns whether it was confirmed. */
export const deleteSecondFactor = async (sql: Sql, userId: string): Promise<boolean> => {
  const [row] = await sql<{ wasConfirmed: boolean }[]>`
    delete from second_factors where user_id = ${userId} returning confirmed_at is not null as "wasConfirmed"`
  return row?.wasConfirmed ?? false
}

/**
 * Counts an attempt before its code is checked, so that concurrent attempts cannot exceed the limit. Returns the
 * secret, whether the attempt is admitted, and the seconds until the next one. Returns null without a second factor.
 */
export const countAttempt = async (sql: Sql, userId: string, p: { maxAttempts: number; withinSeconds: number }) => {
  const isWindowOver = sql`f.attempts_since < now() - make_interval(secs => ${p.withinSeconds})`
  const [row] = await sql<{ secret: Uint8Array; admitted: boolean; retryAfterSeconds: number }[]>`
    update second_factors f set
      attempts = case when ${isWindowOver} then 1 else least(f.attempts, ${p.maxAttempts}) + 1 end,
      attempts_since = case when ${isWindowOver} then now() else f.attempts_since end
    where f.user_id = ${userId}
    returning secret, new.attempts <= ${p.maxAttempts} as admitted,
      extract(epoch from new.attempts_since + make_interval(secs => ${p.withinSeconds}) - now())::double precision
        as "retryAfterSeconds"`
  return row ?? null
}

/** Consumes the code of a time step. Returns false if this or a later step was already used. */
export const consumePeriod = async (sql: Sql, userId: string, period: number): Promise<boolean> => {
  const rows = await sql`
    update second_factors set last_step = ${period}, attempts = 0
    where user_id = ${userId} and last_step < ${period}
    returning user_id`
  return rows.length === 1
}

/** Consumes a recovery code. Returns false if it does not exist or was already used. */
export const consumeRecoveryCode = async (sql: Sql, userId: string, hash: string): Promise<boolean> => {
  const rows = await sql`
    update second_factors set recovery_codes = array_remove(recovery_codes, decode(${hash}, 'hex')), attempts = 0
    where user_id = ${userId} and confirmed_at is not null and decode(${hash}, 'hex') = any(recovery_codes)
    returning user_id`
  return rows.length === 1
}
