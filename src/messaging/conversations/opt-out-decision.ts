/** Records a person's decision about a message that may mean an opt-out. */
import { withAudit } from '../../accounts/audit/index.ts'
import { recordChanges } from '../../core/changes/index.ts'
import { verb } from '../../core/verb.ts'
import { readCustomer, wasOptedOutHere } from '../../customers/index.ts'
import { optOut } from '../consent/index.ts'
import { clearFlags, clearOptOutFlag, endWait } from '../messages/index.ts'
import { readConversation } from './manage.ts'
import type { Conversation, OptOutDecision } from './schema.ts'

/** Reason in the ledger and in `customer.opted_out` for a customer who was opted out by a person's decision. */
const reason = 'Asked for it in a conversation'

/**
 * Records whether a possible opt-out is one. `opted_out` opts the customer out, also if the conversation has no mark;
 * `ignored` removes the mark. A decision without effect gets the same response and no audit entry. 404 for an unknown
 * conversation, and for `opted_out` if the customer was erased.
 */
export const decideOptOut = verb(
  { by: 'member' },
  async (ctx, id: string, { decision }: OptOutDecision): Promise<Conversation> => {
    const { workspaceId, id: userId } = ctx.caller
    const { customerId, channelId, looksLikeOptOut } = await readConversation(ctx, id)
    const isDecided =
      decision === 'ignored' ? !looksLikeOptOut : (await readCustomer(ctx, customerId)).optedOutAt !== null
    if (!isDecided) {
      await withAudit(
        ctx,
        async ({ sql }) => {
          if (decision === 'ignored') return clearOptOutFlag(sql, workspaceId, id)
          await optOut(sql, { workspaceId, id: customerId, channelId, reason, source: 'dashboard', userId })
          return wasOptedOutHere(sql, workspaceId, customerId)
        },
        changed =>
          changed ? { action: 'decideOptOut', target: { type: 'conversation', id }, detail: { decision } } : null,
      )
      // After the transaction, which locks the customer first.
      if (decision === 'opted_out') await endWait(ctx.sql, workspaceId, id)
      recordChanges(ctx.sql, 'conversation', [{ workspaceId, id }])
      // An opt-out settles the mark in every conversation of the customer.
      if (decision === 'opted_out') await clearFlags(ctx.sql, [{ workspaceId, id: customerId }])
    }
    return readConversation(ctx, id)
  },
)
