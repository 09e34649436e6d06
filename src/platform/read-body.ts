/** Reads the body of an HTTP response with a limit. */

/**
 * Returns the whole body, or an empty one for null. Throws if it has more than `maxBytes`. An abort of `signal`, and a
 * body that is too long, close the connection.
 */
export const readBody = async (
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> => {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    const chunks: Uint8Array[] = []
    let received = 0
    for (;;) {
      const { done, value } = await reader.read()
      // An abort ends the body as if it were complete.
      signal.throwIfAborted()
      if (done) return new Uint8Array(Buffer.concat(chunks))
      received += value.byteLength
      if (received > maxBytes) {
        cancel()
        throw new Error('The response is too long.')
      }
      chunks.push(value)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
