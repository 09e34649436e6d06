import type { Sql } from '../../db/client.ts'
import type { Role } from '../context.ts'
import type { Plan } from '../plan.ts'

export const insertSession = async (sql: Sql, p: { tokenHash: string; userId: string; lifetimeDays: number }) => {
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into sessions (token_hash, user_id, expires_at)
    values (decode(${p.tokenHash}, 'hex'), ${p.userId}, now() + make_interval(days => ${p.lifetimeDays}))
    returning expires_at as "expiresAt"`
  return row!
}

export interface SessionRow {
  expiresAt: Date
  userId: string
  email: string
  userName: string
  /** The workspaces the person is in, the one joined first in front. */
  memberships: Membership[]
}

export interface Membership extends Plan {
  workspaceId: string
  workspaceName: string
  role: Role
}

/** A living session and all that a request needs to know of its person, in one look. */
export const findSession = async (sql: Sql, tokenHash: string): Promise<SessionRow | null> => {
  const [row] = await sql<SessionRow[]>`
    select s.expires_at as "expiresAt", u.id as "userId", u.email, u.name as "userName",
      coalesce((select json_agg(json_build_object('workspaceId', w.id, 'workspaceName', w.name, 'role', m.role,
          'features', p.features, 'allowances', p.allowances) order by m.joined_at, w.id)
        from members m join workspaces w on w.id = m.workspace_id join plans p on p.id = w.plan_id
        where m.user_id = u.id), '[]') as memberships
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = decode(${tokenHash}, 'hex') and s.expires_at > now()`
  return row ?? null
}

export const deleteSession = (sql: Sql, tokenHash: string) =>
  sql`delete from sessions where token_hash = decode(${tokenHash}, 'hex')`

/** Deletes a page of sessions whose time is over; answers how many there were. */
export const deleteExpiredSessions = async (sql: Sql): Promise<number> => {
  const { count } = await sql`
    delete from sessions where token_hash = any(array(
      select token_hash from sessions where expires_at < now() order by expires_at limit 1000))`
  return count
}
