/** Optimistic locking with the `If-Match` header. */
import type { Ctx } from './context.ts'
import { DomainError } from './errors.ts'

/** Returns the entity tag of a record: the time of its latest change in quotation marks. */
export const etagOf = (updatedAt: Date | string): string =>
  `"${typeof updatedAt === 'string' ? updatedAt : updatedAt.toISOString()}"`

/**
 * Throws a 409 if the caller sent `If-Match` and the record has another version. The row must be locked until the
 * transaction ends, so that the compared version is the one changed.
 */
export const requireVersion = ({ ifMatch }: Ctx, { updatedAt }: { updatedAt: Date }): void => {
  const version = etagOf(updatedAt)
  if (!ifMatch || ifMatch.includes(version)) return
  throw new DomainError(
    'conflict',
    'The record was changed after you read it. Read it again, and send its new ETag as If-Match.',
    { version },
  )
}
