/** Somebody is invited, by a link that is mailed to them, or shown to whoever invites. */
import type { Sql } from '../../db/client.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import { sendMailSoon } from '../tasks.ts'
import { insertInvitation, type MemberRow, type NewInvitation } from './sql.ts'

const invitationDays = 7

/** How a link reaches whom it is for. */
export interface InvitationLinks {
  /** Mail is set up: the link is mailed, and nobody else sees it. */
  byMail: boolean
  /** The link of this token, for whoever invites to pass on. */
  linkTo: (token: string) => string
  /** Mailed invitations of a workspace within a day; null for no limit. */
  perDay: number | null
}

export interface Invited {
  row: MemberRow & { expiresAt: Date }
  /** Null where the link goes by mail: the mail is made with another. */
  token: string | null
}

/** In the caller's transaction: the mail is sent if, and only if, the invitation is there. */
export const invite = async (
  tx: Sql,
  invitation: Pick<NewInvitation, 'workspaceId' | 'email' | 'name' | 'role'>,
  { byMail, invitedBy }: { byMail: boolean; invitedBy: string | null },
): Promise<Invited> => {
  const token = newSecret('inv_')
  const row = await insertInvitation(tx, { ...invitation, tokenHash: hashSecret(token), lifetimeDays: invitationDays })
  if (!byMail) return { row, token }
  const { workspaceId } = invitation
  await sendMailSoon(tx, { kind: 'invitation', workspaceId, memberId: row.id, invitedBy })
  return { row, token: null }
}

/** The first owner of a new workspace, who has an account already: only they can say that it is theirs. */
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
