/**
 * Thrown when the embedded PostgreSQL cannot be used. The message is one sentence for the person who starts the
 * service.
 */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** Returns the code of a system or database error (`ENOENT`, `42P04`). Undefined for other values. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Converts any error during the use of `folder` into a sentence that says what to do. */
export const toStartError = (error: unknown, folder: string): EmbeddedPostgresError => {
  if (error instanceof EmbeddedPostgresError) return error
  const reason = error instanceof Error ? error.message : String(error)
  const advice = ['EACCES', 'EPERM'].includes(codeOf(error) ?? '')
    ? '; run the service as its owner, choose another DATA_DIR, or set DATABASE_URL'
    : ''
  return new EmbeddedPostgresError(`The embedded PostgreSQL cannot be used in ${folder}: ${reason}${advice}.`, {
    cause: error,
  })
}
