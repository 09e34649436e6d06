/** Optimistic locking: a change that is made for one version of a record, by the header If-Match. */
import type { Ctx } from './context.ts'
import { DomainError } from './errors.ts'

/** The entity tag of a record: the time of its latest change, in quotation marks. */
export const tagOf = (updatedAt: Date | string): string =>
  `"${typeof updatedAt === 'string' ? updatedAt : updatedAt.toISOString()}"`

/**
 * Fails with 409 when the caller sent If-Match and the record has another version. Call it with a row that is locked until
 * the transaction ends: the change is then made to the version that was compared.
 */
export const requireVersion = ({ ifMatch }: Ctx, { updatedAt }: { updatedAt: Date }): void => {
  const version = tagOf(updatedAt)
  if (!ifMatch || ifMatch.includes(version)) return
  throw new DomainError(
    'conflict',
    'The record was changed after you read it. Read it again, and send its ETag as If-Match.',
    { version },
  )
}
