/** In-memory actor kind and an observable lease, for the tests of the actor host. */
import { randomUUID } from 'node:crypto'
import { type ActorId, LeaseHolder } from '../../src/platform/postgres/lease.ts'
import type { ActorKind } from '../../src/queue/actor.ts'
import type { ResponseKind } from '../../src/queue/concurrency.ts'
import type { ActorKey, DuePage } from '../../src/queue/queue.ts'

interface Row {
  id: string
  actorId: string
  dueAt: number
  /** Handling the row ends when the test calls `end` or `fail`. */
  held: boolean
}

interface Hand {
  end(answered: boolean): void
  fail(error: Error): void
}

const workspaceId = randomUUID()

/** In-memory queue. A row is due until its outcome is recorded, as in a table. Several hosts can share one. */
export class MemoryQueue implements ActorKind {
  readonly name = 'test'
  maxInFlight = 64
  /** Whether the poll finds its actors. Defaults to false, so that only explicit wake-ups have an effect. */
  isPolled = false
  /** Rows whose handling has started, in order. */
  readonly started: string[] = []
  /** Held rows that have started and not ended. */
  readonly inFlight = new Map<string, Hand>()
  /** Times that were requested from `wakeIn`, in milliseconds as in `Date.now()`. */
  readonly wakeUps: number[] = []
  /** Called before each page is read, with its number. */
  onRead: (page: number) => void = () => {}
  /** Additional work while a row is handled. */
  handling: (id: string) => Promise<void> = async () => {}
  /** Work to record an outcome after the other side has responded. */
  recording: ((id: string) => Promise<void>) | null = null
  /** Rows whose outcome cannot be recorded. */
  readonly unrecordable = new Set<string>()
  readonly #rows = new Map<string, Row>()
  readonly #actorId = randomUUID()
  /** Number of pages that were read. */
  pages = 0

  /** Default actor of added rows. */
  get actor(): ActorId {
    return this.actorOf(this.#actorId)
  }

  actorOf(id: string): ActorId {
    return { kind: this.name, workspaceId, id }
  }

  add(ids: string[], { actor = this.actor, dueAt = 0, held = false } = {}): void {
    for (const id of ids) this.#rows.set(id, { id, actorId: actor.id, dueAt, held })
  }

  remove(id: string): void {
    this.#rows.delete(id)
  }

  /** Rows whose outcome was not recorded yet. */
  get left(): string[] {
    return [...this.#rows.keys()]
  }

  end(id: string, answered = true): void {
    this.inFlight.get(id)!.end(answered)
  }

  fail(id: string): void {
    this.inFlight.get(id)!.fail(new Error('the outcome cannot be recorded'))
  }

  async read(actor: ActorId, limit: number, except: string[]): Promise<{ id: string }[]> {
    this.onRead(++this.pages)
    return this.#due(actor.id)
      .filter(({ id }) => !except.includes(id))
      .slice(0, limit)
      .map(({ id }) => ({ id }))
  }

  async handle(
    _: ActorId,
    { id }: { id: string },
    deadline: AbortSignal,
    responded: () => void,
  ): Promise<ResponseKind> {
    this.started.push(id)
    await this.handling(id)
    const answered = this.#rows.get(id)?.held ? await this.#hold(id, deadline) : true
    responded()
    if (this.recording) await this.recording(id)
    if (deadline.aborted) return 'none'
    if (this.unrecordable.has(id)) throw new Error('the outcome cannot be recorded')
    this.#rows.delete(id)
    return answered ? 'success' : 'none'
  }

  async dueInMs(actor: ActorId): Promise<number | null> {
    const times = [...this.#rows.values()].filter(row => row.actorId === actor.id).map(({ dueAt }) => dueAt)
    return times.length === 0 ? null : Math.min(...times) - Date.now()
  }

  async wakeIn(_: ActorId, ms: number): Promise<void> {
    this.wakeUps.push(Date.now() + ms)
  }

  async findDue(after: ActorKey, limit: number): Promise<DuePage> {
    const ids = new Set([...this.#rows.values()].filter(isDue).map(({ actorId }) => actorId))
    const due = [...ids].filter(id => this.isPolled && id > after.id).toSorted()
    return {
      due: due.slice(0, limit).map(id => ({ workspaceId, id })),
      next: due.length > limit ? { workspaceId, id: due[limit - 1]! } : null,
    }
  }

  #due(actorId: string): Row[] {
    return [...this.#rows.values()].filter(row => row.actorId === actorId && isDue(row))
  }

  async #hold(id: string, deadline: AbortSignal): Promise<boolean> {
    try {
      return await new Promise<boolean>((end, fail) => {
        this.inFlight.set(id, { end, fail })
        deadline.addEventListener('abort', () => end(false))
      })
    } finally {
      this.inFlight.delete(id)
    }
  }
}

const isDue = ({ dueAt }: Row): boolean => dueAt <= Date.now()

/** Real lease that records its operations and has hooks for tests. */
export class WatchedLease extends LeaseHolder {
  /** Result of each attempt to acquire the lease. */
  readonly takings: boolean[] = []
  /** Result of each heartbeat. */
  readonly renewals: boolean[] = []
  departed = false
  afterTake: () => Promise<void> = async () => {}
  beforeRelease: () => void = () => {}
  beforeRenew: () => Promise<void> = async () => {}

  override async acquire(actor: ActorId): Promise<boolean> {
    const taken = await super.acquire(actor)
    this.takings.push(taken)
    await this.afterTake()
    return taken
  }

  override async release(actor: ActorId): Promise<void> {
    this.beforeRelease()
    await super.release(actor)
  }

  override async renew(): Promise<boolean> {
    await this.beforeRenew()
    const known = await super.renew()
    this.renewals.push(known)
    return known
  }

  override async releaseAll(): Promise<void> {
    this.departed = true
    await super.releaseAll()
  }
}
