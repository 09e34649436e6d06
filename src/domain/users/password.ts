/**
 * Passwords as scrypt hashes, by node:crypto, which does the work off the main thread.
 * The parameters stand in front of each hash, so that raising them later leaves old hashes readable.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { invalidRequest } from '../errors.ts'
import { isCommon } from './common-passwords.ts'
import { type Asker, hashLine } from './hash-line.ts'

const cost = { N: 32768, r: 8, p: 3 }
const keyLength = 32

/** Characters of a password that is chosen now; those that exist go on. */
const length = { min: 12, max: 1000 }

export const passwordLength = `Must have ${length.min} to ${length.max} characters.`

/** What is wrong with a password that somebody chooses, as a sentence; null where it will do. */
export const weaknessOf = async (given: string): Promise<string | null> => {
  const password = asKept(given)
  const characters = [...password].length
  if (characters < length.min || [...given].length > length.max) return passwordLength
  if (await isCommon(password, length.min)) return 'Is one of the most common passwords. Choose another.'
  return null
}

/** Refuses a password that nobody may choose any more (400), under the name of the field it came in. */
export const judgePassword = async (password: string, field = 'password'): Promise<void> => {
  const weakness = await weaknessOf(password)
  if (weakness !== null) throw invalidRequest({ [field]: weakness })
}

/** `scrypt$N$r$p$salt$hash`, the last two base64url. Waits in the line, for `asker` where somebody asked over the network. */
export const hashPassword = async (password: string, asker: Asker | null = null): Promise<string> => {
  const salt = randomBytes(16)
  return hashText(salt, await hashLine.pass(asker, () => derive(password, salt, cost)))
}

/**
 * True when the password made this hash. Without a hash (nobody has that address) it waits and works just as long and
 * says no: time must not tell which addresses exist.
 */
export const verifyPassword = async (password: string, hash: string | null, asker: Asker): Promise<boolean> => {
  const [, N, r, p, salt, expected] = (hash ?? nobodysHash).split('$')
  const costs = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await hashLine.pass(asker, () => derive(password, Buffer.from(salt ?? '', 'base64url'), costs))
  return timingSafeEqual(given, Buffer.from(expected ?? '', 'base64url')) && hash !== null
}

const hashText = (salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')

/** Made of nothing, not derived: making it at the first unknown address would take as long again, and tell. */
const nobodysHash = hashText(randomBytes(16), randomBytes(keyLength))

/** NFKC: the same password typed on another keyboard may arrive in another Unicode form. */
const asKept = (password: string): string => password.normalize('NFKC')

const derive = (password: string, salt: Buffer, { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(asKept(password), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
