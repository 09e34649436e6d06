/**
 * Finds due rows in queue tables that many actors share. The tables are read from actor to actor, one page at a time.
 */
import type { Fragment, Sql } from '../db/client.ts'

/** The key of an actor, unique among actors of its kind. */
export interface Addressee {
  workspaceId: string
  id: string
}

/** A page of actors with due rows. Actors that already run are included. */
export interface DuePage {
  due: Addressee[]
  /** The last actor of the page, after which the next page begins. Null if there are no more actors. */
  next: Addressee | null
}

/**
 * A page of actors, with the time of the earliest due row found. `firstMs` is in milliseconds since 1970, null if there
 * is none.
 */
export interface SweptPage extends DuePage {
  firstMs: number | null
}

/** A key smaller than that of every actor. The first page begins after it. */
export const inFrontOfAll: Addressee = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/** A time before which no row is due. */
export const beginning = new Date(0)

/** A queue table that holds the rows of all actors of one kind. */
export interface Mailboxes {
  /** Table name. It needs a partial index on workspace_id, the actor's column and due_at, for rows with a due_at. */
  rows: Fragment
  /** Column that holds the actor's id. */
  actorId: Fragment
  /**
   * Query for an actor (`m.workspace_id`, `m.actor_id`): returns one row if the actor can process its rows, none if
   * they must wait.
   */
  living: Fragment
}

/**
 * Returns the statement that reads a `SweptPage`: up to `limit` actors with rows due at `from` or later. It jumps from
 * actor to actor along the index, one probe each, and skips entries due before `from`. The cost therefore grows with
 * the number of actors that have rows, not with the number of rows.
 *
 * Actors excluded by `living` count towards `limit` but are not returned. Their rows do not affect `firstMs`.
 */
export const findingDue = (
  sql: Sql,
  { rows, actorId, living }: Mailboxes,
  { after, limit, from }: { after: Addressee; limit: number; from: Date },
) => sql`
  with recursive mailbox as (
    select ${after.workspaceId}::uuid as workspace_id, ${after.id}::uuid as actor_id, null::timestamptz as due_at, 0 as found
    union all
    select next.workspace_id, next.actor_id, next.due_at, m.found + (next.due_at <= now())::integer
    from mailbox m cross join lateral (
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
  ), met as (
    select m.due_at, m.due_at <= now() as due, living.yes is not null as living, m.found = ${limit} as last,
      json_build_object('workspaceId', m.workspace_id, 'id', m.actor_id) as actor
    from mailbox m left join lateral (${living}) as living (yes) on true
    where m.due_at is not null
  )
  select coalesce(json_agg(actor) filter (where due and living), '[]') as due,
    json_agg(actor) filter (where last) -> 0 as next,
    floor(extract(epoch from min(due_at) filter (where living)) * 1000)::double precision as "firstMs"
  from met`

/** One read of a queue. */
export interface Look {
  /** Lower bound for `due_at`: the queue has no rows before it. */
  from: Date
  /**
   * Called with the due time of the first row found, in milliseconds since 1970, including rows that are being
   * processed. Null means that no row is due. Do not call it if the result is unknown.
   */
  found(firstMs: number | null): void
}

/**
 * Maximum time in milliseconds for which a lower bound is kept. Limits the damage of a wrong bound, after a clock was
 * set back or a row was written by hand.
 */
const keptMs = 30_000
/** Maximum number of queues with a known lower bound. Above it the bound that was stored first is dropped. */
const maxFloors = 10_000

/**
 * Lower bounds (watermarks) for `due_at` per queue, as seen by this process. A settled row leaves a dead index entry,
 * which PostgreSQL cannot remove while an old snapshot is open (a backup, a long report). Without a bound, every read
 * would scan a day of dead entries before the first due row.
 */
export class Floors {
  readonly #known = new Map<string, Floor>()
  #era = 0

  /** `horizon.passedMs`: no transaction can still commit a row that is due before this time. */
  constructor(private readonly horizon: { readonly passedMs: number; readonly era: number }) {}

  /** Starts a read. Call it before the query: rows written later are due after the `passedMs` of this moment. */
  look(mailbox: string): Look {
    const { passedMs, era } = this.horizon
    if (era !== this.#era) this.#known.clear()
    this.#era = era
    const floor = this.#floor(mailbox)
    const found = (firstMs: number | null) => {
      if (era === this.#era) this.#raise(mailbox, floor, Math.min(firstMs ?? passedMs, passedMs))
    }
    return { from: new Date(floor?.ms ?? 0), found }
  }

  #floor(mailbox: string): Floor | undefined {
    const floor = this.#known.get(mailbox)
    if (floor === undefined || performance.now() < floor.forgetAt) return floor
    this.#known.delete(mailbox)
    return undefined
  }

  /**
   * Raises the bound that the read started from. If that bound was dropped during the read, nothing is stored, because
   * the read did not cover the rows below it.
   */
  #raise(mailbox: string, lookedFrom: Floor | undefined, ms: number): void {
    const floor = this.#known.get(mailbox)
    if (floor !== undefined && (lookedFrom === undefined || floor === lookedFrom)) floor.ms = Math.max(floor.ms, ms)
    else if (floor === undefined && lookedFrom === undefined) this.#keep(mailbox, ms)
  }

  #keep(mailbox: string, ms: number): void {
    if (this.#known.size >= maxFloors) this.#known.delete(this.#known.keys().next().value!)
    // Randomized, so that the bounds do not all expire at the same time.
    this.#known.set(mailbox, { ms, forgetAt: performance.now() + keptMs * (0.5 + Math.random() / 2) })
  }
}

interface Floor {
  ms: number
  /** Time on the clock of `performance.now()`. */
  forgetAt: number
}

/** A pass over the queues of all actors of one kind. All its pages share one `Look`. */
export class Sweep {
  #look: Look
  #firstMs = Number.POSITIVE_INFINITY

  constructor(private readonly floors: Floors) {
    this.#look = this.#begin()
  }

  /** Returns the page after this actor. `read` receives the lower bound for `due_at`. */
  async page(after: Addressee, read: (from: Date) => Promise<SweptPage>): Promise<DuePage> {
    if (after.id === inFrontOfAll.id) this.#look = this.#begin()
    const page = await read(this.#look.from)
    this.#firstMs = Math.min(this.#firstMs, page.firstMs ?? Number.POSITIVE_INFINITY)
    if (page.next === null) this.#look.found(this.#firstMs)
    return page
  }

  #begin(): Look {
    this.#firstMs = Number.POSITIVE_INFINITY
    return this.floors.look('all')
  }
}
