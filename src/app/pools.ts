/**
 * Database connections of a process, grouped by purpose. docs/operations.md explains their number. Only the listener and
 * Graphile Worker open further connections.
 */

import { Distribution, secondsBounds } from '../platform/distribution.ts'
import type { KeyedLimiterOptions } from '../platform/keyed-limiter.ts'
import type { MeasuredPool } from '../platform/metrics.ts'
import {
  type ConnectOptions,
  cellMoved,
  connect,
  countConnections,
  type Database,
} from '../platform/postgres/client.ts'
import { type LimitedPool, limitedPool, ReadPool } from '../platform/postgres/limited-pool.ts'
import { ReplicaReads } from '../platform/postgres/replica-reads.ts'
import { createService, type Service } from '../platform/service.ts'

export interface Pools {
  /** Heartbeats, leases and the exchange between processes. Queries are short and never wait for other work. */
  vital: Database
  /** Workers, queues and their writes. */
  acting: Database
  /** Recording of events, and lookups of keys and sessions. */
  recording: Database
  /** Other writes of the API, including sign-in and rejected requests. */
  changing: Database
  /** Background queries that may be slow: tasks, lag metrics, the last use of keys. */
  chores: Database
  /**
   * Limits the connections of `changing` that operations with writes can use. Some connections are not available to
   * them.
   */
  changes: LimitedPool
  /** Limits the connections for operations that read. */
  reads: LimitedPool
  /** Limits the connections for operations of the API that read: those of a standby if there is one, otherwise `reads`. */
  apiReads: LimitedPool
  /** Connections of `reads` and of a standby. */
  readConnections: readonly Database[]
  /** Returns whether a standby serves reads now. False without one. */
  isReplicaUsed: () => boolean
  /** Maximum number of connections by purpose. */
  sizes: PoolSizes
  /** Connections and waits by purpose, except those of Graphile Worker and the listener. */
  measured: Record<MeasuredName, MeasuredPool> & { replica?: MeasuredPool; replica_position?: MeasuredPool }
  service: Service
}

/** Number of connections by purpose. `tasks` is for Graphile Worker, `listener` receives notifications. */
export type PoolSizes = Record<keyof typeof minSizes, number>

type MeasuredName = Exclude<keyof PoolSizes, 'tasks' | 'listener'>

/** Minimum number of connections per purpose. */
const minSizes = { vital: 1, acting: 1, recording: 1, changing: 1, reading: 1, chores: 1, tasks: 2, listener: 1 }

/** Maximum number of connections per purpose. More would have no benefit. */
const maxSizes: Partial<PoolSizes> = { vital: 2, chores: 2, tasks: 6, listener: 1 }

/**
 * Weights for distributing the remaining connections. Of 20, `changing` gets 4. Operations never use one of these, and
 * the last free one is kept for other workspaces. One workspace can therefore still make two changes in parallel.
 * Purposes with single-statement queries need more connections than PostgreSQL has processors, because a connection is
 * idle while its answer waits for the event loop.
 */
const weights: PoolSizes = {
  vital: 2,
  acting: 4,
  recording: 5,
  changing: 5,
  reading: 4,
  chores: 1,
  tasks: 2,
  listener: 1,
}

/** Minimum number of connections of a process. */
export const minPoolSize = Object.values(minSizes).reduce((sum, size) => sum + size, 0)

/** Distributes the connections of a process by purpose. A `total` below `minPoolSize` counts as `minPoolSize`. */
export const poolSizes = (total: number): PoolSizes => {
  const sizes: PoolSizes = { ...minSizes }
  const purposes = Object.keys(minSizes) as (keyof PoolSizes)[]
  for (let left = total - minPoolSize; left > 0; left--) {
    const open = purposes.filter(purpose => sizes[purpose] < (maxSizes[purpose] ?? Number.POSITIVE_INFINITY))
    const next = open.reduce((best, other) =>
      sizes[other] / weights[other] < sizes[best] / weights[best] ? other : best,
    )
    sizes[next]++
  }
  return sizes
}

