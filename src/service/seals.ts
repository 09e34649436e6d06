/** Loads the encryption keys of secrets from the settings, or from a file for the embedded database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Sql } from '../db/client.ts'
import { unopened } from '../domain/sealed/index.ts'
import { Seals } from '../domain/sealing.ts'
import type { Log } from '../platform/log.ts'
import { StartError } from './problem.ts'

/**
 * Name of the key file. It is outside the folder of the embedded database, so a copy of that folder contains no key.
 */
const fileName = 'secrets.key'

/** Returns the keyring of the settings. Null if there is no key. Operations that must encrypt are then rejected. */
export const sealsOf = ({ secretsKeys }: Pick<Config, 'secretsKeys'>): Seals | null => {
  const [first, ...others] = secretsKeys
  return first === undefined ? null : new Seals([first, ...others])
}

/**
 * Returns the keyring of the settings. With the embedded database and no setting, the key is read from DATA_DIR and
 * created by the first start.
 */
export const openSeals = async (config: Config, embedded: boolean): Promise<Seals | null> =>
  sealsOf(config) ?? (embedded ? new Seals([await keptKey(config.dataDir)]) : null)

/** Logs one warning about secrets that are not encrypted, or that cannot be decrypted without a missing key. */
export const tellOfSeals = async (sql: Sql, seals: Seals | null, log: Log): Promise<void> => {
  const kinds = await unopened(sql, seals)
  if (kinds.length > 0)
    log.warn(
      { kinds },
      seals === null
        ? 'SECRETS_KEY is not set, but what is stored is encrypted: bring the key back'
        : 'SECRETS_KEY does not open what is stored: bring back the key that it was encrypted under',
    )
  else if (seals === null) log.warn({}, 'SECRETS_KEY is not set: webhook secrets are stored in clear')
}

const keptKey = async (dataDir: string): Promise<Uint8Array> => {
  const path = join(dataDir, fileName)
  const written = (await read(path)) ?? (await make(dataDir, path))
  const key = Buffer.from(written.trim(), 'base64')
  if (key.byteLength === 32) return key
  throw new StartError(`${path} must hold a key of 32 bytes in base64; bring back the one that was there.`)
}

const read = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw new StartError(`The key in ${path} cannot be read.`, { cause: error })
  }
}

/**
 * Creates the key file. The file is complete before it gets its final name with `link`, which only one process can do.
 * Two processes that start together therefore read the same key.
 */
const make = async (dataDir: string, path: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true })
  const draft = join(dataDir, `.${fileName}.${randomUUID()}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path).catch(error => {
      if (!isCode(error, 'EEXIST')) throw error
    })
  } catch (error) {
    throw new StartError(`A key cannot be kept in ${path} (DATA_DIR); set SECRETS_KEY.`, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
