/** Descriptions of links of invitations and confirmations, so that a page can name the address and the workspace. */
import { hashSecret } from '../../core/secrets.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findInvitation } from '../members/index.ts'
import { findWorkspaceName } from '../workspaces/index.ts'
import { rejectLink } from './links.ts'
import type { AdmitAttempt } from './password.ts'
import type { DescribeLink, LinkDescription } from './schema.ts'
import { findLink } from './sql.ts'

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
  if (!confirmation) throw await rejectLink(admitAttempt)
  return { purpose: 'confirmation', email: confirmation.email, workspace: null }
}
