/**
 * Compares the workspaces of the directory with those of the cells. No cell has a workspace if CELLS lacks its cell, for
 * example. Two cells have one after a restore to before a move.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { selectWorkspacesWithMembers } from '../../accounts/members/index.ts'
import { findWorkspaceIds } from '../../accounts/workspace-access/index.ts'
import type { Log } from '../../platform/log.ts'
import { askCell } from '../../platform/postgres/cells.ts'
import { isServerFailure, type Sql } from '../../platform/postgres/client.ts'
import { createService, type Service } from '../../platform/service.ts'

/** Number of workspaces that one statement looks for. */
const pageSize = 1000

/** Maximum number of workspaces that are returned of each kind. */
const maxFound = 10

/** Advice for the operator, for the end of a sentence. */
export const nameAllCells = 'name every cell in CELLS, or restore the missing one'
export const keepOneCell = 'unless it is being moved, see "Restore a cell after a move" in docs/scaling.md'

/** Workspaces that have members. */
export interface ComparedWorkspaces {
  /** Workspaces that no cell has. */
  lost: string[]
  /** Workspaces that several cells have. The copies of a move do not count. */
  shared: { id: string; cells: string[] }[]
}

/** Returns the names of the cells that have each workspace. */
const findCellsOf = async (
  ids: readonly string[],
  cells: readonly { name: string; sql: Sql }[],
): Promise<Map<string, string[]>> => {
  const cellsOf = new Map(ids.map((id): [string, string[]] => [id, []]))
  if (ids.length === 0) return cellsOf
  for (const { name, sql } of cells)
    for (const id of await askCell(sql, () => findWorkspaceIds(sql, ids))) cellsOf.get(id)!.push(name)
  return cellsOf
}

/**
 * Returns up to ten workspaces of each kind. It asks in pages, and ends early if `signal` aborts. Rejects with
 * CellUnavailable, or with the failure of its database, if a cell does not answer.
 */
export const compareWorkspaces = async (
  directory: Sql,
  cells: readonly { name: string; sql: Sql }[],
  signal?: AbortSignal,
): Promise<ComparedWorkspaces> => {
  const compared: ComparedWorkspaces = { lost: [], shared: [] }
  for (let after: string | null = null; !signal?.aborted; ) {
    const ids = await selectWorkspacesWithMembers(directory, after, pageSize)
    const first = await findCellsOf(ids, cells)
    // A workspace can have been moved between the questions to two cells.
    const unclear = ids.filter(id => first.get(id)!.length !== 1)
    for (const [id, names] of await findCellsOf(unclear, cells)) {
      if (names.length === 0 && compared.lost.length < maxFound) compared.lost.push(id)
      if (names.length > 1 && compared.shared.length < maxFound) compared.shared.push({ id, cells: names })
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) break
    after = last
  }
  return compared
}

/** Milliseconds until the cells are asked again, if one did not answer. */
const defaultRepeatMs = 60_000

/** Logs an error after the start if a workspace of the directory is in no cell or in several. Waits until all cells answer. */
export const workspacesCheck = ({
  directory,
  cells,
  log,
  repeatMs = defaultRepeatMs,
}: {
  directory: Sql
  cells: () => readonly { name: string; sql: Sql }[]
  log: Log
  repeatMs?: number
}): Service => {
  const stopping = new AbortController()
  const { signal } = stopping
  let checked = Promise.resolve()
  const check = async () => {
    const { lost, shared } = await compareWorkspaces(directory, cells(), signal)
    if (lost.length > 0) log.error({ workspaces: lost }, `no cell has workspaces that have members: ${nameAllCells}`)
    if (shared.length > 0) log.error({ workspaces: shared }, `several cells have the same workspaces: ${keepOneCell}`)
  }
  const run = async () => {
    while (!signal.aborted)
      try {
        return await check()
      } catch (error) {
        if (signal.aborted) return
        const level = isServerFailure(error) ? 'debug' : 'error'
        log[level]({ error }, 'the workspaces of the directory could not be compared with those of the cells')
        await sleep(repeatMs, null, { signal, ref: false }).catch(() => {})
      }
  }
  return createService('comparison of workspaces', {
    // The service works meanwhile.
    start: () => {
      checked = run()
    },
    stop: () => {
      stopping.abort()
      return checked
    },
  })
}
