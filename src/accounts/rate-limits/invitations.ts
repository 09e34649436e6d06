/**
 * Limits on mailed invitations. Counts survive the removal of an invitation, so that removing and inviting again sends
 * no additional mails.
 */

import { domainToASCII } from 'node:url'
import { retryLater } from '../../core/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { lowerCaseEmail } from '../users/index.ts'
import { hashKey } from './key.ts'
import { takeFromBudgets } from './sql.ts'

/** Maximum number of invitations to one e-mail address per day, across all workspaces. */
const maxPerAddress = 3
const day = 24 * 60 * 60

/**
 * Returns a common form of all spellings of an address: in lower case, with an ASCII domain without a final dot, without
 * quotation marks and without the `+tag`. Most providers deliver all tags to one mailbox. For this budget only: members
 * and accounts with different spellings stay different people.
 */
const normalizeAddress = (email: string): string => {
  const at = email.lastIndexOf('@')
  const local = lowerCaseEmail(email.slice(0, at).normalize('NFKC')).replaceAll(/\\(.)|"/gsu, '$1')
  const domain = lowerCaseEmail(email.slice(at + 1).normalize('NFKC'))
  const tag = local.indexOf('+', 1)
  return `${tag === -1 ? local : local.slice(0, tag)}@${(domainToASCII(domain) || domain).replace(/\.$/, '')}`
}

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
      keyHash: hashKey('invited', normalizeAddress(email)),
      attempts: maxPerAddress,
      message: `All workspaces together can invite an e-mail address ${maxPerAddress} times per day.`,
    },
    ...(perWorkspace === null
      ? []
      : [
          {
            keyHash: hashKey('invites', workspaceId),
            attempts: perWorkspace,
            message: `A workspace can send ${perWorkspace} invitations per day.`,
          },
        ]),
  ]
  const results = await takeFromBudgets(tx, limits, day)
  for (const [index, { admitted, retryAfterSeconds }] of results.entries())
    if (!admitted) throw retryLater('rate_limited', limits[index]!.message, retryAfterSeconds)
}
