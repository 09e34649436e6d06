/** What the mailboxes that many actors share have in common: they are walked from actor to actor, a page at a time. */
import type { Fragment, Sql } from '../db/client.ts'

/** An actor, among those of its kind. */
export interface Addressee {
  workspaceId: string
  id: string
}

/** Actors with due rows; whether anybody attends to them is not asked here. */
export interface DuePage {
  due: Addressee[]
  /** The last actor that was looked at, for the next page to begin after; null when none is left. */
  next: Addressee | null
}

/** The same, and when the first row of all that were met is due, in milliseconds since 1970; null where there is none. */
export interface SweptPage extends DuePage {
  firstMs: number | null
}

/** No actor stands in front of it: the first page begins after it. */
export const inFrontOfAll: Addressee = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
}

/** No row is due before it. */
export const beginning = new Date(0)

/** A table with the mailboxes of all actors of a kind. */
export interface Mailboxes {
  /** Its name. It has an index over workspace_id, the actor's column and due_at, of the rows that have a due_at. */
  rows: Fragment
  /** The column that says whose row it is. */
  actorId: Fragment
  /** A query of one row for an actor (`m.workspace_id`, `m.actor_id`) that its rows are for, of none where they are to wait. */
  living: Fragment
}

/**
 * The statement that answers a `SweptPage`: actors with rows due at `from` or later, up to `limit` of them. Steps from
 * actor to actor along the index, so that its cost grows with the number of actors that have mail, not with the mail:
 * for each the index is entered anew, behind what was due before `from`. Those that do not live count as found and are
 * left out; what waits for them is not what the first row is told of.
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

/** A look into a mailbox. */
export interface Look {
  /** There is nothing before it. */
  from: Date
  /**
   * What the look found: when the first row there is due, in milliseconds since 1970, whoever has it in hand; null where
   * none is due by now. Not to be called where that is not known.
   */
  found(firstMs: number | null): void
}

/** A floor that turned out to be wrong, by a clock that was set back or a row written by hand, does harm for so long. */
const keptMs = 30_000
/** Mailboxes of which a floor is known; beyond them the one that was learnt first is forgotten. */
const maxFloors = 10_000

/**
 * From which time on each mailbox can hold rows, as far as this process has seen. A row that was settled leaves an entry
 * in the index, which cannot be cleared while an old snapshot is open (a backup, a long report); the entries of a day
 * would stand in front of the first row that is due, and every look would go through all of them.
 */
export class Floors {
  readonly #known = new Map<string, Floor>()
  #era = 0

  /** `horizon`: up to there nobody is still writing what would be due by now. */
  constructor(private readonly horizon: { readonly passedMs: number; readonly era: number }) {}

  /** To be asked before the look is made: what is written afterwards is due after what had passed by now. */
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

  /** A look that began at a floor raises that one only: where it was forgotten meanwhile, nobody has looked below it. */
  #raise(mailbox: string, lookedFrom: Floor | undefined, ms: number): void {
    const floor = this.#known.get(mailbox)
    if (floor !== undefined && (lookedFrom === undefined || floor === lookedFrom)) floor.ms = Math.max(floor.ms, ms)
    else if (floor === undefined && lookedFrom === undefined) this.#keep(mailbox, ms)
  }

  #keep(mailbox: string, ms: number): void {
    if (this.#known.size >= maxFloors) this.#known.delete(this.#known.keys().next().value!)
    // Not all at the same moment.
    this.#known.set(mailbox, { ms, forgetAt: performance.now() + keptMs * (0.5 + Math.random() / 2) })
  }
}

interface Floor {
  ms: number
  /** By `performance.now()`. */
  forgetAt: number
}

/** The look of a sweep at the mailboxes of all actors of a kind: one, however many pages it takes. */
export class Sweep {
  #look: Look
  #firstMs = Number.POSITIVE_INFINITY

  constructor(private readonly floors: Floors) {
    this.#look = this.#begin()
  }

  /** The page after this actor; `read` is told where the mailboxes can hold rows from. */
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
