/**
 * Imports the file of a workspace in batches. The workspace is closed until the end of the file is reached and all rows
 * are counted: there is no access, and no work is done. A failure removes what was imported. After a crash, the next
 * import of the workspace does so first.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOperatorEntry } from '../../accounts/audit/index.ts'
import { hashPassword } from '../../accounts/users/index.ts'
import { findPortableWorkspace, insertClosedWorkspace, openWorkspace } from '../../accounts/workspaces/index.ts'
import { isId } from '../../core/ids.ts'
import { Pacer } from '../../core/pacer.ts'
import { newSecret } from '../../core/secrets.ts'
import { findSharedChannel } from '../../messaging/channels/index.ts'
import { cellOf, directoryOf } from '../../platform/postgres/cells.ts'
import { type Database, isServerFailure, type Sql, sqlState, transaction } from '../../platform/postgres/client.ts'
import { isWorking } from '../../platform/postgres/lease.ts'
import { readSchemaVersion } from '../../platform/postgres/migrate.ts'
import { hasTooManyPauses, insertPause, maxPauses, pausableKinds } from '../../queue/pauses/index.ts'
import { enqueue } from '../../queue/tasks.ts'
import { hasPlaintextSecrets } from '../../webhooks/endpoints/index.ts'
import { type ExportedMember, type Invitation, MemberImport } from './accounts.ts'
import { readLateMs } from './backpressure.ts'
import { formatName, formatVersion, type Header, type ParsedLine, parseLine, type Trailer } from './format.ts'
import { closingMs } from './grace.ts'
import { readLines } from './lines.ts'
import { type TransferLock, withTransferLock } from './lock.ts'
import { removeImported } from './remove.ts'
import { insertRows, readShapes, type TableShape } from './sql.ts'
import { exportedTables, keptTables, type WorkspaceTable } from './tables.ts'
import { TransferError } from './transfer-error.ts'

/** Maximum rows and characters of a batch. A longer row is a batch of its own. */
const batchLimits = { rows: 500, length: 1024 * 1024 }

export interface ImportedWorkspace {
  workspaceId: string
  rows: Trailer['rows']
  /** True if the file contained secrets in plain text. */
  plaintextSecrets: boolean
  /** People who must accept the membership. */
  invitations: readonly Invitation[]
}

export interface ImportOptions {
  /** Called in the transaction that opens the workspace. Sends or shows the links of the invitations. */
  prepare?: (tx: Sql, imported: ImportedWorkspace) => Promise<void>
}

/**
 * Imports a file. All work of the new workspace is paused. Throws TransferError if the file does not fit this database
 * or is not complete, or if the workspace exists.
 */
