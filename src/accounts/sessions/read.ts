import { verb } from '../../core/verb.ts'
import { readMemberships } from './memberships.ts'
import type { MyWorkspaces, NewSession, Session } from './schema.ts'
import type { Membership, SessionRow, SignedInRow } from './sql.ts'

/** Returns the user, workspace and role of the caller's session or access token. */
export const readSession = verb(
  { by: 'member', withoutSecondFactor: true },
  async ({ caller }, credential: SignedInRow, membership: Membership): Promise<Session> => {
    const { expiresAt, user, workspace, role } = shape(credential, membership)
    const token = (caller.type === 'user' && caller.token) || null
    return { expiresAt, user: { ...user, email: credential.email }, workspace, role, token }
  },
)

/** Lists the workspaces in which the session or access token can act, in the order in which the user joined them. */
export const listMyWorkspaces = verb(
  { by: 'member', withoutSecondFactor: true },
  async ({ sql }, credential: SignedInRow): Promise<MyWorkspaces> => {
    const { memberships } = await readMemberships(sql, credential)
    return { data: memberships.map(one => ({ ...shapeWorkspace(one), role: one.role })) }
  },
)

/** Shapes a new session for its user, in one of their workspaces. */
export const shapeSession = (session: SessionRow, membership: Membership): Omit<NewSession, 'token'> => {
  const { user, ...shaped } = shape(session, membership)
  return { ...shaped, user: { ...user, email: session.email } }
}

const shape = ({ expiresAt, userId, userName }: SignedInRow, membership: Membership) => ({
  expiresAt: expiresAt.toISOString(),
  user: { id: userId, name: userName },
  workspace: shapeWorkspace(membership),
  role: membership.role,
})

const shapeWorkspace = ({ workspaceId, workspaceName }: Membership) => ({
  id: workspaceId,
  name: workspaceName,
})
