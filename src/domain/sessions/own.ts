/** What a person does with their own sessions, whatever workspace they are in. */
import type { Sql } from '../../db/client.ts'
import { DomainError } from '../errors.ts'
import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import type { OwnSession } from './schema.ts'
import { deleteOtherSessions, deleteSessionOf, type OwnSessionRow, type SessionRow, selectSessions } from './sql.ts'

/** The living sessions of the person whose session is shown, the one opened last in front. */
export const listSessions = async (sql: Sql, shown: SessionRow, query: PageQuery): Promise<PageOf<OwnSession>> => {
  const page = pageRequest(query)
  const shape = (row: OwnSessionRow): OwnSession => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.id === shown.id,
  })
  return pageOf(await selectSessions(sql, shown.userId, page), page.limit, shape)
}

/** Ends one of the person's sessions at once; it may be the one that is shown. */
export const endSession = async (sql: Sql, { userId }: SessionRow, id: string): Promise<void> => {
  if (isId(id) && (await deleteSessionOf(sql, userId, id))) return
  throw new DomainError('not_found', 'You have no such session; it may have ended already.')
}

/** Ends all of the person's sessions at once but the one that is shown. */
export const endOtherSessions = async (sql: Sql, { userId, id }: SessionRow): Promise<void> => {
  await deleteOtherSessions(sql, userId, id)
}
