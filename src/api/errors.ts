/** Maps a DomainError to an HTTP answer: one status per code and one body format (contract 5.1, contract 5.2). */

import {
  DomainError,
  type ErrorCode,
  LockConflict,
  OutcomeUnknown,
  type PublicError,
  RetryLaterError,
  retryLater,
  toPublicError,
  type UnavailableReason,
} from '../core/errors.ts'
import { LimiterFull } from '../platform/keyed-limiter.ts'
import {
  isAccessDenied,
  isConnectionError,
  isDiskFull,
  isMoving,
  isOverload,
  isReadOnly,
} from '../platform/postgres/client.ts'
import { ReadTimeout } from '../platform/postgres/limited-pool.ts'
import { authenticateHeader } from './headers.ts'

/** HTTP status of each error code. */
export const statusOf: Record<ErrorCode, number> = {
  invalid_request: 400,
  malformed_request: 400,
  unauthorized: 401,
  forbidden: 403,
  feature_not_available: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  plan_limit_reached: 409,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal_error: 500,
}

/** Returns the HTTP status of an error. A temporary failure of the service is 503. */
export const statusFor = (error: DomainError): number =>
  error instanceof RetryLaterError && error.code === 'internal_error' ? 503 : statusOf[error.code]

/** Returns the headers of an error answer. */
export const headersFor = (error: DomainError): Record<string, string> | undefined => {
  if (error instanceof RetryLaterError) return { 'Retry-After': String(error.retryAfterSeconds) }
  if (error.code === 'unauthorized') return authenticateHeader
  return error instanceof HttpError ? error.headers : undefined
}

/** An error with additional headers, such as `Allow`. */
export class HttpError extends DomainError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly headers: Record<string, string>,
  ) {
    super(code, message)
  }
}

/** Thrown when the database stopped responding during a call. `isWrite` is true if the call may have changed data. */
export class DatabaseUnresponsive extends Error {
  override readonly name = 'DatabaseUnresponsive'

  constructor(readonly isWrite: boolean) {
    super('the database does not respond')
  }
}

export interface Envelope {
  error: PublicError
  request_id: string
}

/** Converts any failure into the error that the caller may see. The text of an internal fault goes only to the log. */
export const domainErrorOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error
  if (error instanceof OutcomeUnknown && !error.isIdempotent) return new DomainError('internal_error', error.message)
  const temporary = temporaryFailureOf(error)
  if (temporary !== null) return retryLater('internal_error', temporary.message, waitSeconds, temporary.reason)
  return new DomainError(
    'internal_error',
    'An internal error occurred. Retry with backoff. If it persists, contact support with the request_id.',
  )
}

/** Value of `Retry-After` in seconds. It lets other calls run first. */
const waitSeconds = 1

/** Returns message and reason of a temporary failure. Null for an internal fault. */
const temporaryFailureOf = (error: unknown): { message: string; reason: UnavailableReason } | null => {
  if (isMoving(error))
    return { message: 'The workspace is being moved to another database.', reason: 'database_unavailable' }
  const overload = overloadMessageOf(error)
  if (overload !== null) return { message: overload, reason: 'overloaded' }
  const unavailable = unavailableMessageOf(error)
  return unavailable === null ? null : { message: unavailable, reason: 'database_unavailable' }
}

const overloadMessageOf = (error: unknown): string | null => {
  if (error instanceof LimiterFull) return error.message
  if (error instanceof ReadTimeout)
    return 'The read took too long and was cancelled. For a list, use filters or a smaller limit.'
  if (error instanceof LockConflict) return error.message
  if (!isConnectionError(error) && !isDiskFull(error) && isOverload(error))
    return 'The database is overloaded, or a required record is locked.'
  return null
}

const unavailableMessageOf = (error: unknown): string | null => {
  if (error instanceof OutcomeUnknown) return error.message
  if (error instanceof DatabaseUnresponsive)
    return `The database does not respond. ${error.isWrite ? 'The request may have been executed. Repeat it only if that is safe, for example with an idempotencyKey.' : ''}`.trim()
  if (isDiskFull(error)) return 'The disk of the database is full, and nothing was written.'
  if (isConnectionError(error) || isAccessDenied(error)) return 'The database is unavailable.'
  return isReadOnly(error) ? 'The database does not accept writes.' : null
}

/** Returns the body of an error answer. */
export const envelopeOf = (error: DomainError, requestId: string): Envelope => ({
  error: toPublicError(error),
  request_id: requestId,
})
