/** `restore release`: lists what a restored database would send, skips what is too old, and ends the hold. */
import { type Config, milliseconds } from '../../config.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { readDatabaseTime } from '../../platform/postgres/time.ts'
import { type Ages, ageLimits, findHold, maxCounted } from '../../queue/hold/index.ts'
import { migrateDatabase, openDatabase } from '../database.ts'
import { countHeld, heldKinds, releaseHold, skipHeld } from '../restore/index.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'

export const restoreUsages = ['restore release [--preview] [--skip-older-than TIME], for example 2h'] as const

export const restore: Command = args => {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: { preview: { type: 'boolean' }, 'skip-older-than': { type: 'string' } },
    },
    restoreUsages,
  )
  const action = positionals.join(' ')
  if (action !== 'release')
    throw new UsageError(action === '' ? 'The action is missing.' : `There is no "restore ${action}".`, restoreUsages)
  const skipMs = parseSkipTime(values['skip-older-than'])
  if (values.preview && skipMs !== null)
    throw new UsageError('--preview lists everything; use it without --skip-older-than.', restoreUsages)
  return config => withDatabase(config, values.preview ? preview : sql => release(sql, skipMs))
}

/** Returns the time in milliseconds, or null without the option. */
const parseSkipTime = (value: string | undefined): number | null => {
  if (value === undefined) return null
  const ms = milliseconds(value)
  if (ms > 0) return ms
  throw new UsageError(
    `--skip-older-than must be a whole number with s, m, h or d, for example 2h, not "${value}".`,
    restoreUsages,
  )
}

const withDatabase = async (config: Config, work: (sql: Database) => Promise<string>): Promise<number> => {
  const database = await openDatabase(config)
  try {
    await migrateDatabase(database)
    process.stdout.write(await work(database.sql))
    return 0
  } finally {
    await database.close()
  }
}

const notHeld = 'Sending is not held.\n'

const preview = async (sql: Database): Promise<string> => {
  const hold = await findHold(sql)
  const ages = await countHeld(sql)
  const since = hold ? `Sending is held since ${hold.since.toISOString()}. A release sends:\n` : notHeld
  return `${since}${formatTable([headings, ...heldKinds.map(kind => [kind, ...toCells(ages[kind])])])}`
}

const headings = ['DUE', 'COUNT', 'UNDER 15 MIN', '15 MIN TO 2 H', '2 H TO 1 DAY', 'OVER 1 DAY', 'OLDEST']

const toCells = ({ count, groups, oldestSeconds }: Ages): string[] => [
  count >= maxCounted ? `${count} or more` : String(count),
  ...groups.map(String),
  oldestSeconds === null ? '-' : formatAge(oldestSeconds / 60),
]

const formatAge = (minutes: number): string => {
  if (minutes < ageLimits[1]) return `${Math.floor(minutes)} min`
  return minutes < 2 * ageLimits[2] ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / ageLimits[2])} days`
}

const release = async (sql: Database, skipMs: number | null): Promise<string> => {
  if ((await findHold(sql)) === null) return notHeld
  const skipped = skipMs === null ? '' : await skip(sql, skipMs)
  await releaseHold(sql)
  return `${skipped}Sending is released. Every process starts to send within a few seconds.\n`
}

const skip = async (sql: Database, skipMs: number): Promise<string> => {
  const before = new Date((await readDatabaseTime(sql)) - skipMs)
  const skipped = await skipHeld(sql, before)
  const rows = Object.entries(skipped).map(([kind, count]) => [kind, String(count)])
  return `Work that was due before ${before.toISOString()} is skipped:\n${formatTable([['SKIPPED', 'COUNT'], ...rows])}`
}
