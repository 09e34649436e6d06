/**
 * Limits on mailed invitations. Counts survive the removal of an invitation, so that removing and inviting again sends
 * no additional mails.
 */
import type { Sql } from '../../db/client.ts'
import { tryLater } from '../errors.ts'
import { caseless } from '../users/index.ts'
import { keyOf } from './key.ts'
import { takeFromBudgets } from './sql.ts'

/** Maximum number of invitations to one e-mail address per day, across all workspaces. */
const perAddress = 3
const day = 24 * 60 * 60

/**
 * Counts an invitation in the caller's transaction. Throws 429 if the address or the workspace has no invitations left;
 * the caller rolls back. `perWorkspace` is the maximum per workspace and day, null for no limit.
 */
export const admitInvitation = async (
  tx: Sql,
  { workspaceId, email, perWorkspace }: { workspaceId: string; email: string; perWorkspace: number | null },
): Promise<void> => {
  const limits = [
    {
      who: keyOf('invited', caseless(email)),
      tries: perAddress,
      message: `An e-mail address can be invited ${perAddress} times within a day, by all workspaces together.`,
    },
    ...(perWorkspace === null
      ? []
      : [
          {
            who: keyOf('invites', workspaceId),
            tries: perWorkspace,
            message: `A workspace can send ${perWorkspace} invitations within a day.`,
          },
        ]),
  ]
  const taken = await takeFromBudgets(tx, limits, day)
  for (const [position, { admitted, retryAfterSeconds }] of taken.entries())
    if (!admitted) throw tryLater('rate_limited', limits[position]!.message, retryAfterSeconds)
}
