/**
 * Leases: at most one activation of an actor in the cluster.
 *
 * A lease belongs to a process and is valid while that process is known to be alive. A process renews all its leases
 * with one small statement per second. Leases end when the holder departs, or sends no heartbeat for too long. They
 * also end when another process on the same machine sees that the holder has ended.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { hasEnded, ownProcess, type ProcessIdentity } from '../local-processes.ts'
import type { Sql } from './client.ts'

/** Identifies an actor, for example of an endpoint or a channel. */
export interface ActorId {
  kind: string
  workspaceId: string
  id: string
}

export interface LeaseOptions {
  /** Milliseconds after the last heartbeat until a process counts as dead. */
  ttlMs: number
  /** Milliseconds between heartbeats. */
  renewMs: number
}

/** Another process on this machine that counts as alive. */
interface LocalProcess {
  id: string
  pid: number
  startTicks: string
}

/** Work of a process since its start. Each heartbeat stores it, so that another process can compute a rate. */
export interface WorkCounts {
  /** Number of recipients of campaigns that were sent, skipped or unknown. */
  settledRecipients: number
  /** Number of attempts to send a mail. */
  mailAttempts: number
}

/** NOTIFY channel for held leases. The payload is the ID of the actor, whose holder then reads its queue again. */
export const leaseHeldChannel = 'lease_held'

export const leaseDefaults: LeaseOptions = { ttlMs: 5000, renewMs: 1000 }

/** Process that holds leases, as registered in the database. */
export class LeaseHolder {
  readonly id = randomUUID()
  readonly counts: WorkCounts = { settledRecipients: 0, mailAttempts: 0 }
  readonly #options: LeaseOptions
  #validUntil = 0
  /** IDs of the actors whose lease this process has acquired and not released. */
  readonly #held = new Set<string>()

  constructor(
    private readonly sql: Sql,
    options: LeaseOptions = leaseDefaults,
    private readonly ownIdentity: ProcessIdentity | null = ownProcess(),
    /** IDs of the keys in this process's keyring. The first one encrypts. */
    private readonly keyIds: readonly string[] = [],
  ) {
    this.#options = options
  }

  /** Number of leases that this process holds. */
  get held(): number {
    return this.#held.size
  }

  get renewMs(): number {
    return this.#options.renewMs
  }

  /**
   * Returns whether this process may act on its leases. Expires before the database would grant them to another
   * process. The time counts from before the renewal was sent, by this machine's clock, less one second.
   */
  get isValid(): boolean {
    return performance.now() < this.#validUntil
  }

  /**
   * Sends a heartbeat. Returns false if the database no longer knew this process, so that another may hold its leases.
   * That happens after a long pause, or after a PostgreSQL crash emptied the unlogged tables.
   *
   * Also reaps local processes: the leases of one that ended without releasing them become free immediately.
   */
  async renew(): Promise<boolean> {
    const sentAt = performance.now()
    const { pidScope, pid, startTicks } = this.ownIdentity ?? { pidScope: null, pid: process.pid, startTicks: null }
    const { settledRecipients, mailAttempts } = this.counts
    const [row] = await this.sql<{ known: boolean; localProcesses: LocalProcess[] }[]>`
      insert into processes (id, host, pid, pid_scope, start_ticks, key_ids, settled_recipients, mail_attempts, alive_until)
      values (${this.id}, ${hostname()}, ${pid}, ${pidScope}, ${startTicks}, ${this.keyIds as string[]}, ${settledRecipients},
        ${mailAttempts}, clock_timestamp() + ${this.#options.ttlMs} * interval '1 millisecond')
      on conflict (id) do update set alive_until = excluded.alive_until, settled_recipients = excluded.settled_recipients,
        mail_attempts = excluded.mail_attempts
      returning coalesce(old.alive_until > clock_timestamp(), false) as known, array(
        select json_build_object('id', p.id, 'pid', p.pid, 'startTicks', p.start_ticks) from processes p
        where p.pid_scope = ${pidScope} and p.id <> ${this.id} and p.alive_until > clock_timestamp()) as "localProcesses"`
    this.#validUntil = sentAt + this.#options.ttlMs - 1000
    const ended = row!.localProcesses.filter(hasEnded)
    if (ended.length > 0) await this.#reap(ended)
    return row!.known
  }

