/** What is read, and kept, of what a receiver answers. */
import type { Answer } from '../../platform/runtime.ts'

/** Bytes of a body that are read; with more to come, the connection is given up. */
const maxReadBytes = 64 * 1024

/** Bytes of a body that are kept for the person who looks into the delivery. */
const maxKeptBytes = 1024

/**
 * The beginning of the body as text that can be stored. However the body ends, the answer stands. It is read to the
 * end or cancelled, because a body left alone keeps its connection for good.
 */
export const readBeginning = async (response: Answer): Promise<string> => {
  try {
    return isShort(response.headers) ? await readWhole(response) : await readByChunks(response)
  } catch {
    return ''
  }
}

/**
 * Whether the body is known not to exceed the limit. A declared length binds the connection, unless the body is sent
 * in chunks, which then says where it ends.
 */
const isShort = (headers: Headers): boolean => {
  const length = headers.get('content-length')
  return length !== null && Number(length) <= maxReadBytes && !headers.has('transfer-encoding')
}

/** For nearly every receiver: a reader costs as much again as the rest of an attempt. */
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
 * PostgreSQL stores neither invalid UTF-8 nor U+0000: both become U+FFFD. Of what was cut off, a character whose end is
 * missing goes: a decoder that is told that more follows keeps it to itself.
 */
const storable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes, { stream: bytes.byteLength === maxKeptBytes }).replaceAll('\0', '\ufffd')