/** Default of DATABASE_POOL_SIZE. */
const defaultPoolSize = 20

/** Seconds that a query waits for an open connection while PostgreSQL rejects new connections. */
const refusedRetrySeconds = 8

/**
 * Limits per workspace. The queue length is based on how many calls a key may make together; further calls are rejected
 * immediately. Waiting longer than the caller's timeout would be useless.
 */
const defaultLimits: PoolLimits = { maxPerKey: 5, maxWaiting: 2048, maxWaitingPerKey: 512, maxWaitMs: 10_000 }

type PoolLimits = Omit<KeyedLimiterOptions, 'total' | 'reserve' | 'fullMessage' | 'onGranted'>

/** Connections of `changing` that operations never use. */
const reservedConnections = 1

/** Maximum milliseconds of a read statement. */
const maxReadMs = 5000

/** Maximum milliseconds of a write statement. */
const maxChangeMs = 10_000

/** Maximum milliseconds of a heartbeat. A slower one would be too late. */
const maxVitalMs = 3000

/**
 * Maximum milliseconds that a batch waits for a lock that one of its items needs. After that, the item is retried
 * alone.
 */
const maxRecordingLockMs = 1000

/**
 * Maximum milliseconds of a statement that records events, and of one of a worker. These also limit how long a
 * connection whose network is silent is used: callers of `POST /v1/events` wait 10 seconds at most.
 */
const [maxRecordingMs, maxActingMs] = [5000, 10_000]

/** Idle seconds after which connections for occasional use are closed. */
const idleSeconds = 60

/** Creates a histogram of waits for each purpose, and the function that records one in milliseconds. */
const newWaits = () => {
  const create = () => {
    const waits = new Distribution(secondsBounds.short)
    return { waits, onWait: (ms: number) => waits.observe(ms / 1000) }
  }
  return {
    vital: create(),
    acting: create(),
    recording: create(),
    changing: create(),
    reading: create(),
    chores: create(),
    replica: create(),
    replica_position: create(),
  }
}

export interface PoolOptions {
  /** Maximum number of connections of the process, including tasks and listener. Defaults to 20. */
  size?: number
  /** Limits of `reads` and of `changes`. */
  limits?: PoolLimits
  /** URL of a transaction pooler, for all pools except `vital` and `recording`. Null or missing: they use `url`. */
  pooledUrl?: string | null
  /** URL of a standby for `apiReads`. */
  replicaUrl?: string | null
  /** Called when the standby can be used again (null), or not any more, with the reason. */
  onReplicaChange?: (reason: string | null) => void
  /** Called for each write that is rejected because Citus has moved the cell to another node, also if it is repeated. */
  onMoved?: () => void
}

