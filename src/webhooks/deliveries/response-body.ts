/** Reads the beginning of a receiver's response body. */
import type { RawResponse } from '../../platform/runtime.ts'

/** Maximum number of body bytes that are read. If more follow, the connection is closed. */
const maxReadBytes = 64 * 1024

/** Maximum number of body bytes that are stored, for the delivery history. */
const maxStoredBytes = 1024

/**
 * Returns the beginning of the body as text that can be stored. An error in the body does not change the result of the
 * attempt. The body is always read to the end or cancelled, because an unread body keeps its connection open.
 */
export const readResponseBody = async (response: RawResponse): Promise<string> => {
  try {
    return isShort(response.headers) ? await readFull(response) : await readChunks(response)
  } catch {
    return ''
  }
}

/**
 * Returns whether the body is known to be within the limit. HTTP enforces a declared length, except for a chunked body.
 */
const isShort = (headers: Headers): boolean => {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= maxReadBytes && !headers.has('transfer-encoding')
}

/** Fast path for nearly every receiver. A stream reader would double the cost of an attempt. */
const readFull = async (response: RawResponse): Promise<string> =>
  decode(new Uint8Array(await response.arrayBuffer()).subarray(0, maxStoredBytes))

const readChunks = async (response: RawResponse): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  let prefix = new Uint8Array(0)
  let received = 0
  try {
    while (received < maxReadBytes) {
      const { done, value } = await reader.read()
      if (done) return decode(prefix)
      received += value.byteLength
      if (prefix.byteLength < maxStoredBytes) prefix = append(prefix, value)
    }
  } catch {
    return decode(prefix)
  }
  reader.cancel().catch(() => {})
  return decode(prefix)
}

const append = (head: Uint8Array<ArrayBuffer>, tail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  if (head.byteLength === 0) return tail.subarray(0, maxStoredBytes)
  const result = new Uint8Array(Math.min(head.byteLength + tail.byteLength, maxStoredBytes))
  result.set(head)
  result.set(tail.subarray(0, result.byteLength - head.byteLength), head.byteLength)
  return result
}

/**
 * Decodes the bytes. PostgreSQL stores neither invalid UTF-8 nor U+0000, so both become U+FFFD. An incomplete character
 * at the cut is removed: with `stream: true` the decoder holds it back.
 */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: bytes.byteLength === maxStoredBytes }).replaceAll('\0', '\ufffd')
