/**
 * Imports the file of a workspace in batches. The workspace is closed until the end of the file is reached and all rows
 * are counted: there is no access, and no work is done. A failure removes what was imported. After a crash, the next
 * import of the workspace does so first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { hashPassword } from '../../accounts/users/index.ts'
import {
  deleteWorkspace,
  findPortableWorkspace,
  insertClosedWorkspace,
  openWorkspace,
} from '../../accounts/workspaces/index.ts'
import { isId } from '../../core/ids.ts'
import { newSecret } from '../../core/secrets.ts'
import { type Database, isServerFailure, type Sql, sqlState, transaction } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { readSchemaVersion } from '../../platform/postgres/migrate.ts'
import { hasTooManyPauses, insertPause, maxPauses, pausableKinds } from '../../queue/pauses/index.ts'
import { enqueue } from '../../queue/tasks.ts'
import { type ExportedMember, type Invitation, MemberImport } from './accounts.ts'
import { readLateMs } from './backpressure.ts'
import { formatName, formatVersion, type Header, type ParsedLine, parseLine, type Trailer } from './format.ts'
import { readLines } from './lines.ts'
import { withTransferLock } from './lock.ts'
import { removeRemains } from './remove.ts'
import { findRecentlyErased, insertRows, readShapes, type TableShape } from './sql.ts'
import { exportedTables, type WorkspaceTable } from './tables.ts'
import { TransferError } from './transfer-error.ts'

/** Maximum rows and characters of a batch. A longer row is a batch of its own. */
const batchLimits = { rows: 500, length: 1024 * 1024 }
/** Milliseconds after which every worker knows that a workspace is closed. Workers check it every two seconds. */
const closingMs = 4000
/** Maximum pause after a batch, in milliseconds. */
const maxPauseMs = 10_000

export interface ImportedWorkspace {
  workspaceId: string
  rows: Trailer['rows']
  /** People who must accept the membership. The caller sends them their links. */
  invitations: readonly Invitation[]
}

/**
 * Imports a file. All work of the new workspace is paused. Throws TransferError if the file does not fit this database or
 * is not complete, or if the workspace exists.
 */
export const importWorkspace = async (sql: Database, file: AsyncIterable<Uint8Array>): Promise<ImportedWorkspace> => {
  const lines = new FileReader(readLines(file))
  const header = await readHeader(sql, lines)
  return withTransferLock(sql, header.workspaceId, async () => {
    const { workspaceId } = header
    await removeUnfinished(sql, workspaceId)
    const now = await begin(sql, lines, workspaceId)
    if (await isWorking(sql)) await sleep(closingMs)
    const passwordHash = await hashPassword(newSecret(''))
    const members = new MemberImport(sql, { workspaceId, passwordHash, now })
    try {
      return await new Importer(sql, { lines, header, members }).run()
    } catch (error) {
      // After a failure of the server, the next import removes the rows.
      if (isServerFailure(error)) throw error
      await removeImported(sql, workspaceId)
      await members.undo()
      throw error
    }
  })
}

/** Reads the lines of a file one by one, and knows their numbers. */
class FileReader {
  number = 0

  constructor(private readonly lines: AsyncIterator<string>) {}

  /** Returns the next line: `done` at the end of the file, null for other text. */
  async read(): Promise<ParsedLine | 'done' | null> {
    const { value, done } = await this.lines.next()
    if (done) return 'done'
    this.number++
    return parseLine(value as string)
  }

  /** Returns the next line. Throws TransferError at the end of the file, and for other text. */
  async next(): Promise<ParsedLine> {
    const line = await this.read()
    if (line === 'done') throw new TransferError('The file is not complete: it has no line "end".')
    if (line === null)
      throw new TransferError(`Line ${this.number} of the file is not a line of an exported workspace.`)
    return line
  }

  /** Throws TransferError if there is another line. */
  async requireEnd(): Promise<void> {
    if ((await this.read()) !== 'done') throw new TransferError('The file has more lines after the line "end".')
  }

