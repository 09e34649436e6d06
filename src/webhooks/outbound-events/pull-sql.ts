/**
 * Statements that read the stream of outbound events in the order (xid, id).
 *
 * Ids do not have the order of commits, so an event can commit after events with greater ids. Every statement therefore
 * reads only below the horizon: the oldest transaction that was running when its snapshot was taken. All transactions
 * below the horizon have ended, and those that committed are visible in the same snapshot. No event can appear there
 * later. A position below the horizon is therefore final: the events after it are never skipped, and those before it
 * never repeated.
 *
 * A transaction without writes has no id and does not hold up the horizon. A long transaction that writes does, in any
 * database of the cluster.
 */
import type { Sql } from '../../platform/postgres/client.ts'
import { streamEpoch, streamPosition } from '../../queue/hold/index.ts'
import { type StreamPosition, type StreamState, streamStart } from './pull-cursor.ts'
import type { EventText } from './sql.ts'

/** The horizon, evaluated once in the snapshot of the statement. */
const horizon = (sql: Sql) => sql`
  horizon as materialized (select ${streamPosition(sql, sql`pg_snapshot_xmin(pg_current_snapshot())`)} as xid)`

/** Selects the state that cursors depend on: one row. */
const stateOf = (sql: Sql, workspaceId: string) => sql`
  select ${streamEpoch(sql)} as epoch, trims.xid::text as "trimXid", trims.id as "trimId"
  from (select) state left join outbound_event_trims trims on trims.workspace_id = ${workspaceId}`

interface StateRow {
  epoch: number
  trimXid: string | null
  trimId: string | null
}

const stateFrom = ({ epoch, trimXid, trimId }: StateRow): StreamState => ({
  epoch,
  trim: positionFrom(trimXid, trimId) ?? streamStart,
})

const positionFrom = (xid: string | null, id: string | null): StreamPosition | null =>
  xid === null || id === null ? null : { xid: BigInt(xid), id }

export interface PulledRows {
  state: StreamState
  events: (EventText & { position: StreamPosition })[]
  /** Number of events that match, up to the limit. Larger than `events` if the size limit cut some off. */
  matched: number
  /** Number of rows read. */
  scanned: number
  /** Last row read. Null if there was none. */
  lastScanned: StreamPosition | null
}

/** Range of the stream to read. */
export interface PullRange {
  workspaceId: string
  after: StreamPosition
  /** Null selects all types. */
  types: readonly string[] | null
  /** Maximum number of events. */
  limit: number
  /** Maximum number of rows read. */
  maxScanned: number
  /** Size in bytes of `data` after which no further event is added. */
  maxBytes: number
}

interface PulledRow extends StateRow {
  scanned: number
  matched: number
  lastXid: string | null
  lastId: string | null
  id: string | null
  xid: string
  type: EventText['type']
  createdAt: Date
  dataText: string
}

/** Selects events after a position, oldest first, with the state of the same snapshot. */
export const selectPulled = async (sql: Sql, p: PullRange): Promise<PulledRows> => {
  const rows = await sql<PulledRow[]>`
    with ${horizon(sql)}, scanned as materialized (
      select e.xid, e.id, e.type from outbound_events e
      where e.workspace_id = ${p.workspaceId} and (e.xid, e.id) > (${String(p.after.xid)}::text::xid8, ${p.after.id}::uuid)
        and e.xid < (select xid from horizon)
      order by e.xid, e.id limit ${p.maxScanned}
    ), matched as materialized (
      select scanned.xid, scanned.id from scanned
      where ${p.types}::text[] is null or scanned.type = any(${p.types}::text[])
      order by scanned.xid, scanned.id limit ${p.limit}
    ), measured as (
      select matched.xid, matched.id, e.type, e.created_at, e.data::text as data,
        coalesce(sum(octet_length(e.data::text)) over (
          order by matched.xid, matched.id rows between unbounded preceding and 1 preceding), 0) as before
      from matched cross join lateral (
        select e.type, e.created_at, e.data from outbound_events e
        where e.workspace_id = ${p.workspaceId} and e.id = matched.id and probe_index(e.id)
      ) e
    )
    select state.*, counts.*, last.xid::text as "lastXid", last.id as "lastId",
      measured.xid::text as xid, measured.id, measured.type, measured.created_at as "createdAt", measured.data as "dataText"
    from (${stateOf(sql, p.workspaceId)}) state
    cross join (select (select count(*)::integer from scanned) as scanned, (select count(*)::integer from matched) as matched) counts
    left join (select scanned.xid, scanned.id from scanned order by scanned.xid desc, scanned.id desc limit 1) last on true
    left join measured on measured.before < ${p.maxBytes}
    order by measured.xid, measured.id`
  const [first] = rows
  return {
    state: stateFrom(first!),
    scanned: first!.scanned,
    matched: first!.matched,
    lastScanned: positionFrom(first!.lastXid, first!.lastId),
    events: rows.flatMap(({ id, xid, type, createdAt, dataText }) =>
      id === null ? [] : [{ id, type, createdAt, dataText, position: { xid: BigInt(xid), id } }],
    ),
  }
}

/** Returns the state, and the last position that is final. It is the start of the stream if no event is stored. */
export const findStreamEnd = async (sql: Sql, workspaceId: string): Promise<StreamState & { end: StreamPosition }> => {
  const [row] = await sql<(StateRow & { xid: string | null; id: string | null })[]>`
    with ${horizon(sql)}
    select state.*, newest.xid::text as xid, newest.id
    from (${stateOf(sql, workspaceId)}) state left join lateral (
      select e.xid, e.id from outbound_events e
      where e.workspace_id = ${workspaceId} and e.xid < (select xid from horizon)
      order by e.xid desc, e.id desc limit 1
    ) newest on true`
  return { ...stateFrom(row!), end: positionFrom(row!.xid, row!.id) ?? streamStart }
}

/** Returns the last final position of each workspace that has one: one index lookup per workspace. */
export const findStreamEnds = async (
  sql: Sql,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, StreamPosition>> => {
  const rows = await sql<{ workspaceId: string; xid: string; id: string }[]>`
    with ${horizon(sql)}
    select named.workspace_id as "workspaceId", newest.xid::text as xid, newest.id
    from unnest(${workspaceIds}::uuid[]) as named(workspace_id) cross join lateral (
      select e.xid, e.id from outbound_events e
      where e.workspace_id = named.workspace_id and e.xid < (select xid from horizon)
      order by e.xid desc, e.id desc limit 1
    ) newest`
  return new Map(rows.map(({ workspaceId, xid, id }) => [workspaceId, { xid: BigInt(xid), id }]))
}
