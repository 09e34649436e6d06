/** Holds all sending after a restore, until the operator releases it. */
import { type Database, type Sql, transaction } from '../../platform/postgres/client.ts'
import { findHoldReason, type Identity } from './decide.ts'
import { findReadableParts, type ReadableParts, readIdentity } from './identity.ts'
import { findStored, type Hold, insertIdentity, raiseStream, type StoredIdentity, updateIdentity } from './sql.ts'

export { type Ages, addAges, ageLimits, countByAge, maxHeldCounted, noAges } from './ages.ts'
export type { HoldReason } from './decide.ts'
export { findReadableParts, type ReadableParts } from './identity.ts'
export { endHold, type Hold, streamEpoch, streamPosition } from './sql.ts'

/** Milliseconds between two stored heartbeats, whatever the number of processes. */
const heartbeatMs = 10_000

/** State after a check. */
export interface CheckResult {
  hold: Hold | null
  /** Time of the newest heartbeat, in milliseconds since 1970. */
  heartbeatMs: number
}

export interface CheckOptions {
  readable: ReadableParts
  /** Newest heartbeat that this process knows, in milliseconds since 1970. Null at start. */
  lastHeartbeatMs: number | null
  /** Holds sending, whatever the identity is. */
  request?: boolean
}

/** Returns the hold that the database has stored. */
export const findHold = async (sql: Sql): Promise<Hold | null> => (await findStored(sql))?.hold ?? null

/** Returns whether sending is held, or will be when a process finds that the database was restored. */
export const isHeld = async (sql: Sql): Promise<boolean> =>
  (await findHold(sql)) !== null || (await findOtherIdentity(sql)) !== null

/**
 * Compares the identity of the database with the stored one, and holds sending if the database was restored. Stores the
 * identity and a heartbeat.
 */
export const checkIdentity = async (sql: Database, options: CheckOptions): Promise<CheckResult> => {
  const current = await readIdentity(sql, options.readable)
  const stored = await findStored(sql)
  if (
    stored &&
    !options.request &&
    isSame(stored, withStoredParts(current, stored)) &&
    stored.heartbeatAgeMs < heartbeatMs
  )
    return stored
  return transaction(sql, async tx => {
    await insertIdentity(tx, current)
    // Locked, so that of two processes only the first compares with the identity from before the restore.
    const locked = (await findStored(tx, { lock: true }))!
    const because = options.request
      ? 'requested'
      : findHoldReason(locked, current, behindMs(locked, options.lastHeartbeatMs))
    await updateIdentity(tx, withStoredParts(current, locked), because)
    return (await findStored(tx))!
  })
}

/** Identity of the database of a cell, and the one that is stored. */
export interface Identities {
  current: Identity
  stored: StoredIdentity
}

/**
 * Returns both identities if the cell was used in another database before, which is a restore or a move. Otherwise
 * returns null.
 */
export const findOtherIdentity = async (sql: Sql): Promise<Identities | null> => {
  const current = await readIdentity(sql, await findReadableParts(sql))
  const stored = await findStored(sql)
  return stored && findHoldReason(stored, current, 0) === 'another_database' ? { current, stored } : null
}

/** Returns whether a database is the one with this stored identity, and was not restored since its last heartbeat. */
export const hasIdentity = async (sql: Sql, stored: StoredIdentity): Promise<boolean> =>
  findHoldReason(stored, await readIdentity(sql, await findReadableParts(sql)), stored.heartbeatAgeMs) === null

/**
 * Stores the identity of a cell that has moved to another database, so that its sending is not held. `raise` is added to the
 * positions of its stream.
 */
export const storeMovedIdentity = (
  sql: Database,
  { current, stored, raise }: Identities & { raise: bigint },
): Promise<void> =>
  transaction(sql, async tx => {
    const identity = withStoredParts(current, stored)
    await raiseStream(tx, identity, raise)
    await updateIdentity(tx, identity, null)
  })

const isSame = (one: Identity, other: Identity): boolean =>
  one.databaseOid === other.databaseOid &&
  one.systemIdentifier === other.systemIdentifier &&
  one.timeline === other.timeline

/**
 * A process that was running knows which heartbeats the database had. A failover after a long outage then does not look
 * like a restore.
 */
const behindMs = (stored: StoredIdentity, lastHeartbeatMs: number | null): number =>
  lastHeartbeatMs === null ? stored.heartbeatAgeMs : lastHeartbeatMs - stored.heartbeatMs

/** Keeps the stored parts that this process cannot read. */
const withStoredParts = (current: Identity, stored: Identity): Identity => ({
  databaseOid: current.databaseOid,
  systemIdentifier: current.systemIdentifier ?? stored.systemIdentifier,
  timeline: current.timeline ?? stored.timeline,
})
