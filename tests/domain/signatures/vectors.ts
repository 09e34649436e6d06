/** tests/vectors/signatures.json: signatures and what is to be made of them, for tests in any language. */
import { resolve } from 'node:path'
import file from '../../vectors/signatures.json' with { type: 'json' }

export interface Vector {
  name: string
  secret: string
  /** The value of X-Service-Signature; null = it is missing. */
  header: string | null
  body: string
  /** Unix seconds at which it came in. */
  now: number
  valid: boolean
  /** The first problem found; null where it is valid. */
  reason: string | null
  /** What makes the header; absent where no signer would write it. */
  signed?: { t: number; secrets: string[] }
}

export const vectorsPath = resolve(import.meta.dirname, '../../vectors/signatures.json')
export const vectors: readonly Vector[] = file.vectors
