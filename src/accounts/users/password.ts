/**
 * Hashes passwords with scrypt (node:crypto), which runs off the main thread. Each hash starts with its parameters, so
 * that old hashes stay valid when the parameters are raised.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { invalidRequest } from '../../core/errors.ts'
import { isCommon } from './common-passwords.ts'
import { hashLimiter, type Requester } from './hash-limiter.ts'

const cost = { N: 32768, r: 8, p: 3 }
const keyLength = 32

/** Length limits of a new password in characters. Existing passwords stay valid. */
export const passwordLimits = { min: 12, max: 1000 }

export const passwordLengthMessage = `Must have ${passwordLimits.min} to ${passwordLimits.max} characters.`

/** Returns the fault of a new password as a sentence; null if it is acceptable. */
export const findWeakness = async (candidate: string): Promise<string | null> => {
  const password = normalizePassword(candidate)
  const characters = [...password].length
  if (characters < passwordLimits.min || [...candidate].length > passwordLimits.max) return passwordLengthMessage
  if (await isCommon(password, passwordLimits.min))
    return 'Is one of the most common passwords. Choose another password.'
  return null
}

/** Throws 400 under the given field name if a new password is not acceptable. */
export const validatePassword = async (password: string, field = 'password'): Promise<void> => {
  const weakness = await findWeakness(password)
  if (weakness !== null) throw invalidRequest({ [field]: weakness })
}

/**
 * Returns `scrypt$N$r$p$salt$hash`, the last two in base64url. Waits in the hash queue, under the network of `requester` if
 * given.
 */
export const hashPassword = async (password: string, requester: Requester | null = null): Promise<string> => {
  const salt = randomBytes(16)
  return formatHash(salt, await hashLimiter.run(requester, () => derive(password, salt, cost)))
}

/**
 * Returns whether the password matches the hash. Without a hash (unknown address) it takes the same time and returns
 * false, so that timing does not reveal which addresses exist.
 */
export const verifyPassword = async (password: string, hash: string | null, requester: Requester): Promise<boolean> => {
  const [, N, r, p, salt, expected] = (hash ?? dummyHash).split('$')
  const costs = { N: Number(N), r: Number(r), p: Number(p) }
  const candidate = await hashLimiter.run(requester, () =>
    derive(password, Buffer.from(salt ?? '', 'base64url'), costs),
  )
  return timingSafeEqual(candidate, Buffer.from(expected ?? '', 'base64url')) && hash !== null
}

const formatHash = (salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')

/**
 * A random value, not a derived hash. Deriving it for the first unknown address would double the time and reveal it.
 */
const dummyHash = formatHash(randomBytes(16), randomBytes(keyLength))

/** Applies NFKC, because different keyboards can produce different Unicode forms of the same password. */
const normalizePassword = (password: string): string => password.normalize('NFKC')

const derive = (password: string, salt: Buffer, { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(normalizePassword(password), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
