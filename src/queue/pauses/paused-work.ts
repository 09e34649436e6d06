import type { Sql } from '../../platform/postgres/client.ts'
import { type PausableKind, pausableKinds } from './kinds.ts'
import { selectPauses } from './sql.ts'

/** The pauses that a process knows. */
export class PausedWork {
  readonly #everywhere = new Set<PausableKind>()
  readonly #workspaces = new Map<PausableKind, Set<string>>()

  /** `rows`: a null workspace means all of them. */
  constructor(rows: readonly { kind: PausableKind; workspaceId: string | null }[] = []) {
    for (const { kind, workspaceId } of rows)
      if (workspaceId === null) this.#everywhere.add(kind)
      else this.#workspaces.set(kind, (this.#workspaces.get(kind) ?? new Set()).add(workspaceId))
  }

  /** The kinds that are paused in all workspaces. */
  get everywhere(): PausableKind[] {
    return pausableKinds.filter(kind => this.#everywhere.has(kind))
  }

  isPausedEverywhere(kind: PausableKind): boolean {
    return this.#everywhere.has(kind)
  }

  isPaused(kind: PausableKind, workspaceId: string): boolean {
    return this.#everywhere.has(kind) || (this.#workspaces.get(kind)?.has(workspaceId) ?? false)
  }

  /** Returns the workspaces in which a kind is paused, in addition to those of `everywhere`. */
  workspaces(kind: PausableKind): string[] {
    return [...(this.#workspaces.get(kind) ?? [])]
  }
}

/** Reads all pauses. */
export const readPauses = async (sql: Sql): Promise<PausedWork> => new PausedWork(await selectPauses(sql))
