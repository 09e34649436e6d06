/** Changes that are told of in the audit log. */
import { type Deed, writeEntry } from './audit/index.ts'
import { type Ctx, inTransaction } from './context.ts'

/**
 * Makes a change and tells of it in the audit log, in one transaction: of the two, both are committed or neither is.
 * `deedOf` answers null where nothing was changed.
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