/** Creates the pools without opening a connection. `url` leads to the database itself. */
export const createPools = (
  url: string,
  { size = defaultPoolSize, limits = defaultLimits, pooledUrl, replicaUrl, onReplicaChange, onMoved }: PoolOptions = {},
): Pools => {
  const name = 'customer-engagement'
  const shared = pooledUrl ? { url: pooledUrl, pooled: true } : { url }
  const sizes = poolSizes(size)
  const limited = {
    ...limits,
    // The last free connection is for a workspace that has none.
    reserve: { units: 1, maxHeld: 1 },
    fullMessage: 'Too many calls are waiting for the database. Send fewer concurrent requests.',
  }
  const waitsOf = newWaits()
  const open = (
    purpose: 'vital' | 'acting' | 'recording' | 'changing' | 'chores',
    options: Omit<ConnectOptions, 'applicationName'>,
  ) =>
    connect({
      ...options,
      applicationName: `${name} ${purpose}`,
      onWait: waitsOf[purpose].onWait,
      max: sizes[purpose],
      refusedRetrySeconds,
      ...(onMoved && { onnotice: ({ code }) => code === cellMoved && onMoved() }),
    })
  const vital = open('vital', {
    url,
    maxStatementMs: maxVitalMs,
    maxLockMs: maxVitalMs,
    silenceSeconds: 2 * (maxVitalMs / 1000),
  })
  const acting = open('acting', { ...shared, maxStatementMs: maxActingMs })
  // Not through a pooler, which would not apply the limit for locks: one locked row would hold up whole batches.
  const recording = open('recording', { url, maxStatementMs: maxRecordingMs, maxLockMs: maxRecordingLockMs })
  const changing = open('changing', {
    ...shared,
    maxStatementMs: maxChangeMs,
    maxLockMs: maxChangeMs / 2,
    idleSeconds,
  })
  const chores = open('chores', { ...shared, idleSeconds })
  const reads = new ReadPool({
    connection: { ...shared, applicationName: `${name} reading`, refusedRetrySeconds, idleSeconds },
    total: sizes.reading,
    maxMs: maxReadMs,
    cancelFrom: vital,
    ...limited,
    onGranted: waitsOf.reading.onWait,
  })
  const replica = replicaUrl
    ? createReplicaReads(replicaUrl, {
        reads,
        vital,
        name,
        total: sizes.reading,
        limited: { ...limited, onGranted: waitsOf.replica.onWait },
        onPositionWait: waitsOf.replica_position.onWait,
        onChange: onReplicaChange,
      })
    : null
  const all = [vital, acting, recording, changing, chores, reads, ...(replica?.pools ?? [])]
  const end = async (deadline: AbortSignal) => {
    replica?.reads.stop()
    const timeout = deadline.aborted ? 1 : 5
    await Promise.all(all.map(pool => pool.end({ timeout })))
  }
  return {
    vital,
    acting,
    recording,
    changing,
    chores,
    changes: limitedPool(changing, {
      ...limited,
      total: Math.max(1, sizes.changing - reservedConnections),
      onGranted: waitsOf.changing.onWait,
    }),
    reads,
    apiReads: replica?.reads ?? reads,
    readConnections: [...reads.databases, ...(replica?.databases ?? [])],
    isReplicaUsed: () => replica?.reads.isUsed ?? false,
    sizes,
    measured: {
      vital: { ...waitsOf.vital, counts: () => countConnections(vital) },
      acting: { ...waitsOf.acting, counts: () => countConnections(acting) },
      recording: { ...waitsOf.recording, counts: () => countConnections(recording) },
      changing: { ...waitsOf.changing, counts: () => countConnections(changing) },
      reading: { ...waitsOf.reading, counts: () => reads.counts() },
      chores: { ...waitsOf.chores, counts: () => countConnections(chores) },
      ...(replica && {
        replica: { ...waitsOf.replica, counts: replica.counts },
        replica_position: { ...waitsOf.replica_position, counts: replica.positionCounts },
      }),
    },
    service: createService('connections', { stop: end }),
  }
}

/**
 * Creates the connections to a standby, as many as for reads from the primary, and one for its position. A read on a
 * standby that has gone silent runs on the primary after 6 seconds.
 */
const createReplicaReads = (
  url: string,
  {
    reads,
    vital,
    name,
    total,
    limited,
    onPositionWait,
    onChange = () => {},
  }: {
    reads: LimitedPool
    vital: Database
    name: string
    total: number
    limited: Omit<KeyedLimiterOptions, 'total'>
    onPositionWait: (ms: number) => void
    onChange?: ((reason: string | null) => void) | undefined
  },
) => {
  const position = connect({
    url,
    applicationName: `${name} replica`,
    onWait: onPositionWait,
    max: 2,
    maxStatementMs: maxVitalMs,
    silenceSeconds: 2 * (maxVitalMs / 1000),
  })
  const replica = new ReadPool({
    connection: {
      url,
      applicationName: `${name} replica reading`,
      idleSeconds,
      silenceSeconds: maxReadMs / 1000 + 1,
    },
    total,
    maxMs: maxReadMs,
    cancelFrom: position,
    ...limited,
  })
  const options = { replica, replicaPosition: position, primary: reads, primaryPosition: vital, onChange }
  return {
    reads: new ReplicaReads(options),
    pools: [position, replica],
    databases: replica.databases,
    counts: () => replica.counts(),
    positionCounts: () => countConnections(position),
  }
}
