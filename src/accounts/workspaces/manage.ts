import { DomainError } from '../../core/errors.ts'
import { parseTimeZone } from '../../core/time-zone.ts'
import { verb } from '../../core/verb.ts'
import { withAudit } from '../audit/index.ts'
import { hasSecondFactor } from '../second-factors/index.ts'
import type { ChangeWorkspace, Workspace } from './schema.ts'
import { findWorkspace, type OwnWorkspaceRow, updateWorkspace } from './sql.ts'

/** Returns the workspace of the caller. */
export const readWorkspace = verb(
  { by: 'member' },
  async ({ sql, caller }): Promise<Workspace> => shape(await findWorkspace(sql, caller.workspaceId)),
)

/** Changes the given fields. Runs that already wait for a time of day keep the computed time. */
export const changeWorkspace = verb(
  { by: 'owner' },
  async (ctx, { name, timezone, requireSecondFactor, requireSso }: ChangeWorkspace): Promise<Workspace> => {
    const { caller } = ctx
    const { workspaceId, id: userId } = caller
    if (requireSso && !(caller.type === 'user' && caller.isBySso)) throw wouldLockOutEverybody()
    if (requireSecondFactor && !(await hasSecondFactor(ctx.sql, userId))) throw wouldLockOutCaller()
    const zone = timezone === undefined ? undefined : parseTimeZone(timezone)
    const change = {
      workspaceId,
      name: name ?? null,
      timezone: zone ?? null,
      requireSecondFactor: requireSecondFactor ?? null,
      requireSso: requireSso ?? null,
    }
    const { differs: _, ...row } = await withAudit(
      ctx,
      ({ sql }) => updateWorkspace(sql, change),
      ({ differs }) =>
        differs
          ? {
              action: 'changeWorkspace',
              target: { type: 'workspace', id: workspaceId },
              detail: { name, timezone: zone, requireSecondFactor, requireSso },
            }
          : null,
    )
    return shape(row)
  },
)

const wouldLockOutCaller = () => {
  const reason = 'Set up your own second factor first, at POST /v1/auth/totp. Otherwise you would lose access.'
  return new DomainError('unprocessable', `requireSecondFactor: ${reason}`, { requireSecondFactor: reason })
}

/** Only a session that used single sign-on proves that it works for an owner of this workspace. */
const wouldLockOutEverybody = () => {
  const reason = 'Sign in with single sign-on first, at POST /v1/auth/sso. Otherwise everybody could lose access.'
  return new DomainError('unprocessable', `requireSso: ${reason}`, { requireSso: reason })
}

const shape = (row: OwnWorkspaceRow): Workspace => ({ ...row, createdAt: row.createdAt.toISOString() })