  /** Parses an object that is not a row. */
  parse<T>(json: string): T {
    try {
      return JSON.parse(json) as T
    } catch {
      throw new TransferError(`Line ${this.number} of the file is not valid JSON.`)
    }
  }
}

const readHeader = async (sql: Database, lines: FileReader): Promise<Header> => {
  const first = await lines.read()
  const header =
    first !== null && first !== 'done' && first.name === 'header' ? lines.parse<Partial<Header>>(first.json) : null
  if (header?.format !== formatName || !isId(header.workspaceId ?? ''))
    throw new TransferError('The file is not an exported workspace. "workspace export" writes such files.')
  if (header.formatVersion !== formatVersion)
    throw new TransferError(
      `The file has the format version ${header.formatVersion}, and this release reads ${formatVersion}.`,
    )
  const { migration, schema } = await readSchemaVersion(sql)
  if (header.schema !== schema)
    throw new TransferError(
      `The file was exported by version ${header.service} with the migration ${header.migration}, but this database has ${migration}. Export and import with the same release.`,
    )
  return { ...(header as Header), workspaceId: header.workspaceId!.toLowerCase() }
}

/** Removes what an interrupted import has left. Throws TransferError for any other workspace with this id. */
const removeUnfinished = async (sql: Database, workspaceId: string): Promise<void> => {
  const existing = await findPortableWorkspace(sql, workspaceId)
  if (existing?.closedFor === 'import') return removeImported(sql, workspaceId)
  if (existing?.closedFor === 'deletion')
    throw new TransferError(
      `The deletion of the workspace ${workspaceId} has not ended. Complete it with "workspace delete ${workspaceId} --yes".`,
    )
  if (existing)
    throw new TransferError(
      `The workspace ${workspaceId} exists in this database. An import never changes a workspace.`,
    )
}

const removeImported = async (sql: Database, workspaceId: string): Promise<void> => {
  await removeRemains(sql, workspaceId)
  await transaction(sql, tx => deleteWorkspace(tx, workspaceId))
}

/** Inserts the closed workspace from the second line, with the pauses that it has when it is open. Returns the time of the database. */
const begin = async (sql: Database, lines: FileReader, workspaceId: string): Promise<Date> => {
  const { name, json } = await lines.next()
  if (name !== 'workspace') throw new TransferError('Line 2 of the file is not the workspace.')
  return transaction(sql, async tx => {
    await insertClosedWorkspace(tx, workspaceId, json).catch(error => {
      if (sqlState(error) !== '23503') throw describe(error, 'workspaces', lines.number)
      const { plan_id: plan } = lines.parse<{ plan_id: string }>(json)
      throw new TransferError(`The workspace has the plan "${plan}", which this database does not have.`)
    })
    await pauseWorkspace(tx, workspaceId)
    return (await findPortableWorkspace(tx, workspaceId))!.now
  })
}

/** Pauses all work of a workspace. */
const pauseWorkspace = async (tx: Sql, workspaceId: string): Promise<void> => {
  for (const kind of pausableKinds) await insertPause(tx, kind, workspaceId)
  if (await hasTooManyPauses(tx))
    throw new TransferError(`There are ${maxPauses} pauses of workspaces, which is the maximum. Resume others.`)
}

/** Classes of SQLSTATEs of rows that cannot be stored: data exceptions and violated constraints. */
const rowClasses = ['22', '23']

/** Returns an error for the operator if the server rejected the rows, otherwise the given one. */
const describe = (error: unknown, table: string, line: number): unknown =>
  rowClasses.includes(sqlState(error)?.slice(0, 2) ?? '')
    ? new TransferError(
        `PostgreSQL rejected rows of ${table} up to line ${line} of the file: ${(error as Error).message}.`,
        { cause: error },
      )
    : error

class Importer {
  readonly #counts: Trailer['rows'] = Object.fromEntries(exportedTables.map(({ name }) => [name, 0]))
  #batch: { table: WorkspaceTable; rows: string[]; length: number } = { table: exportedTables[0]!, rows: [], length: 0 }
  #shapes: readonly TableShape[] = []

