/** Reads the beginning of a receiver's response body. */
import type { Answer } from '../../platform/runtime.ts'

/** Maximum number of body bytes that are read. If more follow, the connection is closed. */
const maxReadBytes = 64 * 1024

/** Maximum number of body bytes that are stored, for the delivery history. */
const maxKeptBytes = 1024

/**
 * Returns the beginning of the body as text that can be stored. An error in the body does not change the result of the
 * attempt. The body is always read to the end or cancelled, because an unread body keeps its connection open.
 */
export const readBeginning = async (response: Answer): Promise<string> => {
  try {
    return isShort(response.headers) ? await readWhole(response) : await readByChunks(response)
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
const readWhole = async (response: Answer): Promise<string> =>
  storable(new Uint8Array(await response.arrayBuffer()).subarray(0, maxKeptBytes))

const readByChunks = async (response: Answer): Promise<string> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  let beginning = new Uint8Array(0)
  let received = 0
  try {
    while (received < maxReadBytes) {
      const { done, value } = await reader.read()
      if (done) return storable(beginning)
      received += value.byteLength
      if (beginning.byteLength < maxKeptBytes) beginning = joined(beginning, value)
    }
  } catch {
    return storable(beginning)
  }
  reader.cancel().catch(() => {})
  return storable(beginning)
}

const joined = (head: Uint8Array<ArrayBuffer>, tail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  if (head.byteLength === 0) return tail.subarray(0, maxKeptBytes)
  const whole = new Uint8Array(Math.min(head.byteLength + tail.byteLength, maxKeptBytes))
  whole.set(head)
  whole.set(tail.subarray(0, whole.byteLength - head.byteLength), head.byteLength)
  return whole
}

/**
 * Decodes the bytes. PostgreSQL stores neither invalid UTF-8 nor U+0000, so both become U+FFFD. An incomplete character
 * at the cut is removed: with `stream: true` the decoder holds it back.
 */
const storable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: bytes.byteLength === maxKeptBytes }).replaceAll('\0', '\ufffd')
