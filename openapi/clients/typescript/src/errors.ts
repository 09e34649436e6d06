/** Errors of the service as exceptions. */

interface ErrorBody {
  error: { code: string; message: string; details?: Record<string, string> }
  request_id?: string
}

/** An error response. `code` is for programs, `message` for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly status: number,
    /** Code of contract 5.2, or null if the response is not of the service, for example of a proxy. */
    readonly code: string | null,
    message: string,
    /** ID for reports, or null. */
    readonly requestId: string | null,
    /** Path of each wrong field with the reason, and further details of some errors. */
    readonly details: Record<string, string>,
  ) {
    super(message)
  }

  /** Reads the parsed body of an error response. */
  static of(status: number, body: unknown): ApiError {
    if (!isErrorBody(body)) return new ApiError(status, null, `The response has status ${status}.`, null, {})
    const { code, message, details } = body.error
    return new ApiError(status, code, message, body.request_id ?? null, details ?? {})
  }
}

interface Result {
  data?: unknown
  error?: unknown
  response: Response
}

/** Type of the body of a successful response. */
type DataOf<R extends Result> = [Exclude<R['data'], undefined>] extends [never]
  ? undefined
  : Exclude<R['data'], undefined>

/** Returns the body of a successful response. Throws ApiError for any other. */
export const orThrow = <R extends Result>(result: R): DataOf<R> => {
  if (!result.response.ok) throw ApiError.of(result.response.status, result.error)
  return result.data as DataOf<R>
}

const isErrorBody = (body: unknown): body is ErrorBody => {
  const { error } = (body ?? {}) as Partial<ErrorBody>
  return typeof error?.code === 'string' && typeof error.message === 'string'
}
