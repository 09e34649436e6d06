/**
 * Finds due rows in queue tables that many actors share. The tables are read from actor to actor, one page at a time.
 */
import { LRUCache } from 'lru-cache'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { smallestId } from '../platform/postgres/ids.ts'

/** The key of an actor, unique among actors of its kind. */
export interface ActorKey {
  workspaceId: string
  id: string
}

/** A page of actors with due rows. Actors that already run are included. */
export interface DuePage {
  due: ActorKey[]
  /** The last actor of the page, after which the next page begins. Null if there are no more actors. */
  next: ActorKey | null
}

/**
 * A page of actors, with the time of the earliest due row found. `firstMs` is in milliseconds since 1970, null if there
 * is none.
 */
export interface PolledPage extends DuePage {
  firstMs: number | null
}

/** A key smaller than that of every actor. The first page begins after it. */
export const startKey: ActorKey = { workspaceId: smallestId, id: smallestId }

/** A time before which no row is due. */
export const epoch = new Date(0)

/** A queue table that holds the rows of all actors of one kind. */
export interface QueueTable {
  /** Table name. It needs a partial index on workspace_id, the actor's column and due_at, for rows with a due_at. */
  rows: Fragment
  /** Column that holds the actor's id. */
  actorId: Fragment
  /**
   * Query for an actor (`m.workspace_id`, `m.actor_id`): returns one row if the actor can process its rows, none if
   * they must wait.
   */
  runnable: Fragment
}

/**
 * Returns the statement that reads a `PolledPage`: up to `limit` actors with rows due at `from` or later. It jumps from
 * actor to actor along the index, one probe each, and skips entries due before `from`. The cost therefore grows with
 * the number of actors that have rows, not with the number of rows.
 *
 * Actors excluded by `runnable` count towards `limit` but are not returned. Their rows do not affect `firstMs`.
 */
export const selectDueActors = (
  sql: Sql,
  { rows, actorId, runnable }: QueueTable,
  { after, limit, from }: { after: ActorKey; limit: number; from: Date },
) => sql`
  with recursive actors as (
    select ${after.workspaceId}::uuid as workspace_id, ${after.id}::uuid as actor_id, null::timestamptz as due_at, 0 as found
    union all
    select next.workspace_id, next.actor_id, next.due_at, m.found + (next.due_at <= now())::integer
    from actors m cross join lateral (
      (select r.workspace_id, r.${actorId} as actor_id, r.due_at from ${rows} r
        where r.workspace_id = m.workspace_id and r.${actorId} > m.actor_id and r.due_at >= ${from}
        order by r.workspace_id, r.${actorId}, r.due_at limit 1)
      union all
      (select r.workspace_id, r.${actorId} as actor_id, r.due_at from ${rows} r
        where r.workspace_id > m.workspace_id and r.due_at >= ${from}
        order by r.workspace_id, r.${actorId}, r.due_at limit 1)
      order by workspace_id, actor_id limit 1
    ) next
    where m.found < ${limit}
  ), visited as (
    select m.due_at, m.due_at <= now() as due, runnable.found_row is not null as runnable, m.found = ${limit} as last,
      json_build_object('workspaceId', m.workspace_id, 'id', m.actor_id) as actor
    from actors m left join lateral (${runnable}) as runnable (found_row) on true
    where m.due_at is not null
  )
  select coalesce(json_agg(actor) filter (where due and runnable), '[]') as due,
    json_agg(actor) filter (where last) -> 0 as next,
    floor(extract(epoch from min(due_at) filter (where runnable)) * 1000)::double precision as "firstMs"
  from visited`

/** One read of a queue. */
export interface QueueRead {
  /** Lower bound for `due_at`: the queue has no rows before it. */
  from: Date
  /**
   * Called with the due time of the first row found, in milliseconds since 1970, including rows that are being
   * processed. Null means that no row is due. Do not call it if the result is unknown.
   */
  complete(firstMs: number | null): void
}

/**
 * Maximum time in milliseconds for which a lower bound is kept. Limits the damage of a wrong bound, after a clock was
 * set back or a row was written by hand.
 */
const maxAgeMs = 30_000
/** Maximum number of queues with a known lower bound. Above it the bound that was stored first is dropped. */
const maxBounds = 10_000

/**
 * Lower bounds (watermarks) for `due_at` per queue, as seen by this process. A settled row leaves a dead index entry,
 * which PostgreSQL cannot remove while an old snapshot is open (a backup, a long report). Without a bound, every read
 * would scan a day of dead entries before the first due row.
 */
export class QueueWatermarks {
  readonly #bounds = new LRUCache<string, Bound>({ max: maxBounds })
  #generation = 0

  /** No transaction can still commit a row that is due before `watermark.passedMs`. */
  constructor(private readonly watermark: { readonly passedMs: number; readonly generation: number }) {}

  /** Starts a read. Call it before the query: rows written later are due after the `passedMs` of this moment. */
  startRead(queue: string): QueueRead {
    const { passedMs, generation } = this.watermark
    if (generation !== this.#generation) this.#bounds.clear()
    this.#generation = generation
    const bound = this.#bound(queue)
    const complete = (firstMs: number | null) => {
      if (generation === this.#generation) this.#raiseBound(queue, bound, Math.min(firstMs ?? passedMs, passedMs))
    }
    return { from: new Date(bound?.ms ?? 0), complete }
  }

  #bound(queue: string): Bound | undefined {
    const bound = this.#bounds.get(queue)
    if (bound === undefined || performance.now() < bound.expiresAt) return bound
    this.#bounds.delete(queue)
    return undefined
  }

  /**
   * Raises the bound that the read started from. If that bound was dropped during the read, nothing is stored, because
   * the read did not cover the rows below it.
   */
  #raiseBound(queue: string, startedFrom: Bound | undefined, ms: number): void {
    const bound = this.#bounds.get(queue)
    if (bound !== undefined && (startedFrom === undefined || bound === startedFrom)) bound.ms = Math.max(bound.ms, ms)
    else if (bound === undefined && startedFrom === undefined) this.#store(queue, ms)
  }

  #store(queue: string, ms: number): void {
    // Randomized, so that the bounds do not all expire at the same time.
    this.#bounds.set(queue, { ms, expiresAt: performance.now() + maxAgeMs * (0.5 + Math.random() / 2) })
  }
}

interface Bound {
  ms: number
  /** Time on the clock of `performance.now()`. */
  expiresAt: number
}

/** A pass over the queues of all actors of one kind. All its pages share one `QueueRead`. */
export class QueuePoll {
  #read: QueueRead
  #firstMs = Number.POSITIVE_INFINITY

  constructor(private readonly watermarks: QueueWatermarks) {
    this.#read = this.#begin()
  }

  /** Returns the page after this actor. `read` receives the lower bound for `due_at`. */
  async page(after: ActorKey, read: (from: Date) => Promise<PolledPage>): Promise<DuePage> {
    if (after.id === startKey.id) this.#read = this.#begin()
    const page = await read(this.#read.from)
    this.#firstMs = Math.min(this.#firstMs, page.firstMs ?? Number.POSITIVE_INFINITY)
    if (page.next === null) this.#read.complete(this.#firstMs)
    return page
  }

  #begin(): QueueRead {
    this.#firstMs = Number.POSITIVE_INFINITY
    return this.watermarks.startRead('all')
  }
}
