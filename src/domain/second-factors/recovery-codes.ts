/** Recovery codes for users who have lost their second factor: ten codes, each valid once. Only hashes are stored. */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'

const count = 10
/** 32 characters, without those that look alike. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const parts = 4
const lettersOfPart = 4

/** Generates codes of 80 bits each, which cannot be guessed, even from their hashes. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode)

const newCode = (): string => Array.from({ length: parts }, newPart).join('-')

const newPart = (): string => [...randomBytes(lettersOfPart)].map(byte => letters[byte % letters.length]).join('')

/** Normalizes a typed code and returns its hash; null if it is not a recovery code. */
export const recoveryHashOf = (typed: string): string | null => {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const isOne = code.length === parts * lettersOfPart && [...code].every(letter => letters.includes(letter))
  return isOne ? hashSecret(code) : null
}
