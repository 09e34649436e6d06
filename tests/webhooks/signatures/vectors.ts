/** The contents of tests/vectors/signatures.json: signatures and expected results, for tests in any language. */
import { resolve } from 'node:path'
import file from '../../vectors/signatures.json' with { type: 'json' }

export interface Vector {
  name: string
  secret: string
  /** Value of X-Service-Signature. Null if the header is missing. */
  header: string | null
  body: string
  /** Time of receipt in Unix seconds. */
  now: number
  valid: boolean
  /** Code of the first problem. Null if the signature is valid. */
  reason: string | null
  /** Input that produces the header. Missing if no signer would write it. */
  signed?: { t: number; secrets: string[] }
}

export const vectorsPath = resolve(import.meta.dirname, '../../vectors/signatures.json')
export const vectors: readonly Vector[] = file.vectors
