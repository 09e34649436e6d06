/** The further cells of a process. With Citus, cells appear, move to another node and disappear while it runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CellConfig } from '../../config.ts'
import type { Log } from '../../platform/log.ts'
import { type Database, isMoved } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'
import { defaultGraceMs } from './cell.ts'
import type { CellCallbacks, FurtherCell } from './further-cell.ts'
import type { LinkedCells } from './link.ts'

/** Milliseconds between two questions where the cells are, also when each call fails. */
const [findMs, minFindMs] = [2000, 100]

export interface FurtherCellsOptions {
  /** Creates a cell without opening a connection. */
  create: (cell: CellConfig, callbacks: CellCallbacks) => FurtherCell
  linked: LinkedCells
  /** Cells that are known at the start. */
  cells: readonly CellConfig[]
  /** Asks the database where the cells are, over connections of the known cells. Null if they do not change. */
  find: ((connections: Database[]) => Promise<CellConfig[]>) | null
  log: Log
}

export class FurtherCells implements Service {
  readonly name = 'cells'
  readonly #cells = new Map<string, FurtherCell>()
  readonly #retiring = new Set<Promise<void>>()
  /** Cells that have moved to a node that is not known yet, or were replaced. */
  readonly #retired = new WeakSet<FurtherCell>()
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #wake = new AbortController()

  constructor(private readonly options: FurtherCellsOptions) {
    for (const cell of options.cells) this.#add(cell)
  }

  get all(): readonly FurtherCell[] {
    return [...this.#cells.values()]
  }

  get services(): readonly Service[] {
    return this.all
  }

  find(name: string | null): FurtherCell | undefined {
    return name === null ? undefined : this.#cells.get(name)
  }

  /** Resolves when the cells work, or after 5 seconds. Rejects if the database cannot say where they are. */
  async start(): Promise<void> {
    const { find } = this.options
    if (find) this.#apply(await find([]))
    await Promise.all(this.all.map(cell => cell.start()))
    if (find) this.#running = this.#watch(find)
  }

  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopping.abort()
    this.#wake.abort()
    await this.#running
    await Promise.all([...this.all.map(cell => cell.stop(deadline)), ...this.#retiring])
  }

  async #watch(find: NonNullable<FurtherCellsOptions['find']>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await sleep(minFindMs, null, { ref: false })
      if (!this.all.some(cell => this.#retired.has(cell)))
        await sleep(findMs, null, { signal: this.#wake.signal, ref: false }).catch(() => {})
      if (this.#stopping.signal.aborted) return
      this.#wake = new AbortController()
      try {
        for (const cell of this.#apply(await find(this.all.map(({ pools }) => pools.vital)))) void cell.start()
      } catch (error) {
        this.options.log.debug({ error }, 'no node says where the cells are; retrying')
      }
    }
  }

  /** Adds new cells, replaces those with another URL, and removes the others. Returns those that must be started. */
  #apply(found: readonly CellConfig[]): FurtherCell[] {
    const { log } = this.options
    const changed = found.filter(({ name, url }) => {
      const known = this.#cells.get(name)
      return known?.url !== url || this.#retired.has(known)
    })
    for (const name of this.#cells.keys()) if (!found.some(cell => cell.name === name)) this.#remove(name)
    return changed.map(cell => {
      const isMove = this.#cells.has(cell.name)
      if (isMove) this.#retire(cell.name)
      log.info({ cell: cell.name, node: cell.citus?.node }, isMove ? 'the cell has moved' : 'the cell was found')
      return this.#add(cell)
    })
  }

  #add(settings: CellConfig): FurtherCell {
    const cell = this.options.create(settings, {
      onFailure: error => {
        if (isMoved(error)) this.#wake.abort()
      },
      // Its worker would send what the new node sends too, and could not record it.
      onMoved: () => {
        if (this.#cells.get(settings.name) !== cell) return
        this.#retire(settings.name)
        this.#wake.abort()
      },
      others: () => this.all.flatMap(({ name, pools }) => (name === settings.name ? [] : [{ name, sql: pools.vital }])),
    })
    this.#cells.set(settings.name, cell)
    this.options.linked.add(settings.name, cell.pools)
    return cell
  }

  #remove(name: string): void {
    this.#retire(name)
    this.#cells.delete(name)
    this.options.linked.remove(name)
    this.options.log.info({ cell: name }, 'the cell no longer exists')
  }

  #retire(name: string): void {
    const cell = this.#cells.get(name)!
    if (this.#retired.has(cell)) return
    this.#retired.add(cell)
    const retired = cell.retire(AbortSignal.timeout(defaultGraceMs))
    this.#retiring.add(retired)
    void retired.finally(() => this.#retiring.delete(retired))
  }
}
