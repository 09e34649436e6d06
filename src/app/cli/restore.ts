/** `restore release`: lists what a restored database would send, skips what is too old, and ends the hold. */
import { hasCells, milliseconds } from '../../config.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { readDatabaseTime } from '../../platform/postgres/time.ts'
import { type Ages, ageLimits, findHold, maxHeldCounted } from '../../queue/hold/index.ts'
import type { NamedDatabase } from '../database.ts'
import { countHeld, dueKinds, findSharedWorkspaces, releaseHold, skipHeld } from '../restore/index.ts'
import { StartError } from '../start-error.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { withMigratedDatabase, withMigration } from './with-database.ts'

export const restoreUsages = [
  'restore release [--preview] [--skip-older-than TIME] [--json], for example restore release --skip-older-than 2h',
] as const

/** Output of a command: for people, and with --json for programs. */
interface Output {
  text: string
  json: object
}

export const restore: Command = args => {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: { preview: { type: 'boolean' }, 'skip-older-than': { type: 'string' }, json: { type: 'boolean' } },
    },
    restoreUsages,
  )
  const action = positionals.join(' ')
  if (action !== 'release')
    throw new UsageError(action === '' ? 'The action is missing.' : `There is no "restore ${action}".`, restoreUsages)
  const skipMs = parseSkipTime(values['skip-older-than'])
  if (values.preview && skipMs !== null)
    throw new UsageError('--preview lists everything; use it without --skip-older-than.', restoreUsages)
  return config =>
    (values.preview ? withMigratedDatabase : withMigration)(config, async cells => {
      const outputs = await cells.each(async ({ name, sql, label }) => {
        const others = cells.cells.filter(cell => cell.name !== name)
        // Cells of Citus do not support moves, so no other cell can have the same workspace.
        const requireAll = () => {
          if (!config.citus)
            cells.requireAll(`It can have workspaces of the cell "${name}", so sending is still held there.`)
        }
        const { text, json } = await (values.preview
          ? preview(sql)
          : release({ name, sql, others, requireAll }, skipMs))
        return { text: label.heading + text, json: { ...label.field, ...json } }
      })
      const json = hasCells(config) ? outputs.map(output => output.json) : outputs[0]!.json
      process.stdout.write(
        values.json ? `${JSON.stringify(json, null, 2)}\n` : outputs.map(({ text }) => text).join(''),
      )
      return cells.status
    })
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

const notHeld = 'Sending is not held.\n'

const preview = async (sql: Database): Promise<Output> => {
  const hold = await findHold(sql)
  const ages = await countHeld(sql)
  const since = hold ? `Sending is held since ${hold.since.toISOString()}. A release sends:\n` : notHeld
  return {
    text: `${since}${formatTable([headings, ...dueKinds.map(kind => [kind, ...toCells(ages[kind])])])}`,
    json: {
      held: hold !== null,
      since: hold?.since ?? null,
      due: dueKinds.map(kind => ({ kind, ...toCounts(ages[kind]) })),
    },
  }
}

/** `byAge` has the counts below 15 minutes, 2 hours and 1 day, and of the rest. */
const toCounts = ({ count, groups, oldestSeconds }: Ages) => ({ count, byAge: groups, oldestSeconds })

const headings = ['DUE', 'COUNT', 'UNDER 15 MIN', '15 MIN TO 2 H', '2 H TO 1 DAY', 'OVER 1 DAY', 'OLDEST']

const toCells = ({ count, groups, oldestSeconds }: Ages): string[] => [
  count >= maxHeldCounted ? `${count} or more` : String(count),
  ...groups.map(String),
  oldestSeconds === null ? '-' : formatAge(oldestSeconds / 60),
]

const formatAge = (minutes: number): string => {
  if (minutes < ageLimits[1]) return `${Math.floor(minutes)} min`
  return minutes < 2 * ageLimits[2] ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / ageLimits[2])} days`
}

interface ReleasedCell extends NamedDatabase {
  others: readonly NamedDatabase[]
  /** Throws StartError if a cell cannot be compared. */
  requireAll: () => void
}

const release = async ({ name, sql, others, requireAll }: ReleasedCell, skipMs: number | null): Promise<Output> => {
  if ((await findHold(sql)) === null) return { text: notHeld, json: { released: false, skipped: null } }
  requireAll()
  for (const other of others) await requireOnlyHere({ name, sql }, other)
  const skipped = skipMs === null ? null : await skip(sql, skipMs)
  await releaseHold(sql)
  return {
    text: `${skipped?.text ?? ''}Sending is released. Every process starts to send within a few seconds.\n`,
    json: { released: true, skipped: skipped?.json ?? null },
  }
}

/** Throws StartError if another cell has a workspace too, whose messages and webhooks would be sent twice. */
const requireOnlyHere = async (here: NamedDatabase, other: NamedDatabase) => {
  const [id] = await findSharedWorkspaces(here.sql, other.sql)
  if (id === undefined) return
  throw new StartError(
    `The cells "${here.name}" and "${other.name}" both have the workspace ${id}. Sending is still held. See "Restore a cell after a move" in docs/scaling.md.`,
  )
}

const skip = async (sql: Database, skipMs: number): Promise<Output> => {
  const before = new Date((await readDatabaseTime(sql)) - skipMs)
  const skipped = await skipHeld(sql, before)
  const rows = Object.entries(skipped).map(([kind, count]) => [kind, String(count)])
  return {
    text: `Work that was due before ${before.toISOString()} is skipped:\n${formatTable([['SKIPPED', 'COUNT'], ...rows])}`,
    json: { dueBefore: before, ...skipped },
  }
}
