/**
 * Passwords as scrypt hashes, by node:crypto, which does the work off the main thread.
 * The parameters stand in front of each hash, so that raising them later leaves old hashes readable.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const cost = { N: 32768, r: 8, p: 3 }
const keyLength = 32

/** `scrypt$N$r$p$salt$hash`, the last two base64url. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  return hashText(salt, await derive(password, salt, cost))
}

/**
 * True when the password made this hash. Without a hash (nobody has that address) it works just as long and says no:
 * time must not tell which addresses exist.
 */
export const verifyPassword = async (password: string, hash: string | null): Promise<boolean> => {
  const [, N, r, p, salt, expected] = (hash ?? nobodysHash).split('$')
  const given = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(given, Buffer.from(expected ?? '', 'base64url')) && hash !== null
}

const hashText = (salt: Buffer, key: Buffer): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')

/** Made of nothing, not derived: making it at the first unknown address would take as long again, and tell. */
const nobodysHash = hashText(randomBytes(16), randomBytes(keyLength))

/** NFKC first: the same password typed on another keyboard may arrive in another Unicode form. */
const derive = (password: string, salt: Buffer, { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
