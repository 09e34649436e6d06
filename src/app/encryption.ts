/** Loads the encryption keys of secrets from the settings, or from a file for the embedded database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Keyring } from '../platform/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { findUndecryptable, isStoredInPlaintext } from '../privacy/re-encryption/index.ts'
import { StartError } from './start-error.ts'

/**
 * Name of the key file. It is outside the folder of the embedded database, so a copy of that folder contains no key.
 */
const fileName = 'secrets.key'

/** Returns the keyring of the settings. Null if there is no key. Operations that must encrypt are then rejected. */
export const createKeyring = ({ secretsKeys }: Pick<Config, 'secretsKeys'>): Keyring | null => {
  const [first, ...others] = secretsKeys
  return first === undefined ? null : new Keyring([first, ...others])
}

/**
 * Returns the keyring of the settings. With the embedded database and no setting, the key is read from DATA_DIR and
 * created by the first start.
 */
export const loadKeyring = async (config: Config, embedded: boolean): Promise<Keyring | null> =>
  createKeyring(config) ?? (embedded ? new Keyring([await readOrCreateKey(config.dataDir)]) : null)

/** Logs one warning about secrets that are not encrypted, or that cannot be decrypted without a missing key. */
export const warnAboutSecrets = async (sql: Sql, keyring: Keyring | null, log: Log): Promise<void> => {
  const kinds = await findUndecryptable(sql, keyring)
  if (kinds.length > 0)
    log.warn(
      { kinds },
      keyring === null
        ? 'SECRETS_KEY is not set, but stored secrets are encrypted: restore the key'
        : 'SECRETS_KEY cannot decrypt the stored secrets: restore the key that encrypted them',
    )
  else if (keyring === null) log.warn({}, 'SECRETS_KEY is not set: webhook secrets are stored in plain text')
  else if (await isStoredInPlaintext(sql))
    log.warn({}, 'webhook secrets from before SECRETS_KEY was set are in plain text: run "secrets reencrypt"')
}

const readOrCreateKey = async (dataDir: string): Promise<Uint8Array> => {
  const path = join(dataDir, fileName)
  const content = (await readKeyFile(path)) ?? (await createKeyFile(dataDir, path))
  const key = Buffer.from(content.trim(), 'base64')
  if (key.byteLength === 32) return key
  throw new StartError(`${path} must contain a key of 32 bytes in base64. Restore the previous key.`)
}

const readKeyFile = async (path: string): Promise<string | null> => {
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
const createKeyFile = async (dataDir: string, path: string): Promise<string> => {
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
    throw new StartError(`The key cannot be stored in ${path} (DATA_DIR). Set SECRETS_KEY.`, { cause: error })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
