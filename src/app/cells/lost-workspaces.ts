/** Finds workspaces of the directory that no cell has, for example because CELLS lacks their cell. */
import { selectWorkspacesWithMembers } from '../../accounts/members/index.ts'
import { findWorkspaceIds } from '../../accounts/workspace-access/index.ts'
import type { Log } from '../../platform/log.ts'
import { askCell } from '../../platform/postgres/cells.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { createService, type Service } from '../../platform/service.ts'

/** Number of workspaces that one statement looks for. */
const pageSize = 1000

/** Maximum number of workspaces that are returned. */
const maxFound = 10

/** Advice for the operator, for the end of a sentence. */
export const nameAllCells = 'name every cell in CELLS, or restore the missing one'

/**
 * Returns up to ten workspaces that have members and that none of `cells` has. It asks in pages, and ends early if `signal`
 * aborts. Rejects with CellUnavailable, or with the failure of its database, if a cell does not answer.
 */
export const findLostWorkspaces = async (
  directory: Sql,
  cells: readonly Sql[],
  signal?: AbortSignal,
): Promise<string[]> => {
  const lost: string[] = []
  for (let after: string | null = null; lost.length < maxFound && !signal?.aborted; ) {
    const ids = await selectWorkspacesWithMembers(directory, after, pageSize)
    const found = new Set<string>()
    for (const cell of cells) for (const id of await askCell(cell, () => findWorkspaceIds(cell, ids))) found.add(id)
    lost.push(...ids.filter(id => !found.has(id)))
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) break
    after = last
  }
  return lost.slice(0, maxFound)
}

/** Logs an error after the start if no cell has a workspace of the directory. Does nothing if a cell does not answer. */
export const lostWorkspacesCheck = ({
  directory,
  cells,
  log,
}: {
  directory: Sql
  cells: () => readonly Sql[]
  log: Log
}): Service => {
  const stopping = new AbortController()
  let checked = Promise.resolve()
  const check = async () => {
    const workspaces = await findLostWorkspaces(directory, cells(), stopping.signal)
    if (workspaces.length > 0) log.error({ workspaces }, `no cell has workspaces that have members: ${nameAllCells}`)
  }
  return createService('lost workspaces', {
    // The service works meanwhile.
    start: () => {
      checked = check().catch(error =>
        log.debug({ error }, 'the workspaces of the directory could not be compared with those of the cells'),
      )
    },
    stop: () => {
      stopping.abort()
      return checked
    },
  })
}
