/** `secrets reencrypt`: encrypts all stored secrets with the first key of SECRETS_KEY. */
import type { Config } from '../config.ts'
import { sealClearSecrets } from '../domain/endpoints/index.ts'
import { objectionToFirst } from '../domain/openers.ts'
import { resealAll } from '../domain/sealed/index.ts'
import { migrateDatabase, openDatabase } from '../service/database.ts'
import { StartError } from '../service/problem.ts'
import { openSeals } from '../service/seals.ts'
import { columns } from './table.ts'
import { type Command, parsedArguments, UsageError } from './usage.ts'

export const secretsUsages = ['secrets reencrypt'] as const

export const secrets: Command = args => {
  const { positionals } = parsedArguments({ args, allowPositionals: true, options: {} }, secretsUsages)
  const action = positionals.join(' ')
  if (action === 'reencrypt') return reencrypt
  throw new UsageError(action === '' ? 'What about secrets?' : `There is no "secrets ${action}".`, secretsUsages)
}

const reencrypt = async (config: Config): Promise<number> => {
  const database = await openDatabase(config)
  try {
    await migrateDatabase(database)
    const { sql, embedded } = database
    const seals = await openSeals(config, embedded)
    if (seals === null)
      throw new StartError('SECRETS_KEY is not set; the first of its keys is what would be encrypted under.')
    const objection = await objectionToFirst(sql, seals)
    if (objection !== null) throw new StartError(objection)
    const { left } = await sealClearSecrets(sql, seals)
    const found = [...(await resealAll(sql, seals))]
    process.stdout.write(columns([heads, ...found.map(([kind, one]) => [kind, ...cells(one)])]))
    const whole = left === null && found.every(([, one]) => one.unopened + one.left === 0)
    process.stdout.write(`${whole ? done : notDone}\n`)
    return whole ? 0 : 1
  } finally {
    await database.close()
  }
}

const heads = ['KIND', 'UNDER THE FIRST KEY', 'NOT READABLE', 'CHANGED MEANWHILE']

const cells = ({ underFirst, unopened, left }: { underFirst: number; unopened: number; left: number }): string[] =>
  [underFirst, unopened, left].map(String)

const done = 'Everything is encrypted under the first key; the others can be left out of SECRETS_KEY.'
const notDone =
  'Keep the other keys. Run this again for what was changed meanwhile; what is not readable needs the key that it was encrypted under.'
