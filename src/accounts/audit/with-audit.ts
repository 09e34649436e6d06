/** Runs a change and its audit log entry in one transaction. */

import { type Ctx, inTransaction } from '../../core/context.ts'
import { type ActionRecord, writeEntry } from './write.ts'

/**
 * Runs a change and writes its audit log entry in one transaction, so either both are committed or neither is. `describeAction`
 * returns the audit action, or null if nothing changed.
 */
export const withAudit = <T>(
  ctx: Ctx,
  change: (ctx: Ctx) => Promise<T>,
  describeAction: (result: T) => ActionRecord | null,
): Promise<T> =>
  inTransaction(ctx, async inner => {
    const result = await change(inner)
    const record = describeAction(result)
    if (record) await writeEntry(inner.sql, { ...ctx.caller, request: ctx.request ?? null }, record)
    return result
  })
