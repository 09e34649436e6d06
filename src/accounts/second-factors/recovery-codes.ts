/** Recovery codes for users who have lost their second factor: ten codes, each valid once. Only hashes are stored. */
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../core/secrets.ts'

const codeCount = 10
/** 32 characters, without those that look alike. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const groupCount = 4
const groupLength = 4

/** Generates codes of 80 bits each, which cannot be guessed, even from their hashes. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codeCount }, newCode)

const newCode = (): string => Array.from({ length: groupCount }, newGroup).join('-')

const newGroup = (): string => [...randomBytes(groupLength)].map(byte => letters[byte % letters.length]).join('')

/** Normalizes a typed code and returns its hash; null if it is not a recovery code. */
export const hashRecoveryCode = (input: string): string | null => {
  const code = input.toLowerCase().replaceAll(/[\s-]/g, '')
  const isRecoveryCode = code.length === groupCount * groupLength && [...code].every(letter => letters.includes(letter))
  return isRecoveryCode ? hashSecret(code) : null
}