  constructor(
    private readonly sql: Database,
    private readonly file: { lines: FileReader; header: Header; members: MemberImport },
  ) {}

  async run(): Promise<ImportedWorkspace> {
    const { sql } = this
    const { lines } = this.file
    this.#shapes = await readShapes(
      sql,
      exportedTables.map(({ name }) => name),
    )
    for (;;) {
      const { name, json } = await lines.next()
      if (name === 'end') {
        await this.#flush()
        await lines.requireEnd()
        return this.#finish(lines.parse<Trailer>(json))
      }
      await this.#add(name, json)
    }
  }

  async #add(name: string, json: string): Promise<void> {
    const { rows, length, table } = this.#batch
    const isFull = rows.length >= batchLimits.rows || length + json.length > batchLimits.length
    if (rows.length > 0 && (isFull || name !== table.name)) await this.#flush()
    if (name !== this.#batch.table.name) this.#batch.table = this.#tableAfter(name)
    this.#batch.rows.push(name === 'members' ? await this.#toMember(json) : json)
    this.#batch.length += json.length
  }

  /** Returns a table. Throws if it comes before the current one, because rows refer to earlier ones. */
  #tableAfter(name: string): WorkspaceTable {
    const index = exportedTables.findIndex(table => table.name === name)
    if (index > exportedTables.indexOf(this.#batch.table)) return exportedTables[index]!
    throw new TransferError(`Line ${this.file.lines.number} of the file has an unexpected row of "${name}".`)
  }

  async #toMember(json: string): Promise<string> {
    return JSON.stringify(await this.file.members.toRow(this.file.lines.parse<ExportedMember>(json)))
  }

  async #flush(): Promise<void> {
    const { table, rows } = this.#batch
    if (rows.length === 0) return
    const startedAt = performance.now()
    const { accounts } = this.file.members
    try {
      await insertRows(this.sql, {
        workspaceId: this.file.header.workspaceId,
        table,
        shape: this.#shapes.find(({ name }) => name === table.name)!,
        rows: `[${rows.join(',')}]`,
        accounts: Object.keys(accounts).length === 0 ? null : JSON.stringify(accounts),
      })
    } catch (error) {
      throw describe(error, table.name, this.file.lines.number)
    }
    this.#counts[table.name]! += rows.length
    this.#batch = { table, rows: [], length: 0 }
    await this.#pause(performance.now() - startedAt)
  }

  /** Leaves at least half of the time to other work, and more while it is late. */
  async #pause(tookMs: number): Promise<void> {
    await sleep(Math.min(Math.max(tookMs, await readLateMs(this.sql)), maxPauseMs))
  }

  async #finish({ rows }: Trailer): Promise<ImportedWorkspace> {
    const { workspaceId, exportedAt, service } = this.file.header
    const differing = exportedTables.find(({ name }) => this.#counts[name] !== (rows?.[name] ?? 0))
    if (differing)
      throw new TransferError(
        `The file has ${this.#counts[differing.name]} rows of ${differing.name}, but its end names ${rows?.[differing.name]}.`,
      )
    await transaction(this.sql, async tx => {
      await eraseAgain(tx, workspaceId, exportedAt)
      await openWorkspace(tx, workspaceId)
      await writeOperatorEntry(tx, workspaceId, {
        action: 'importWorkspace',
        target: { type: 'workspace', id: workspaceId },
        detail: { exportedAt, version: service },
      })
    })
    return { workspaceId, rows: this.#counts, invitations: this.file.members.invitations }
  }
}

/** Minutes before an export in which the second pass of an erasure may not have run. */
const erasureMinutes = 10

/** Enqueues the second pass of erasures shortly before the export: its task is not part of the file. */
const eraseAgain = async (tx: Sql, workspaceId: string, exportedAt: string): Promise<void> => {
  for (const customerId of await findRecentlyErased(tx, { workspaceId, exportedAt, minutes: erasureMinutes }))
    await enqueue(tx, 'erase_traces', { workspaceId, customerId }, `erase:${customerId}`)
}
