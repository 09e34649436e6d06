/**
 * Exports a workspace. One snapshot is read page by page, as by `verify`: the file has the state at its start, and the
 * service can run meanwhile. Secrets stay encrypted, and keys and links stay hashes.
 */
import { findPortableAccounts } from '../../accounts/users/index.ts'
import { requireOpen } from '../../accounts/workspaces/index.ts'
import { directoryOf, withLinksOf } from '../../platform/postgres/cells.ts'
import type { Database, Sql } from '../../platform/postgres/client.ts'
import { readSchemaVersion } from '../../platform/postgres/migrate.ts'
import { findCompletingTask } from '../../queue/tasks.ts'
import { hasPlaintextSecrets } from '../../webhooks/endpoints/index.ts'
import { formatName, formatVersion, type Header, lineOf, maxLineBytes, type Trailer } from './format.ts'
import { type RowKey, readRows, readShapes, type TableShape } from './sql.ts'
import { exportedTables, type WorkspaceTable } from './tables.ts'
import { TransferError } from './transfer-error.ts'

const pageRows = 500
const pageBytes = 4 * 1024 * 1024

/**
 * Maximum duration in milliseconds. The snapshot keeps vacuum from removing newer dead rows of all workspaces until the
 * end.
 */
const maxDurationMs = 3_600_000

export interface ExportOptions {
  workspaceId: string
  /** Version of this service. */
  service: string
  /** Writes a part of the file. Its promise resolves when the reader accepts more. */
  write: (text: string) => Promise<void>
}

export interface ExportedWorkspace extends Trailer {
  /** True if the file contains secrets in plain text, because there was no key when they were stored. */
  plaintextSecrets: boolean
}

/**
 * Writes the file of a workspace and returns its number of rows by table. Writes nothing to the database. Throws
 * WorkspaceError for an unknown or closed workspace. Throws TransferError while a task completes an action in it, and
 * after an hour.
 */
export const exportWorkspace = (sql: Database, options: ExportOptions): Promise<ExportedWorkspace> =>
  sql.begin('isolation level repeatable read read only', tx =>
    writeFile(withLinksOf(sql, tx), options),
  ) as Promise<ExportedWorkspace>

const writeFile = async (tx: Sql, { workspaceId, service, write }: ExportOptions): Promise<ExportedWorkspace> => {
  const end = performance.now() + maxDurationMs
  const workspace = await requireOpen(tx, workspaceId)
  // Tasks of the directory also write into the workspace.
  const task = (await findCompletingTask(tx, workspaceId)) ?? (await findCompletingTask(directoryOf(tx), workspaceId))
  if (task !== null)
    throw new TransferError(`The task "${task}" of the workspace has not ended. Export again in a minute.`)
  const header: Header = {
    format: formatName,
    formatVersion,
    service,
    ...(await readSchemaVersion(tx)),
    workspaceId,
    exportedAt: workspace.now.toISOString(),
  }
  await write(lineOf('header', JSON.stringify(header)))
  await write(lineOf('workspace', workspace.row))
  const shapes = await readShapes(
    tx,
    exportedTables.map(({ name }) => name),
  )
  const rows: Trailer['rows'] = {}
  for (const table of exportedTables) {
    const shape = shapes.find(({ name }) => name === table.name)!
    rows[table.name] = 0
    for await (const page of pagesOf(tx, { workspaceId, table, shape })) {
      if (performance.now() > end)
        throw new TransferError('The export took longer than an hour. Export from a restored backup.')
      const lines = page.map(row => lineOf(table.name, row))
      const tooLong = lines.find(line => Buffer.byteLength(line) > maxLineBytes)
      if (tooLong !== undefined) throw new TransferError(`A row of ${table.name} is larger than 16 MiB.`)
      await write(lines.join(''))
      rows[table.name]! += page.length
    }
  }
  await write(lineOf('end', JSON.stringify({ rows } satisfies Trailer)))
  return { rows, plaintextSecrets: await hasPlaintextSecrets(tx, workspaceId) }
}

/** Yields the rows of a table, page by page. */
async function* pagesOf(
  tx: Sql,
  { workspaceId, table, shape }: { workspaceId: string; table: WorkspaceTable; shape: TableShape },
): AsyncGenerator<string[]> {
  const page = { workspaceId, shape, limit: pageRows, omitted: table.omitted, maxBytes: pageBytes }
  for (let after: RowKey | null = null; ; ) {
    const found: { row: string; key: RowKey }[] = await readRows(table.inDirectory ? directoryOf(tx) : tx, {
      ...page,
      after,
    })
    if (found.length === 0) return
    const rows = found.map(({ row }) => row)
    yield table.name === 'members' ? await withAccounts(tx, rows) : rows
    if (shape.key.length === 0) return
    after = found.at(-1)!.key
  }
}

/** Adds the address and the name of its account to each member, by which an import finds the account elsewhere. */
const withAccounts = async (tx: Sql, rows: string[]): Promise<string[]> => {
  const members = rows.map(row => JSON.parse(row) as { user_id: string | null })
  const ids = members.flatMap(({ user_id: id }) => id ?? [])
  const accounts = new Map((await findPortableAccounts(tx, ids)).map(account => [account.id, account]))
  return members.map(member => JSON.stringify({ ...member, account: accounts.get(member.user_id ?? '') ?? null }))
}
