/** The further cells of a process. With Citus, cells appear, move to another node and disappear while it runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CellConfig } from '../../config.ts'
import type { Log } from '../../platform/log.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import { type Database, isMoved } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'
import { defaultGraceMs } from './cell.ts'
import type { CellCallbacks, FurtherCell } from './further-cell.ts'
import type { LinkedCells } from './link.ts'

/** Milliseconds between two questions where the cells are, also when each call fails. */
const [findMs, minFindMs] = [2000, 100]

/** Milliseconds between two questions because no known cell has a record. */
const refreshMs = 1000

/** Milliseconds after which calls of a cell that moves are rejected, and maximum number of calls that wait. */
const [maxMoveMs, maxWaiting] = [5000, 1024]

const newReading = () => {
  const reading = Promise.withResolvers<void>()
  reading.promise.catch(() => {})
  return reading
}

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
  /** The next reading of the cells, and when the last one began. */
  #reading = newReading()
  #readAt = Number.NEGATIVE_INFINITY
  #refreshTimer: ReturnType<typeof setTimeout> | null = null
  /** Cells that are moving, with the start of the move. */
  readonly #moves = new Map<string, PromiseWithResolvers<void> & { startedAt: number }>()
  #waiting = 0

  constructor(private readonly options: FurtherCellsOptions) {
    for (const cell of options.cells) this.#add(cell)
    if (options.find) options.linked.locator.refresh = () => this.#refresh()
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

  /** Returns a cell that works. Waits for one that is moving, for at most 5 seconds. Rejects with CellUnavailable. */
  async findWorking(name: string | null): Promise<FurtherCell | undefined> {
    const cell = this.find(name)
    if (!cell || cell.api) return cell
    const move = this.#moves.get(cell.name)
    const leftMs = move ? move.startedAt + maxMoveMs - performance.now() : 0
    if (!move || leftMs <= 0 || this.#waiting >= maxWaiting) throw new CellUnavailable()
    this.#waiting++
    const timeout = new AbortController()
    await Promise.race([move.promise, sleep(leftMs, null, { signal: timeout.signal }).catch(() => {})])
    timeout.abort()
    this.#waiting--
    const moved = this.find(name)
    if (moved && !moved.api) throw new CellUnavailable()
    return moved
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
    this.#reading.reject(new CellUnavailable())
    if (this.#refreshTimer) clearTimeout(this.#refreshTimer)
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
      const reading = this.#reading
      this.#reading = newReading()
      this.#readAt = performance.now()
      try {
        for (const cell of this.#apply(await find(this.all.map(({ pools }) => pools.vital)))) void cell.start()
        reading.resolve()
      } catch (error) {
        reading.reject(new CellUnavailable())
        this.options.log.debug({ error }, 'no node says where the cells are; retrying')
      }
    }
  }

  /** Resolves when the cells were read after this call. Rejects with CellUnavailable if no node says where they are. */
  #refresh(): Promise<void> {
    this.#refreshTimer ??= setTimeout(
      () => {
        this.#refreshTimer = null
        this.#wake.abort()
      },
      Math.max(0, this.#readAt + refreshMs - performance.now()),
    )
    return this.#reading.promise
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
      onStarted: () => {
        if (this.#cells.get(settings.name) === cell) this.#endMove(settings.name)
      },
    })
    this.#cells.set(settings.name, cell)
    this.options.linked.add(settings.name, cell.pools, () => cell.isHeld)
    return cell
  }

  #remove(name: string): void {
    this.#retire(name)
    this.#cells.delete(name)
    this.#endMove(name)
    this.options.linked.remove(name)
    this.options.log.info({ cell: name }, 'the cell no longer exists')
  }

  #retire(name: string): void {
    const cell = this.#cells.get(name)!
    if (this.#retired.has(cell)) return
    this.#retired.add(cell)
    if (!this.#moves.has(name))
      this.#moves.set(name, { ...Promise.withResolvers<void>(), startedAt: performance.now() })
    const retired = cell.retire(AbortSignal.timeout(defaultGraceMs))
    this.#retiring.add(retired)
    void retired.finally(() => this.#retiring.delete(retired))
  }

  #endMove(name: string): void {
    this.#moves.get(name)?.resolve()
    this.#moves.delete(name)
  }
}
