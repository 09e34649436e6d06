import { verb } from '../../core/verb.ts'
import type { MyWorkspaces, Session } from './schema.ts'
import type { Membership, SessionRow } from './sql.ts'

/** Returns the user, workspace and role of the caller's session. */
export const readSession = verb(
  { by: 'member', withoutSecondFactor: true },
  async ({ caller }, session: SessionRow): Promise<Session> => {
    const membership = session.memberships.find(({ workspaceId }) => workspaceId === caller.workspaceId)!
    return shapeSession(session, membership)
  },
)

/** Lists all workspaces of the session's user, in the order in which they joined. */
export const listMyWorkspaces = verb(
  { by: 'member', withoutSecondFactor: true },
  async (_, { memberships }: SessionRow): Promise<MyWorkspaces> => ({
    data: memberships.map(one => ({ ...shapeWorkspace(one), role: one.role })),
  }),
)

/** Shapes a session for its user, in one of their workspaces. */
export const shapeSession = (session: SessionRow, membership: Membership): Session => ({
  expiresAt: session.expiresAt.toISOString(),
  user: { id: session.userId, email: session.email, name: session.userName },
  workspace: shapeWorkspace(membership),
  role: membership.role,
})

const shapeWorkspace = ({ workspaceId, workspaceName }: Membership) => ({
  id: workspaceId,
  name: workspaceName,
})
