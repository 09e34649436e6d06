/** Access tokens of service accounts, which owners manage (contract 2.14). */

import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { PageOf } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { type Rule, verb } from '../../core/verb.ts'
import { withAudit } from '../audit/index.ts'
import {
  type AccessToken,
  type CreatedAccessToken,
  type CreateMemberToken,
  deleteToken,
  issueAccessToken,
  listTokensOf,
  readToken,
} from '../tokens/index.ts'
import { findServiceAccount, lockServiceAccount } from './manage.ts'

const rule: Rule = { by: 'owner', sessionOnly: true }

/** Lists the tokens of a service account, newest first. */
export const listMemberTokens = verb(
  rule,
  async ({ sql, caller: { workspaceId } }, memberId: string, query: PageQuery): Promise<PageOf<AccessToken>> => {
    const { userId } = await findServiceAccount(sql, workspaceId, memberId)
    return listTokensOf(sql, { userId, workspaceId }, query)
  },
)

/** Creates a token of a service account. Its value is only returned here. */
export const createMemberToken = verb(
  rule,
  (ctx, memberId: string, { name, access, expiresInDays }: CreateMemberToken): Promise<CreatedAccessToken> =>
    withAudit(
      ctx,
      async ({ sql, caller: { workspaceId } }) => {
        const { userId } = await lockServiceAccount(sql, workspaceId, memberId)
        const { row, token } = await issueAccessToken(sql, { userId, workspaceId, name, access, days: expiresInDays })
        return { ...(await readToken(sql, row)), token }
      },
      ({ id, prefix, createdAt, expiresAt }) => ({
        action: 'createMemberToken',
        target: { type: 'access_token', id },
        detail: { name, access, prefix, memberId, createdAt, expiresAt },
      }),
    ),
)

/** Revokes a token of a service account. It is rejected by every process once this returns. */
export const revokeMemberToken = verb(rule, async (ctx, memberId: string, id: string): Promise<void> => {
  const revoke = async ({ sql, caller: { workspaceId } }: typeof ctx) => {
    const { userId } = await lockServiceAccount(sql, workspaceId, memberId)
    const row = isId(id) ? await deleteToken(sql, userId, id) : null
    if (!row) throw notFound('access token')
    return row
  }
  await withAudit(ctx, revoke, ({ name, access, prefix }) => ({
    action: 'revokeMemberToken',
    target: { type: 'access_token', id },
    detail: { name, access, prefix, memberId },
  }))
})
