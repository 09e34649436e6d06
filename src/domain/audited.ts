/** Runs a change and its audit log entry in one transaction. */
import { type Deed, writeEntry } from './audit/index.ts'
import { type Ctx, inTransaction } from './context.ts'

/**
 * Runs a change and writes its audit log entry in one transaction, so either both are committed or neither is. `deedOf`
 * returns the audit action, or null if nothing changed.
 */
export const audited = <T>(
  ctx: Ctx,
  change: (ctx: Ctx) => Promise<T>,
  deedOf: (changed: T) => Deed | null,
): Promise<T> =>
  inTransaction(ctx, async inner => {
    const changed = await change(inner)
    const deed = deedOf(changed)
    if (deed) await writeEntry(inner.sql, { ...ctx.caller, request: ctx.request ?? null }, deed)
    return changed
  })
