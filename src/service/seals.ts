/** The keys that secrets are sealed under: those of the settings, or one of its own beside the embedded database. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Sql } from '../db/client.ts'
import { unopened } from '../domain/sealed/index.ts'
import { Seals } from '../domain/sealing.ts'
import type { Log } from '../platform/log.ts'
import { StartError } from './problem.ts'

/** Beside the folder of the embedded database: a copy of that alone holds no key. */
const fileName = 'secrets.key'

/** Null where there is no key: what must be sealed is refused then. */
export const sealsOf = ({ secretsKeys }: Pick<Config, 'secretsKeys'>): Seals | null => {
  const [first, ...others] = secretsKeys
  return first === undefined ? null : new Seals([first, ...others])
}

/** The same; with the embedded database and no setting, the key that is kept under DATA_DIR, which the first start makes. */
export const openSeals = async (config: Config, embedded: boolean): Promise<Seals | null> =>
  sealsOf(config) ?? (embedded ? new Seals([await keptKey(config.dataDir)]) : null)

/** Tells the operator, in one line, what is not encrypted, or cannot be read, for want of a key. */
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

/** Written whole before it has its name, which one process alone can give: of two that start together both read one key. */
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
