/** Descriptions of mailed links, so that a page can name the address and the workspace. */
import { hashSecret } from '../../core/secrets.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findInvitation } from '../members/index.ts'
import { type AdmitAttempt, type DescribeLink, findLink, type LinkDescription, rejectLink } from '../people/index.ts'
import { findWorkspaceName } from '../workspaces/index.ts'
import { findIdentityLink } from './sql.ts'

/** Describes a valid link. An invalid one counts as an attempt from the network address and is rejected with 422. */
export const describeLink = async (
  sql: Sql,
  { token }: DescribeLink,
  admitAttempt: AdmitAttempt,
): Promise<LinkDescription> => {
  const tokenHash = hashSecret(token)
  const invitation = await findInvitation(sql, tokenHash)
  if (invitation) {
    const workspace = await findWorkspaceName(sql, invitation.workspaceId)
    return { purpose: 'invitation', email: invitation.email, workspace }
  }
  const confirmation = await findLink(sql, tokenHash, 'confirmation')
  if (confirmation) return { purpose: 'confirmation', email: confirmation.email, workspace: null }
  const identity = await findIdentityLink(sql, tokenHash, { mailed: true })
  if (!identity) throw await rejectLink(admitAttempt)
  return { purpose: 'identity', email: identity.email, workspace: null }
}
