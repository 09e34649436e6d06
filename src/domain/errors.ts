/**
 * Every refusal the service knows, by the code its reader sees (contract 5.2).
 * The status of each code is the HTTP door's business: http/errors.ts.
 */
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

/** A field's path (`optIn.evidence`, `events.0`, `body`) to a sentence a person can act on. */
export type Details = Record<string, string>

/** A refusal that is part of the interface: its message and details are written for the caller. */
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

/** The codes of refusals that pass. */
type PassingCode = Extract<ErrorCode, 'rate_limited' | 'internal_error'>

/**
 * `details.reason` of a 503. `overloaded`: a limit of this service or of its database is reached. `database_unavailable`:
 * the database cannot be reached, or accepts no writes.
 */
export type UnavailableReason = 'overloaded' | 'database_unavailable'

/** A refusal for now: the same request may do after so many seconds. Ours (503) or because of too many calls (429). */
export class TryLaterError extends DomainError {
  constructor(
    code: PassingCode,
    message: string,
    /** Whole, and at least 1. */
    readonly retryAfterSeconds: number,
    reason?: UnavailableReason,
  ) {
    super(code, message, reason && { reason })
  }
}

/**
 * 429, or 503 with the code `internal_error` and the reason. The wait is in the header alone: refusals that differ in
 * nothing else are one problem.
 */
export const tryLater = (
  code: PassingCode,
  message: string,
  seconds: number,
  reason?: UnavailableReason,
): TryLaterError =>
  new TryLaterError(
    code,
    `${message} Wait as many seconds as the header Retry-After says.`,
    Math.max(1, Math.ceil(seconds)),
    reason,
  )

/** 503 because a limit of this service is reached; nothing was done. */
export const overloaded = (message: string, seconds: number): TryLaterError =>
  tryLater('internal_error', message, seconds, 'overloaded')

/** What its reader sees of a refusal. */
export type RefusalText = Pick<DomainError, 'code' | 'message' | 'details'>

export const textOf = ({ code, message, details }: DomainError): RefusalText =>
  details ? { code, message, details } : { code, message }

/** 400 for one or more fields; the message repeats the first so that a log line alone is useful. */
export const invalidRequest = (details: Details): DomainError => {
  const [field, reason] = Object.entries(details)[0] ?? ['body', 'The request is not valid.']
  return new DomainError('invalid_request', field === 'body' ? reason : `${field}: ${reason}`, details)
}

/** 404 for any record: one sentence for "never existed", "erased" and "another workspace's". */
export const notFound = (noun: string): DomainError =>
  new DomainError('not_found', `No such ${noun} in this workspace.`)

/**
 * Nobody knows whether it was done: the connection to the database broke over it. No refusal but a fault, with a message
 * that is written for the caller.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(
    message: string,
    /** Done again as it was, it is done once all the same. */
    readonly repeatable: boolean,
    options: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * Somebody else held what is needed, for longer than anybody waits for it; nothing was done. No refusal, but over in a
 * moment, with a message that is written for the caller.
 */
export class HeldUp extends Error {
  override readonly name = 'HeldUp'
}
