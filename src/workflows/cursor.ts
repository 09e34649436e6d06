/**
 * Cursors of the list of workflows. A cursor contains the id of the last workflow, the order if it is not the default,
 * and the name in an order by name, so that the list continues after a workflow that was renamed or deleted.
 */
import { isId } from '../core/ids.ts'
import { invalidCursor } from '../core/pagination.ts'
import type { WorkflowSort } from './schema.ts'
import type { WorkflowPage } from './sql.ts'

const hasName = (sort: WorkflowSort): boolean => sort === 'name' || sort === 'name_descending'

export const encodeCursor = (sort: WorkflowSort, { id, name }: { id: string; name: string }): string =>
  Buffer.from([id, ...(sort === 'newest' ? [] : [sort]), ...(hasName(sort) ? [name] : [])].join(' ')).toString(
    'base64url',
  )

/** Decodes a cursor of a list in this order. Rejects any other cursor. */
export const decodeCursor = (sort: WorkflowSort, cursor: string): NonNullable<WorkflowPage['after']> => {
  const [id = '', order, ...words] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const name = words.join(' ')
  // PostgreSQL stores no U+0000.
  if (isId(id) && (order ?? 'newest') === sort && !name.includes('\0') && encodeCursor(sort, { id, name }) === cursor)
    return { id, name }
  throw invalidCursor()
}
