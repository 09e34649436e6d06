import type { Sql } from '../../db/client.ts'
import { givenTo } from '../deliveries/index.ts'
import { actingOn } from './acting.ts'
import type { Told } from './sql.ts'

/**
 * Runs a statement that emits events and has `whatWasTold` as its column `told`. Returns the other columns of its rows.
 * After commit, it calls the listeners of this process. If the process crashes before that, a poll finds the rows.
 */
export const tell = async <Row extends { told: Told | null }>(
  sql: Sql,
  statement: PromiseLike<readonly Row[]>,
): Promise<Omit<Row, 'told'>[]> => {
  // The statement is sent only when it is awaited.
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
