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

/** A vector of Standard Webhooks. */
export interface StandardVector extends Omit<Vector, 'header' | 'signed'> {
  headers: Record<string, string>
  /** Input that produces the headers. Missing if no signer would write them. */
  signed?: { id: string; t: number; secrets: string[] }
}

export const vectorsPath = resolve(import.meta.dirname, '../../vectors/signatures.json')
export const vectors: readonly Vector[] = file.vectors
/** Headers that a vector does not have are missing in the file, which its type cannot express. */
export const standardVectors = file.standard as readonly object[] as readonly StandardVector[]
