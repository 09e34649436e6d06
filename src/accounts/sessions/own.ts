/** Operations on a user's own sessions, independent of the workspace. */

import type { RequestRef } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { writeAccountEntries } from '../audit/index.ts'
import type { OwnSession } from './schema.ts'
import { deleteOtherSessions, deleteSessionOf, type OwnSessionRow, type SessionRow, selectSessions } from './sql.ts'

/** Lists the active sessions of the user, newest first. */
export const listSessions = async (sql: Sql, session: SessionRow, query: PageQuery): Promise<PageOf<OwnSession>> => {
  const page = toPageRequest(query)
  const shape = (row: OwnSessionRow): OwnSession => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.id === session.id,
  })
  return toPage(await selectSessions(sql, session.userId, page), page, shape)
}

/** Ends one of the user's sessions immediately, possibly the current one. */
export const endSession = (sql: Sql, { userId }: SessionRow, id: string, request: RequestRef): Promise<void> =>
  transaction(sql, async tx => {
    if (!isId(id) || !(await deleteSessionOf(tx, userId, id)))
      throw new DomainError('not_found', 'You have no such session. It may have ended already.')
    await writeAccountEntries(tx, [
      { userId, isByHolder: true, action: 'endSession', detail: { sessionId: id }, request },
    ])
  })

/** Ends all of the user's sessions immediately, except the current one. */
export const endOtherSessions = (sql: Sql, { userId, id }: SessionRow, request: RequestRef): Promise<void> =>
  transaction(sql, async tx => {
    await deleteOtherSessions(tx, userId, id)
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'endOtherSessions', request }])
  })