export const importWorkspace = async (
  sql: Database,
  file: AsyncIterable<Uint8Array>,
  { prepare = async () => {} }: ImportOptions = {},
): Promise<ImportedWorkspace> => {
  const lines = new FileReader(readLines(file))
  const header = await readHeader(sql, lines)
  return withTransferLock(sql, header.workspaceId, async lock => {
    const { workspaceId } = header
    await removeUnfinished(sql, workspaceId, lock)
    const now = await begin(sql, lines, workspaceId)
    if (await isWorking(sql)) await sleep(closingMs)
    const passwordHash = await hashPassword(newSecret(''))
    const members = new MemberImport({ workspaceId, passwordHash, now })
    try {
      return await new Importer(sql, { lines, header, members, lock, prepare }).run()
    } catch (error) {
      // After a failure of the server, the next import removes the rows. Without the lock, it can be running.
      if (isServerFailure(error) || !(await lock.isHeld())) throw error
      // If the rows cannot be removed now, the next import removes them. The operator needs the first error.
      await removeImported(sql, workspaceId, { lock, importStartedAt: now, waits: [] }).catch(failure => {
        if (error instanceof Error) error.cause ??= failure
      })
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

  /** Parses the object of the current line. */
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
const removeUnfinished = async (sql: Database, workspaceId: string, lock: TransferLock): Promise<void> => {
  if ((await cellOf(sql, workspaceId)) !== sql)
    throw new TransferError(`The workspace ${workspaceId} exists in another cell. An import never changes a workspace.`)
  const existing = await findPortableWorkspace(sql, workspaceId)
  if (existing?.closedFor === 'import')
    return removeImported(sql, workspaceId, { lock, importStartedAt: existing.importStartedAt! })
  if (existing?.closedFor === 'deletion')
    throw new TransferError(
      `The deletion of the workspace ${workspaceId} has not ended. Complete it with "workspace delete ${workspaceId} --yes".`,
    )
  if (existing)
    throw new TransferError(
      `The workspace ${workspaceId} exists in this database. An import never changes a workspace.`,
    )
}

/** Inserts the closed workspace from the second line, with the pauses that it has when it is open. Returns its start. */
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

/** Milliseconds before an export in which the second pass of an erasure may not have run. */
const erasureMs = 600_000

class Importer {
  readonly #counts: Trailer['rows'] = Object.fromEntries(exportedTables.map(({ name }) => [name, 0]))
  #batch: { table: WorkspaceTable; rows: string[]; length: number } = { table: exportedTables[0]!, rows: [], length: 0 }
  #shapes: readonly TableShape[] = []
  /** Ids of the customers that were erased shortly before the export. */
  readonly #erased: string[] = []
  readonly #erasedSince: number
  /** Leaves at least half of the time to other work, and more while it is late. */
  readonly #pacer: Pacer

  constructor(
    private readonly sql: Database,
    private readonly file: {
      lines: FileReader
      header: Header
      members: MemberImport
      lock: TransferLock
      prepare: NonNullable<ImportOptions['prepare']>
    },
  ) {
    this.#erasedSince = Date.parse(file.header.exportedAt) - erasureMs
    this.#pacer = new Pacer({ idleFactor: 1, backpressureMs: () => readLateMs(sql) })
  }

  async run(): Promise<ImportedWorkspace> {
    const { sql } = this
    const { lines, header } = this.file
    const { workspaceId } = header
    this.#shapes = await readShapes(
      sql,
      exportedTables.map(({ name }) => name),
    )
    let line = await lines.next()
    for (; line.name !== 'end' && !(line.name in keptTables); line = await lines.next()) await this.#add(sql, line)
    await this.#flush(sql)
    // The second pass of an erasure is a task, which is not part of the file. It is enqueued before the last transaction,
    // which would otherwise hold up vacuum. Without a customer it does nothing.
    await this.file.lock.require()
    for (const customerId of this.#erased)
      await enqueue(sql, 'erase_traces', { workspaceId, customerId }, `erase:${customerId}`)
    // A failed import cannot delete entries of the audit log, so they are committed with the opening of the workspace.
    return transaction(sql, async tx => {
      for (; line.name !== 'end'; line = await lines.next()) await this.#add(tx, line)
      await this.#flush(tx)
      await lines.requireEnd()
      return this.#finish(tx, lines.parse<Trailer>(line.json))
    })
  }

  async #add(sql: Sql, { name, json }: ParsedLine): Promise<void> {
    // A line with several objects would be counted as one row.
    const parsed = this.file.lines.parse<{ id: string; erased_at?: string | null }>(json)
    if (name === 'customers' && Date.parse(parsed.erased_at ?? '') > this.#erasedSince) this.#erased.push(parsed.id)
    const { rows, length, table } = this.#batch
    const isFull = rows.length >= batchLimits.rows || length + json.length > batchLimits.length
    if (rows.length > 0 && (isFull || name !== table.name)) await this.#flush(sql)
    if (name !== this.#batch.table.name) this.#batch.table = this.#tableAfter(name)
    this.#batch.rows.push(json)
    this.#batch.length += json.length
  }

  /** Returns a table. Throws if it comes before the current one, because rows refer to earlier ones. */
  #tableAfter(name: string): WorkspaceTable {
    const index = exportedTables.findIndex(table => table.name === name)
    if (index > exportedTables.indexOf(this.#batch.table)) return exportedTables[index]!
    throw new TransferError(`Line ${this.file.lines.number} of the file has an unexpected row of "${name}".`)
  }

  /** Accounts are created in the transaction of their members, so that a failed import finds them. */
  async #insert(tx: Sql): Promise<void> {
    const { table, rows } = this.#batch
    const { members, header } = this.file
    const written: string[] = []
    for (const row of rows)
      written.push(
        table.name === 'members' ? JSON.stringify(await members.toRow(tx, JSON.parse(row) as ExportedMember)) : row,
      )
    const { accounts } = members
    await insertRows(tx, {
      workspaceId: header.workspaceId,
      table,
      shape: this.#shapes.find(({ name }) => name === table.name)!,
      rows: `[${written.join(',')}]`,
      accounts: Object.keys(accounts).length === 0 ? null : JSON.stringify(accounts),
    })
  }

  async #flush(sql: Sql): Promise<void> {
    const { table, rows } = this.#batch
    if (rows.length === 0) return
    const startedAt = performance.now()
    await this.file.lock.require()
    try {
      await transaction(table.inDirectory ? directoryOf(sql) : sql, tx => this.#insert(tx))
    } catch (error) {
      throw describe(error, table.name, this.file.lines.number)
    }
    this.#counts[table.name]! += rows.length
    this.#batch = { table, rows: [], length: 0 }
    if (table.name === 'channels') await this.#requireOwnChannels(sql)
    // A pause in the last transaction would hold up the vacuum of all workspaces.
    if (sql === this.sql) await this.#pacer.pace(performance.now() - startedAt)
  }

  /** Throws TransferError if another workspace has a channel of the file. Callback URLs contain only the channel. */
  async #requireOwnChannels(sql: Sql): Promise<void> {
    const shared = await findSharedChannel(sql, this.file.header.workspaceId)
    if (shared !== null)
      throw new TransferError(
        `Another workspace has the channel ${shared} of the file. Its callbacks would not reach the right workspace.`,
      )
  }

  async #finish(tx: Sql, { rows }: Trailer): Promise<ImportedWorkspace> {
    const { lock, prepare, members } = this.file
    const { workspaceId, exportedAt, service } = this.file.header
    const differing = exportedTables.find(({ name }) => this.#counts[name] !== (rows?.[name] ?? 0))
    if (differing)
      throw new TransferError(
        `The file has ${this.#counts[differing.name]} rows of ${differing.name}, but its last line states ${rows?.[differing.name] ?? 0}.`,
      )
    // Two imports at the same time can have the same channel.
    await this.#requireOwnChannels(tx)
    await openWorkspace(tx, workspaceId)
    await writeOperatorEntry(tx, workspaceId, {
      action: 'importWorkspace',
      target: { type: 'workspace', id: workspaceId },
      detail: { exportedAt, version: service },
    })
    const { invitations } = members
    const plaintextSecrets = await hasPlaintextSecrets(tx, workspaceId)
    const imported = { workspaceId, rows: this.#counts, plaintextSecrets, invitations }
    await prepare(tx, imported)
    await lock.require()
    return imported
  }
}