  async #reap(ended: LocalProcess[]): Promise<void> {
    await this.sql`
      with reaped as (delete from processes where id = any(${ended.map(({ id }) => id)}::uuid[]) returning id)
      delete from leases l using reaped where l.holder = reaped.id`
  }

  /**
   * Takes the lease. Returns false if another living process holds it, and notifies that process that there may be
   * rows. Taking an own lease again succeeds.
   */
  async acquire({ kind, workspaceId, id }: ActorId): Promise<boolean> {
    const [row] = await this.sql<{ acquired: boolean }[]>`
      with acquired as (
        insert into leases (kind, workspace_id, actor_id, holder) values (${kind}, ${workspaceId}, ${id}, ${this.id})
        on conflict (kind, workspace_id, actor_id) do update set holder = excluded.holder
        where leases.holder = excluded.holder
          or not exists (select 1 from processes p where p.id = leases.holder and p.alive_until > clock_timestamp())
        returning 1
      )
      select exists (select from acquired) as acquired,
        case when not exists (select from acquired) then pg_notify(${leaseHeldChannel}, ${id}) end`
    if (row!.acquired) this.#held.add(id)
    return row!.acquired
  }

  /** Returns the IDs of those actors whose lease another living process holds. */
  async heldByOthers(actors: ActorId[]): Promise<Set<string>> {
    if (actors.length === 0) return new Set()
    const rows = await this.sql<{ id: string }[]>`
      select l.actor_id as id
      from unnest(${actors.map(({ kind }) => kind)}::text[], ${actors.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${actors.map(({ id }) => id)}::uuid[]) as requested(kind, workspace_id, actor_id)
      join leases l using (kind, workspace_id, actor_id)
      join processes p on p.id = l.holder and p.alive_until > clock_timestamp()
      where l.holder <> ${this.id}`
    return new Set(rows.map(({ id }) => id))
  }

  /** Releases the lease. Does nothing if another process has taken it. */
  async release({ kind, workspaceId, id }: ActorId): Promise<void> {
    this.#held.delete(id)
    await this.sql`
      delete from leases where kind = ${kind} and workspace_id = ${workspaceId} and actor_id = ${id} and holder = ${this.id}`
  }

  /** Releases all leases when the process ends. They are free immediately. */
  async releaseAll(): Promise<void> {
    this.#validUntil = 0
    this.#held.clear()
    await this.sql`
      with removed as (delete from processes where id = ${this.id})
      delete from leases where holder = ${this.id}`
  }
}

/** Returns whether a process works on the queues. */
export const isWorking = async (sql: Sql): Promise<boolean> => {
  const rows = await sql`select 1 from processes where alive_until > clock_timestamp() limit 1`
  return rows.length > 0
}

/** Counts of a process at its last heartbeat. `at` is the time of the heartbeat, in milliseconds of no fixed origin. */
export interface StoredCounts extends WorkCounts {
  id: string
  at: number
}

/** Maximum number of processes whose counts are read. */
const maxProcesses = 10_000

/** Returns the counts of all processes, also of those that died within a minute. */
export const readWorkCounts = (sql: Sql) => sql<StoredCounts[]>`
  select id, settled_recipients as "settledRecipients", mail_attempts as "mailAttempts",
    (extract(epoch from alive_until) * 1000)::double precision as at
  from processes limit ${maxProcesses}`

/** Deletes processes that have been dead for a minute, and their leases. */
export const deleteDeadProcesses = (sql: Sql) => sql`
  with dead as (delete from processes where alive_until < clock_timestamp() - interval '1 minute' returning id)
  delete from leases l using dead where l.holder = dead.id`
