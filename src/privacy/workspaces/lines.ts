import { maxLineBytes } from './format.ts'
import { TransferError } from './transfer-error.ts'

/**
 * Yields the lines of a file without their line breaks. Also yields a last line without one, which can be incomplete.
 * Throws TransferError for a line over 16 MiB, and for text that is not UTF-8.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let bytes = 0
  let number = 1
  const take = (): string => {
    const line = decode(Buffer.concat(parts), number++)
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(lineBreak, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      bytes += part.length
      if (bytes > maxLineBytes) throw new TransferError(`Line ${number} of the file is longer than 16 MiB.`)
      parts.push(part)
      if (end >= 0) yield take()
      from += part.length + 1
    }
  if (bytes > 0) yield take()
}

const lineBreak = 10

const decode = (bytes: Uint8Array, number: number): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new TransferError(`Line ${number} of the file is not valid UTF-8.`)
  }
}
