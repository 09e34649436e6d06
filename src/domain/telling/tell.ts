import type { Sql } from '../../db/client.ts'
import { givenTo } from '../deliveries/index.ts'
import { actingOn } from './acting.ts'
import type { Told } from './sql.ts'

/**
 * Carries out a statement that tells, which has `whatWasTold` as the column `told`, and answers the rest of its rows.
 * Once it is committed, what it told is in the hands of those who act on it in this process. Should that be lost, as with
 * a process that is killed at this moment, the rows are there, and a sweep finds them.
 */
export const tell = async <Row extends { told: Told | null }>(
  sql: Sql,
  statement: PromiseLike<readonly Row[]>,
): Promise<Omit<Row, 'told'>[]> => {
  // The statement is sent when it is waited for, and not before.
  const askedAt = performance.now()
  const rows = await statement
  const told = rows[0]?.told
  if (told) handOn(sql, told, askedAt)
  return rows.map(({ told: _, ...row }) => row)
}

const handOn = (sql: Sql, { inOutbox, made }: Told, askedAt: number): void => {
  for (const one of actingOn(sql)) {
    if (made.webhooks.length > 0) one.made(givenTo(made), askedAt)
    if (inOutbox) one.inOutbox()
  }
}
