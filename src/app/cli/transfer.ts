/** `workspace export`, `import`, `move` and `delete`: move a workspace to another database, and remove one. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import manifest from '../../../package.json' with { type: 'json' }
import { findPortableWorkspace, unknownWorkspace } from '../../accounts/workspaces/index.ts'
import { type Config, hasCells } from '../../config.ts'
import { isId } from '../../core/ids.ts'
import { linkTo } from '../../core/links.ts'
import type { Database, Sql } from '../../platform/postgres/client.ts'
import {
  cancelMove,
  countWorkspace,
  deleteAbandonedCopy,
  exportWorkspace,
  findAbandonedCopies,
  type ImportedWorkspace,
  type Invitation,
  importWorkspace,
  maxPreviewed,
  moveApplication,
  moveWorkspace,
  removeWorkspace,
  TransferError,
} from '../../privacy/workspaces/index.ts'
import { pausableKinds } from '../../queue/pauses/index.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { watchOutput } from './client/output.ts'
import { sanitize } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { resolvePublicUrl } from './user.ts'
import { type OpenCells, requireCellName, withMigratedDatabase, withMigration } from './with-database.ts'

export const exampleId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'

const usages = {
  export: `workspace export ID [--json] > FILE, for example workspace export ${exampleId} > shop.jsonl`,
  import:
    'workspace import [FILE] [--cell CELL] [--json], for example workspace import shop.jsonl. Without FILE it reads standard input',
  move: `workspace move --workspace ID (--cell CELL | --cancel) [--json], for example workspace move --workspace ${exampleId} --cell eu`,
  delete: `workspace delete ID [--yes] [--json], for example workspace delete ${exampleId} --yes`,
} as const

export const transferUsages = Object.values(usages)

const exportCommand: Command = args => {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { json: { type: 'boolean' } } },
    [usages.export],
  )
  const workspaceId = requireId(positionals, usages.export)
  return config =>
    withMigratedDatabase(config, async cells => {
      const { rows, plaintextSecrets } = await exportWorkspace(await cells.ofWorkspace(workspaceId), {
        workspaceId,
        service: manifest.version,
        write: createOutput(),
      })
      const total = sum(rows)
      process.stderr.write(
        values.json
          ? `${JSON.stringify({ workspaceId, rows, plaintextSecrets })}\n`
          : `Exported ${total} rows of the workspace ${workspaceId}.\n${plaintextSecrets ? plaintextExported : ''}`,
      )
      return 0
    })
}

const plaintextExported =
  'Warning: the file contains webhook secrets in plain text, because SECRETS_KEY was not set when they were stored. To encrypt them, set it, run "secrets reencrypt", and export again.\n'

const importCommand: Command = args => {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { cell: { type: 'string' }, json: { type: 'boolean' } } },
    [usages.import],
  )
  const [path, extra] = positionals
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`, [usages.import])
  if (path === undefined && process.stdin.isTTY)
    throw new UsageError('The file is missing. Name it, or send it to standard input.', [usages.import])
  return config => {
    const cell = requireCellName(config, values.cell ?? config.workspaceCell)
    return withMigration(config, async cells => {
      let links: string[] = []
      const prepare = async (tx: Sql, { workspaceId, invitations }: ImportedWorkspace) => {
        links = await sendInvitations(tx, config, workspaceId, invitations)
        // Shown before the commit: the links are stored as hashes, and a repetition of the import is refused.
        const people = describeInvitations(invitations, links)
        if (people) (values.json ? process.stderr : process.stdout).write(people)
      }
      const { workspaceId, rows, plaintextSecrets, invitations } = await importWorkspace(
        cells.named(cell),
        readInput(path),
        { prepare },
      )
      process.stdout.write(
        values.json
          ? `${JSON.stringify({ workspaceId, rows, plaintextSecrets, invitations: invitations.map(({ email }) => email), links })}\n`
          : describeImport(workspaceId, sum(rows)),
      )
      if (plaintextSecrets && !values.json) process.stderr.write(plaintextImported)
      return 0
    })
  }
}

const plaintextImported =
  'Warning: the workspace has webhook secrets in plain text. To encrypt them, set SECRETS_KEY and run "secrets reencrypt".\n'

/** Yields the content of a file, or of standard input without a path. */
async function* readInput(path: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* path === undefined ? process.stdin : createReadStream(path)
  } catch (error) {
    throw new TransferError(`${path ?? 'Standard input'} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/**
 * Sends the invitations by mail, if the transaction commits. Returns the links instead if the service sends no mails.
 */
const sendInvitations = async (
  tx: Sql,
  config: Config,
  workspaceId: string,
  invitations: readonly Invitation[],
): Promise<string[]> => {
  if (config.mail === null) return invitations.map(({ token }) => linkTo(resolvePublicUrl(config), 'invitation', token))
  for (const { memberId } of invitations)
    await enqueueMail(tx, { kind: 'invitation', workspaceId, memberId, invitedBy: null })
  return []
}

const describeInvitations = (invitations: readonly Invitation[], links: readonly string[]): string => {
  const people = invitations.map(({ email }, index) => `  ${email} ${links[index] ?? '(by mail)'}\n`).join('')
  return people && `These people have another account here, and must accept an invitation:\n${people}`
}

const describeImport = (workspaceId: string, rows: number): string =>
  [
    `Imported ${rows} rows of the workspace ${workspaceId}. Its work is paused. When everything is as expected, run:\n`,
    ...pausableKinds.map(kind => `  resume ${kind} --workspace ${workspaceId}\n`),
    'Members without an account here have a new one. They sign in after "user password reset".\n',
    'Check the plan with "workspace list", and the members in the dashboard.\n',
  ].join('')

/** Moves a workspace to another cell. Sentences about the progress go to standard error. */
const moveCommand: Command = args => {
  const { values } = parseArguments(
    {
      args,
      options: {
        workspace: { type: 'string' },
        cell: { type: 'string' },
        cancel: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    },
    [usages.move],
  )
  const { cell, cancel = false, json = false } = values
  const workspaceId = requireId(values.workspace === undefined ? [] : [values.workspace], usages.move)
  if ((cell === undefined) !== cancel) throw new UsageError('Either --cell or --cancel is required.', [usages.move])
  return config => {
    if (config.citus)
      throw new TransferError(
        'Cells of Citus do not support "workspace move". "cells move" moves a cell to another node.',
      )
    if (cell !== undefined) requireCellName(config, cell)
    const work = async (cells: OpenCells) => {
      if (cell !== undefined) cells.named(cell)
      await cells.ofWorkspace(workspaceId)
      const onProgress = (text: string) => void process.stderr.write(`${text}\n`)
      const options = { cells: cells.cells, workspaceId, onProgress }
      if (cell === undefined) {
        const { from, to, keepsCopy } = await cancelMove(options)
        process.stdout.write(
          json
            ? `${JSON.stringify({ workspaceId, cell: from, cancelled: true, keepsCopy })}\n`
            : `The move of the workspace ${workspaceId} to "${to}" was cancelled. It stays in "${from}".${keepsCopy ? ` The cell "${to}" still has a copy. Repeat the command when it responds.` : ''}\n`,
        )
        return 0
      }
      const { from, to, rows, closedMs } = await moveWorkspace(cell, options)
      process.stdout.write(
        json
          ? `${JSON.stringify({ workspaceId, from, to, rows, closedMs })}\n`
          : `Moved the workspace ${workspaceId} from "${from}" to "${to}"${rows === null ? '' : ` with ${sum(rows)} rows`}.\n`,
      )
      return 0
    }
    return withMigration(config, work, { applicationName: moveApplication })
  }
}

const deleteCommand: Command = args => {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { yes: { type: 'boolean' }, json: { type: 'boolean' } } },
    [usages.delete],
  )
  const workspaceId = requireId(positionals, usages.delete)
  return config =>
    (values.yes ? withMigration : withMigratedDatabase)(config, async cells => {
      const sql = await cells.ofWorkspace(workspaceId)
      // Cells of Citus do not support moves, so no other cell can have a copy.
      const hasMoves = values.yes && hasCells(config) && !config.citus
      if (hasMoves) cells.requireAll(`It can have a copy of the workspace ${workspaceId}, so nothing was deleted.`)
      const copies = hasMoves ? await findAbandonedCopies({ cells: cells.cells, workspaceId }) : []
      if (copies.length > 0) return removeCopies(copies, workspaceId, values.json ?? false)
      return values.yes
        ? remove(sql, workspaceId, values.json ?? false)
        : preview(sql, workspaceId, values.json ?? false)
    })
}

/** Deletes what a move has left of a deleted workspace. */
const removeCopies = async (
  copies: Awaited<ReturnType<typeof findAbandonedCopies>>,
  workspaceId: string,
  asJson: boolean,
): Promise<number> => {
  const onProgress = (text: string) => void process.stderr.write(`${text}\n`)
  for (const copy of copies) await deleteAbandonedCopy(copy, { workspaceId, onProgress })
  const { name } = copies[0]!.workspace
  process.stdout.write(
    asJson
      ? `${JSON.stringify({ workspaceId, name, deleted: true, rows: {} })}\n`
      : `Deleted what a move has left of the workspace ${workspaceId} (${sanitize(name)}).\n`,
  )
  return 0
}

const remove = async (sql: Database, workspaceId: string, asJson: boolean): Promise<number> => {
  const onExpired = () => process.stderr.write('A statement has expired. It is repeated until vacuum has run.\n')
  const { name, rows } = await removeWorkspace(sql, workspaceId, { onExpired })
  process.stdout.write(
    asJson
      ? `${JSON.stringify({ workspaceId, name, deleted: true, rows })}\n`
      : `Deleted the workspace ${workspaceId} (${sanitize(name)}) with ${sum(rows)} rows. Its audit log remains until its retention ends.\n`,
  )
  return 0
}

/** Says what `--yes` would delete, and does nothing. */
const preview = async (sql: Database, workspaceId: string, asJson: boolean): Promise<number> => {
  const workspace = await findPortableWorkspace(sql, workspaceId)
  if (workspace === null) throw unknownWorkspace(workspaceId)
  const rows = await countWorkspace(sql, workspaceId)
  const counts = Object.entries(rows).map(
    ([table, count]) => `${table.replace('api_keys', 'API keys')}: ${count}${count === maxPreviewed ? ' or more' : ''}`,
  )
  process.stdout.write(
    asJson
      ? `${JSON.stringify({ workspaceId, name: workspace.name, deleted: false, rows })}\n`
      : `The workspace ${workspaceId} (${sanitize(workspace.name)}) has these rows: ${counts.join(', ')}.\nTo delete all of this, run the command again with --yes. Only an export or a backup can restore it.\n`,
  )
  return 1
}

/** The actions of this file. */
export const transferCommands: Record<keyof typeof usages, Command> = {
  export: exportCommand,
  import: importCommand,
  move: moveCommand,
  delete: deleteCommand,
}

/** Returns the only positional argument, in lower case. */
const requireId = (positionals: readonly string[], usage: string): string => {
  const [id, extra] = positionals
  if (id === undefined) throw new UsageError('The ID of the workspace is missing.', [usage])
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`, [usage])
  if (!isId(id)) throw new UsageError(`The workspace must be an ID, not "${id}".`, [usage])
  return id.toLowerCase()
}

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((all, one) => all + one, 0)

/** Milliseconds to wait until the output accepts more. PostgreSQL ends a snapshot that is idle for 30 seconds. */
const maxWaitMs = 25_000

/** Returns a function that writes to standard output, and waits while its reader is slower. */
const createOutput = () => {
  const { stdout } = process
  const output = watchOutput()
  return async (text: string): Promise<void> => {
    let cause: Error | null = null
    if (!output.aborted && !stdout.write(text))
      await once(stdout, 'drain', { signal: AbortSignal.timeout(maxWaitMs) }).catch(error => (cause = error))
    cause ??= output.reason ?? null
    if (cause) throw new TransferError(`The export ended: ${describeOutputError(cause)}.`, { cause })
  }
}

const describeOutputError = ({ name, message }: Error): string =>
  name === 'AbortError'
    ? `the output was not read for ${maxWaitMs / 1000} seconds`
    : `the output cannot be written (${message})`
