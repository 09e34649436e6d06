/** Decides whether a database was restored from a backup. Pure functions. */

/** Identity of a database. Null for a part that the role of the service cannot read. */
export interface Identity {
  databaseOid: number
  /** Identifier of the PostgreSQL cluster. `initdb` makes it, and a physical copy has the same one. */
  systemIdentifier: string | null
  /** Number that grows when a standby is promoted, and when a cluster is restored to a point in time. */
  timeline: number | null
}

/** Why sending is held. */
export type HoldReason = 'another_database' | 'earlier_state' | 'requested'

/** Milliseconds of lost heartbeats above which a new timeline means a restore instead of a failover. */
export const maxHeartbeatGapMs = 600_000

/**
 * Returns why sending must be held, or null. `behindMs` is how far the newest stored heartbeat is behind: behind the
 * clock at start, and behind the last heartbeat of this process later.
 */
export const findHoldReason = (stored: Identity, current: Identity, behindMs: number): HoldReason | null => {
  if (stored.databaseOid !== current.databaseOid) return 'another_database'
  if (differs(stored.systemIdentifier, current.systemIdentifier)) return 'another_database'
  return differs(stored.timeline, current.timeline) && behindMs > maxHeartbeatGapMs ? 'earlier_state' : null
}

/** Returns whether both values are known and different. */
const differs = <T>(one: T | null, other: T | null): boolean => one !== null && other !== null && one !== other
