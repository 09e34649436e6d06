/** Creates invitations. The link is mailed to the invited person, or shown to the person who invites. */

import { hashSecret, newSecret } from '../../core/secrets.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { insertInvitation, type MemberRow, type NewInvitation } from './sql.ts'

const invitationDays = 7

/** Settings for the delivery of invitation links. */
export interface InvitationLinks {
  /** True if SMTP is configured: the link is mailed and shown to no one else. */
  byMail: boolean
  /** Returns the link for a token, for the inviting person to share. */
  linkTo: (token: string) => string
  /** Maximum number of mailed invitations per workspace and day; null for no limit. */
  perDay: number | null
}

export interface CreatedInvitation {
  row: MemberRow & { expiresAt: Date }
  /** Null if the link is mailed: the mail task creates a new token. */
  token: string | null
}

/** Creates an invitation in the caller's transaction, so that the mail is sent only if the invitation is committed. */
export const invite = async (
  tx: Sql,
  invitation: Pick<NewInvitation, 'workspaceId' | 'email' | 'name' | 'role'>,
  { byMail, invitedBy }: { byMail: boolean; invitedBy: string | null },
): Promise<CreatedInvitation> => {
  const token = newSecret('inv_')
  const row = await insertInvitation(tx, { ...invitation, tokenHash: hashSecret(token), lifetimeDays: invitationDays })
  if (!byMail) return { row, token }
  const { workspaceId } = invitation
  await enqueueMail(tx, { kind: 'invitation', workspaceId, memberId: row.id, invitedBy })
  return { row, token: null }
}

/**
 * Invites the first owner of a new workspace who already has an account. Only that person can confirm the ownership.
 */
export const inviteOwner = async (
  tx: Sql,
  p: { workspaceId: string; email: string; byMail: boolean },
): Promise<{ token: string | null; expiresAt: Date }> => {
  const { workspaceId, email, byMail } = p
  const { row, token } = await invite(
    tx,
    { workspaceId, email, name: null, role: 'owner' },
    { byMail, invitedBy: null },
  )
  return { token, expiresAt: row.expiresAt }
}
