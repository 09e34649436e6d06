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
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/**
 * True when the password made this hash. Without a hash (nobody has that address) it works just as long and says no:
 * time must not tell which addresses exist.
 */
export const verifyPassword = async (password: string, hash: string | null): Promise<boolean> => {
  const [, N, r, p, salt, expected] = (hash ?? (await nobodysHash())).split('$')
  const given = await derive(password, Buffer.from(salt ?? '', 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(given, Buffer.from(expected ?? '', 'base64url')) && hash !== null
}

let nobody: Promise<string> | undefined
const nobodysHash = (): Promise<string> => (nobody ??= hashPassword(randomBytes(16).toString('hex')))

/** NFKC first: the same password typed on another keyboard may arrive in another Unicode form. */
const derive = (password: string, salt: Buffer, { N, r, p }: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
