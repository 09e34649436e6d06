import type { Sql } from '../../db/client.ts'

export interface SecondFactorRow {
  secret: Uint8Array
  /** Null until its holder has shown a code. */
  confirmedAt: Date | null
  recoveryCodesLeft: number
}

export const findSecondFactor = async (sql: Sql, userId: string): Promise<SecondFactorRow | null> => {
  const [row] = await sql<SecondFactorRow[]>`
    select secret, confirmed_at as "confirmedAt", cardinality(recovery_codes) as "recoveryCodesLeft"
    from second_factors where user_id = ${userId}`
  return row ?? null
}

/** Whether a sign-in of theirs asks for a code. */
export const hasSecondFactor = async (sql: Sql, userId: string): Promise<boolean> => {
  const rows = await sql`select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`
  return rows.length === 1
}

/** Those of these people whose sign-in asks for a code. */
export const findThoseWithSecondFactor = async (sql: Sql, userIds: string[]): Promise<Set<string>> => {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from second_factors
    where user_id = any(${userIds}::uuid[]) and confirmed_at is not null`
  return new Set(rows.map(({ userId }) => userId))
}

/** In place of one that was never put to use; false where one is in use. What was tried stays counted. */
export const insertSecondFactor = async (sql: Sql, userId: string, secret: Uint8Array): Promise<boolean> => {
  const rows = await sql`
    insert into second_factors as f (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where f.confirmed_at is null
    returning user_id`
  return rows.length === 1
}

/** It is asked for from now on; false where it is already. */
export const markInUse = async (sql: Sql, userId: string, recoveryHashes: readonly string[]): Promise<boolean> => {
  const rows = await sql`
    update second_factors set confirmed_at = now(),
      recovery_codes = array(select decode(hash, 'hex') from unnest(${recoveryHashes as string[]}::text[]) as hash)
    where user_id = ${userId} and confirmed_at is null
    returning user_id`
  return rows.length === 1
}

/** Replaces all recovery codes of a second factor in use; false where none is in use. */
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

/** Whether one was in use. */
export const deleteSecondFactor = async (sql: Sql, userId: string): Promise<boolean> => {
  const [row] = await sql<{ wasInUse: boolean }[]>`
    delete from second_factors where user_id = ${userId} returning confirmed_at is not null as "wasInUse"`
  return row?.wasInUse ?? false
}

/**
 * Counts a code that is about to be judged, before it is: of any number at once no more are judged than may be. Answers
 * the secret; where too many were wrong of late, how long there is to wait.
 */
export const takeTry = async (sql: Sql, userId: string, p: { maxTries: number; withinSeconds: number }) => {
  const isOver = sql`f.tried_from < now() - make_interval(secs => ${p.withinSeconds})`
  const [row] = await sql<{ secret: Uint8Array; admitted: boolean; retryAfterSeconds: number }[]>`
    update second_factors f set
      tries = case when ${isOver} then 1 else least(f.tries, ${p.maxTries}) + 1 end,
      tried_from = case when ${isOver} then now() else f.tried_from end
    where f.user_id = ${userId}
    returning secret, new.tries <= ${p.maxTries} as admitted,
      extract(epoch from new.tried_from + make_interval(secs => ${p.withinSeconds}) - now())::double precision
        as "retryAfterSeconds"`
  return row ?? null
}

/** Takes a code of this period; false where it, or a later one, was taken before. */
export const spendPeriod = async (sql: Sql, userId: string, period: number): Promise<boolean> => {
  const rows = await sql`
    update second_factors set last_step = ${period}, tries = 0
    where user_id = ${userId} and last_step < ${period}
    returning user_id`
  return rows.length === 1
}

/** Takes a recovery code; false where there is none like it, or none any more. */
export const spendRecoveryCode = async (sql: Sql, userId: string, hash: string): Promise<boolean> => {
  const rows = await sql`
    update second_factors set recovery_codes = array_remove(recovery_codes, decode(${hash}, 'hex')), tries = 0
    where user_id = ${userId} and confirmed_at is not null and decode(${hash}, 'hex') = any(recovery_codes)
    returning user_id`
  return rows.length === 1
}
