/** Maps a DomainError to an HTTP answer: one status per code and one body format (contract 5.1, contract 5.2). */
import { isBarred, isConnectionError, isDiskFull, isOverload, isReadOnly } from '../db/client.ts'
import { OutOfTime } from '../db/lend.ts'
import { LineFull } from '../db/line.ts'
import {
  DomainError,
  type ErrorCode,
  HeldUp,
  OutcomeUnknown,
  type RefusalText,
  TryLaterError,
  textOf,
  tryLater,
  type UnavailableReason,
} from '../domain/errors.ts'
import { LimiterFull } from '../platform/keyed-limiter.ts'
import { AnswersFull } from './answers.ts'
import { credentialWanted } from './headers.ts'

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
export const statusFor = (refusal: DomainError): number =>
  refusal instanceof TryLaterError && refusal.code === 'internal_error' ? 503 : statusOf[refusal.code]

/** Returns the headers of an error answer. */
export const headersFor = (refusal: DomainError): Record<string, string> | undefined => {
  if (refusal instanceof TryLaterError) return { 'Retry-After': String(refusal.retryAfterSeconds) }
  if (refusal.code === 'unauthorized') return credentialWanted
  return refusal instanceof HttpError ? refusal.headers : undefined
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

/** Thrown when the database stopped responding during a call. `changes` is true if the call may have changed data. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent'

  constructor(readonly changes: boolean) {
    super('the database does not answer')
  }
}

export interface Envelope {
  error: RefusalText
  request_id: string
}

/** Converts any failure into the error that the caller may see. The text of an internal fault goes only to the log. */
export const refusalOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error
  if (error instanceof OutcomeUnknown && !error.repeatable) return new DomainError('internal_error', error.message)
  const passing = whatPasses(error)
  if (passing !== null) return tryLater('internal_error', passing.message, waitSeconds, passing.reason)
  return new DomainError(
    'internal_error',
    'Something went wrong on our side. Try again with backoff, and quote request_id to support.',
  )
}

/** Value of `Retry-After` in seconds. It lets other calls run first. */
const waitSeconds = 1

/** Returns message and reason of a temporary failure. Null for an internal fault. */
const whatPasses = (error: unknown): { message: string; reason: UnavailableReason } | null => {
  const overload = whatIsOverloaded(error)
  if (overload !== null) return { message: overload, reason: 'overloaded' }
  const unavailable = whatIsUnavailable(error)
  return unavailable === null ? null : { message: unavailable, reason: 'database_unavailable' }
}

const whatIsOverloaded = (error: unknown): string | null => {
  if (error instanceof AnswersFull)
    return 'Too many large answers are on their way to the workspace; ask for fewer of them at once.'
  if (error instanceof LineFull) return 'Too many calls are waiting for the database; send fewer of them at once.'
  if (error instanceof LimiterFull)
    return 'Too many calls of this kind are waiting in the workspace or the service; send fewer of them at once.'
  if (error instanceof OutOfTime)
    return 'Reading this took too long and was given up; if it is a list, narrow it by filters or a smaller limit.'
  if (error instanceof HeldUp) return error.message
  if (!isConnectionError(error) && !isDiskFull(error) && isOverload(error))
    return 'The database is too busy at the moment, or holds something back that is needed here.'
  return null
}

const whatIsUnavailable = (error: unknown): string | null => {
  if (error instanceof OutcomeUnknown) return error.message
  if (error instanceof DatabaseSilent)
    return `The database does not answer. ${error.changes ? 'The request may or may not have been carried out: repeat it only where that does no harm, as with an idempotencyKey.' : ''}`.trim()
  if (isDiskFull(error)) return 'The disk of the database is full, and nothing was written.'
  if (isConnectionError(error) || isBarred(error)) return 'The service cannot reach its database at the moment.'
  return isReadOnly(error) ? 'The database takes no writes at the moment.' : null
}

/** Returns the body of an error answer. */
export const envelopeOf = (refusal: DomainError, requestId: string): Envelope => ({
  error: textOf(refusal),
  request_id: requestId,
})
