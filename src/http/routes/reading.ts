import type { Lender } from '../../db/lend.ts'
import type { Reading } from '../../domain/context.ts'

/** Acquires a connection for reading, in the share of the workspace. Waiting ends when the request is aborted. */
export const readingFor =
  (request: Request, reads: Lender): Reading =>
  (who, work) =>
    reads.lend({ who, signal: request.signal }, work)
