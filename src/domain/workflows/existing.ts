import type { Ctx } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { findWorkflow, type WorkflowRow } from './sql.ts'

/** A workflow of the caller's workspace. 404 (DomainError) where there is none. */
export const existing = async ({ sql, caller }: Ctx, id: string): Promise<WorkflowRow> => {
  const row = isId(id) ? await findWorkflow(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('workflow')
  return row
}
