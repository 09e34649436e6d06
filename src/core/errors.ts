/** Error codes that a caller can receive (contract 5.2). src/api/errors.ts maps each code to an HTTP status. */
export const errorCodes = [
  'invalid_request',
  'malformed_request',
  'unauthorized',
  'forbidden',
  'feature_not_available',
  'plan_limit_reached',
  'not_found',
  'method_not_allowed',
  'conflict',
  'unsupported_media_type',
  'unprocessable',
  'rate_limited',
  'internal_error',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** Maps the path of a field (`optIn.evidence`, `events.0`, `body`) to a sentence that says how to fix it. */
export type Details = Record<string, string>

/** An error of the public interface. Its message and details are written for the caller. */
export class DomainError extends Error {
  override readonly name = 'DomainError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Details,
  ) {
    super(message)
  }
}

/** Codes of temporary errors. */
type TemporaryCode = Extract<ErrorCode, 'rate_limited' | 'internal_error'>

/**
 * `details.reason` of a 503. `overloaded`: a limit of this service or of its database is reached.
 * `database_unavailable`: the database cannot be reached, or accepts no writes.
 */
export type UnavailableReason = 'overloaded' | 'database_unavailable'

/**
 * A temporary error: the same request can succeed after `retryAfterSeconds`. The status is 503 (our fault) or 429 (too
 * many calls).
 */
export class RetryLaterError extends DomainError {
  constructor(
    code: TemporaryCode,
    message: string,
    /** Whole number of seconds, at least 1. */
    readonly retryAfterSeconds: number,
    reason?: UnavailableReason,
  ) {
    super(code, message, reason && { reason })
  }
}

/**
 * Returns a 429, or a 503 with the code `internal_error` and the reason. The message does not contain the wait, which
 * is only in the header. Errors that differ only in their wait are therefore grouped as one.
 */
export const retryLater = (
  code: TemporaryCode,
  message: string,
  seconds: number,
  reason?: UnavailableReason,
): RetryLaterError =>
  new RetryLaterError(
    code,
    `${message} Retry after the number of seconds in the Retry-After header.`,
    Math.max(1, Math.ceil(seconds)),
    reason,
  )

/** Returns a 503: a limit of this service is reached, and nothing was done. */
export const overloaded = (message: string, seconds: number): RetryLaterError =>
  retryLater('internal_error', message, seconds, 'overloaded')

/** The public part of an error. */
export type PublicError = Pick<DomainError, 'code' | 'message' | 'details'>

export const toPublicError = ({ code, message, details }: DomainError): PublicError =>
  details ? { code, message, details } : { code, message }

/**
 * Returns a 400 for one or more fields. The message repeats the first field, so that a log entry is useful without the
 * details.
 */
export const invalidRequest = (details: Details): DomainError => {
  const [field, reason] = Object.entries(details)[0] ?? ['body', 'The request is not valid.']
  return new DomainError('invalid_request', field === 'body' ? reason : `${field}: ${reason}`, details)
}

/**
 * Returns a 404 for any record. The message is the same for unknown records, erased records and records of another
 * workspace.
 */
export const notFound = (noun: string): DomainError =>
  new DomainError('not_found', `No such ${noun} in this workspace.`)

/**
 * Thrown when the connection to the database broke during a write, so the result is unknown. It is an internal fault,
 * not a DomainError, but its message is written for the caller.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(
    message: string,
    /** True if the operation is idempotent: repeating it unchanged has no second effect. */
    readonly isIdempotent: boolean,
    options: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Thrown when a lock wait took too long. Nothing was done, and a retry shortly afterwards can succeed. It is not a
 * DomainError, but its message is written for the caller.
 */
export class LockConflict extends Error {
  override readonly name = 'LockConflict'
}
