import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import type { HoldReason, Identity } from './decide.ts'

/** A hold of all sending. */
export interface Hold {
  since: Date
  because: HoldReason
}

/** The stored identity, heartbeat and hold. */
export interface StoredIdentity extends Identity {
  /** Time of the newest heartbeat, in milliseconds since 1970. */
  heartbeatMs: number
  /** Age of the newest heartbeat in milliseconds, by the clock of the database. */
  heartbeatAgeMs: number
  hold: Hold | null
}

interface StoredRow extends Omit<StoredIdentity, 'hold'> {
  since: Date | null
  because: HoldReason | null
}

/** Returns the stored identity. Null before the first start. `lock` locks the row until the transaction ends. */
export const findStored = async (sql: Sql, { lock = false } = {}): Promise<StoredIdentity | null> => {
  const [row] = await sql<StoredRow[]>`
    select database_oid as "databaseOid", system_identifier as "systemIdentifier", timeline,
      (extract(epoch from heartbeat_at) * 1000)::double precision as "heartbeatMs",
      (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::double precision as "heartbeatAgeMs",
      held_since as since, hold_reason as because
    from service_identity ${lock ? sql`for update` : sql``}`
  if (!row) return null
  const { since, because, ...stored } = row
  return { ...stored, hold: since && because && { since, because } }
}

/**
 * SQL expression: the epoch of the stream of outbound events. Positions of different epochs cannot be compared. Before
 * the first start it is 0.
 */
export const streamEpoch = (sql: Sql): Fragment => sql`coalesce((select stream_epoch from service_identity), 0)`

/** SQL expression: the position in the stream of outbound events of a transaction id of this server. */
export const streamPosition = (sql: Sql, xid: Fragment): Fragment => sql`
  (${xid}::text::bigint + coalesce((select stream_offset from service_identity), 0))::text::xid8`

/** Raises the positions of the stream of outbound events. The timeline of another server does not begin an epoch. */
export const raiseStream = (sql: Sql, { timeline }: Identity, by: bigint) => sql`
  update service_identity set stream_offset = stream_offset + ${String(by)}::text::bigint, timeline = ${timeline}`

/** SQL expression: a new random epoch. */
const newEpoch = (sql: Sql): Fragment => sql`(random() * 2147483647)::integer`

/** Stores the identity at the first start. Does nothing if there is one. */
export const insertIdentity = (sql: Sql, { databaseOid, systemIdentifier, timeline }: Identity) => sql`
  insert into service_identity (database_oid, system_identifier, timeline, heartbeat_at)
  values (${databaseOid}, ${systemIdentifier}, ${timeline}, clock_timestamp())
  on conflict do nothing`

/**
 * Stores the identity and a heartbeat. Holds sending for a reason, unless it is held already. Begins an epoch of the
 * stream with a hold and on a new timeline: transaction ids after a restore or a failover can repeat.
 */
export const updateIdentity = (
  sql: Sql,
  { databaseOid, systemIdentifier, timeline }: Identity,
  because: HoldReason | null,
) => sql`
  update service_identity set database_oid = ${databaseOid}, system_identifier = ${systemIdentifier}, timeline = ${timeline},
    heartbeat_at = clock_timestamp(),
    stream_epoch = case when (${because}::text is not null and held_since is null) or timeline <> ${timeline}
      then ${newEpoch(sql)} else stream_epoch end,
    held_since = case when ${because}::text is null then held_since else coalesce(held_since, clock_timestamp()) end,
    hold_reason = case when ${because}::text is null then hold_reason else coalesce(hold_reason, ${because}) end`

/**
 * Ends the hold. Returns false if sending was not held. Begins an epoch of the stream, because restored events can get
 * other positions during the hold.
 */
export const endHold = async (sql: Sql): Promise<boolean> => {
  const { count } = await sql`
    update service_identity set held_since = null, hold_reason = null, stream_epoch = ${newEpoch(sql)}
    where held_since is not null`
  return count > 0
}
