import type { Ctx } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { findWorkflow, type WorkflowRow } from './sql.ts'

/** Returns a workflow of the caller's workspace. Throws 404 (DomainError) if there is none. */
export const requireWorkflow = async ({ sql, caller }: Ctx, id: string): Promise<WorkflowRow> => {
  const row = isId(id) ? await findWorkflow(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('workflow')
  return row
}
