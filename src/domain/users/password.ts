/**
 * Hashes passwords with scrypt (node:crypto), which runs off the main thread. Each hash starts with its parameters, so
 * that old hashes stay valid when the parameters are raised.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { invalidRequest } from '../errors.ts'
import { isCommon } from './common-passwords.ts'
import { type Asker, hashLine } from './hash-line.ts'

const cost = { N: 32768, r: 8, p: 3 }
const keyLength = 32

/** Length limits of a new password in characters. Existing passwords stay valid. */
const length = { min: 12, max: 1000 }

export const passwordLength = `Must have ${length.min} to ${length.max} characters.`

/** Returns the fault of a new password as a sentence; null if it is acceptable. */
export const weaknessOf = async (given: string): Promise<string | null> => {
  const password = asKept(given)
  const characters = [...password].length
  if (characters < length.min || [...given].length > length.max) return passwordLength
  if (await isCommon(password, length.min)) return 'Is one of the most common passwords. Choose another.'
  return null
}

/** Throws 400 under the given field name if a new password is not acceptable. */
export const judgePassword = async (password: string, field = 'password'): Promise<void> => {
  const weakness = await weaknessOf(password)
  if (weakness !== null) throw invalidRequest({ [field]: weakness })
}

/**
 * Returns `scrypt$N$r$p$salt$hash`, the last two in base64url. Waits in the hash queue, under the network of `asker` if
 * given.
 */
export const hashPassword = async (password: string, asker: Asker | null = null): Promise<string> => {
  const salt = randomBytes(16)
  return hashText(salt, await hashLine.pass(asker, () => derive(password, salt, cost)))
}

/**
 * Returns whether the password matches the hash. Without a hash (unknown address) it takes the same time and returns
 * false, so that timing does not reveal which addresses exist.
 */
export const verifyPassword = async (password: string, hash: string | null, asker: Asker): Promise<boolean> => {
  const [, N, r, p, salt, expected] = (hash ?? nobodysHash).split('$')
  const costs = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await hashLine.pass(asker, () => derive(password, Buffer.from(salt ?? '', 'base64url'), costs))
  return timingSafeEqual(given, Buffer.from(expected ?? '', 'base64url')) && hash !== null
}

const hashText = (salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')

/**
 * A random value, not a derived hash. Deriving it for the first unknown address would double the time and reveal it.
 */
const nobodysHash = hashText(randomBytes(16), randomBytes(keyLength))

/** Applies NFKC, because different keyboards can produce different Unicode forms of the same password. */
const asKept = (password: string): string => password.normalize('NFKC')

const derive = (password: string, salt: Buffer, { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(asKept(password), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
