/**
 * Leases: at most one activation of an actor in the whole cluster. A lease belongs to a process and holds as long as
 * that process is known to live, so that a process renews all of its leases with one small statement a second. It ends
 * when its holder departs, is silent for too long, or is seen to have ended by a neighbour on the same machine.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Birth, isGone, ownBirth } from '../platform/neighbours.ts'
import type { Sql } from './client.ts'

/** Names an actor: an endpoint, a channel. */
export interface ActorId {
  kind: string
  workspaceId: string
  id: string
}

export interface LeaseOptions {
  /** How long after its last sign of life a process counts as dead, in milliseconds. */
  ttlMs: number
  /** Milliseconds between signs of life. */
  renewMs: number
}

/** Another process of this machine that counts as living. */
interface Neighbour {
  id: string
  pid: number
  born: string
}

/** Where whoever finds a lease held says so: the id of the actor, for its holder to look again. */
export const heldChannel = 'lease_held'

export const leaseDefaults: LeaseOptions = { ttlMs: 5000, renewMs: 1000 }

/** A process as the database knows it: the holder of leases. */
export class LeaseHolder {
  readonly id = randomUUID()
  readonly #options: LeaseOptions
  #trustedUntil = 0

  constructor(
    private readonly sql: Sql,
    options: LeaseOptions = leaseDefaults,
    private readonly birth: Birth | null = ownBirth(),
    /** The ids of the keys by which this process opens what is sealed; the first seals. */
    private readonly opens: readonly string[] = [],
  ) {
    this.#options = options
  }

  get renewMs(): number {
    return this.#options.renewMs
  }

  /**
   * True while this process may act on its leases. It stops before the database would give them away: the time is
   * counted from before the renewal was sent, by this machine's own clock, with a second to spare.
   */
  get trusted(): boolean {
    return performance.now() < this.#trustedUntil
  }

  /**
   * A sign of life. False when the database had forgotten this process (it was away too long, or PostgreSQL crashed
   * and its unlogged tables are empty): whatever it held may be held by another by now. Looks after its neighbours on the
   * same machine as well: the leases of one that has ended without a word are free at once.
   */
  async renew(): Promise<boolean> {
    const sentAt = performance.now()
    const { place, pid, born } = this.birth ?? { place: null, pid: process.pid, born: null }
    const [row] = await this.sql<{ known: boolean; neighbours: Neighbour[] }[]>`
      insert into processes (id, host, pid, place, born, opens, alive_until)
      values (${this.id}, ${hostname()}, ${pid}, ${place}, ${born}, ${this.opens as string[]},
        clock_timestamp() + ${this.#options.ttlMs} * interval '1 millisecond')
      on conflict (id) do update set alive_until = excluded.alive_until
      returning coalesce(old.alive_until > clock_timestamp(), false) as known, array(
        select json_build_object('id', p.id, 'pid', p.pid, 'born', p.born) from processes p
        where p.place = ${place} and p.id <> ${this.id} and p.alive_until > clock_timestamp()) as neighbours`
    this.#trustedUntil = sentAt + this.#options.ttlMs - 1000
    const gone = row!.neighbours.filter(isGone)
    if (gone.length > 0) await this.#bury(gone)
    return row!.known
  }

  async #bury(gone: Neighbour[]): Promise<void> {
    await this.sql`
      with buried as (delete from processes where id = any(${gone.map(({ id }) => id)}::uuid[]) returning id)
      delete from leases l using buried where l.holder = buried.id`
  }

  /**
   * Takes the lease; false when another living process holds it, which is then told that there may be mail. Taking one's
   * own again is no conflict.
   */
  async take({ kind, workspaceId, id }: ActorId): Promise<boolean> {
    const [row] = await this.sql<{ taken: boolean }[]>`
      with taken as (
        insert into leases (kind, workspace_id, actor_id, holder) values (${kind}, ${workspaceId}, ${id}, ${this.id})
        on conflict (kind, workspace_id, actor_id) do update set holder = excluded.holder
        where leases.holder = excluded.holder
          or not exists (select 1 from processes p where p.id = leases.holder and p.alive_until > clock_timestamp())
        returning 1
      )
      select exists (select from taken) as taken,
        case when not exists (select from taken) then pg_notify(${heldChannel}, ${id}) end`
    return row!.taken
  }

  /** The ids of those among these actors whose lease another living process holds. */
  async heldByOthers(actors: ActorId[]): Promise<Set<string>> {
    if (actors.length === 0) return new Set()
    const rows = await this.sql<{ id: string }[]>`
      select l.actor_id as id
      from unnest(${actors.map(({ kind }) => kind)}::text[], ${actors.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${actors.map(({ id }) => id)}::uuid[]) as asked(kind, workspace_id, actor_id)
      join leases l using (kind, workspace_id, actor_id)
      join processes p on p.id = l.holder and p.alive_until > clock_timestamp()
      where l.holder <> ${this.id}`
    return new Set(rows.map(({ id }) => id))
  }

  /** Gives the lease back. One that has meanwhile been taken by another is left alone. */
  async release({ kind, workspaceId, id }: ActorId): Promise<void> {
    await this.sql`
      delete from leases where kind = ${kind} and workspace_id = ${workspaceId} and actor_id = ${id} and holder = ${this.id}`
  }

  /** The process ends: all of its leases are free at once. */
  async depart(): Promise<void> {
    this.#trustedUntil = 0
    await this.sql`
      with departed as (delete from processes where id = ${this.id})
      delete from leases where holder = ${this.id}`
  }
}

/** Forgets processes that have been dead for a while, and what they held. */
export const forgetDeadProcesses = (sql: Sql) => sql`
  with dead as (delete from processes where alive_until < clock_timestamp() - interval '1 minute' returning id)
  delete from leases l using dead where l.holder = dead.id`
