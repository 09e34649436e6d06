/** What lets somebody in who has lost their second factor: ten codes, each good once, of which hashes are kept. */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'

const count = 10
/** 32, without those that are taken for one another. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const parts = 4
const lettersOfPart = 4

/** 80 bits each: nobody guesses one, also not from its hash. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode)

const newCode = (): string => Array.from({ length: parts }, newPart).join('-')

const newPart = (): string => [...randomBytes(lettersOfPart)].map(byte => letters[byte % letters.length]).join('')

/** However it was typed; null for what cannot be one. */
export const recoveryHashOf = (typed: string): string | null => {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const isOne = code.length === parts * lettersOfPart && [...code].every(letter => letters.includes(letter))
  return isOne ? hashSecret(code) : null
}
