/** Activity by event type, channel, endpoint or problem. */
import { selectProblemMessages } from '../../events/rejected-requests/index.ts'
import { selectChannelNames } from '../../messaging/channels/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { selectWebhookNames } from '../../webhooks/endpoints/index.ts'
import {
  countersOf,
  type GroupKind,
  type GroupRow,
  positionIn,
  type StatsRange,
  selectGroups,
  selectReasons,
} from '../../webhooks/statistics/index.ts'
import { type ActivityGroup, maxGroups } from './schema.ts'

/** Maximum number of reasons per channel. */
const maxReasons = 10

/** Returns the groups with the most records, largest first, then one for all others if there are any. */
export const summariseGroups = async (
  sql: Sql,
  workspaceId: string,
  kind: GroupKind,
  range: StatsRange,
): Promise<ActivityGroup[]> => {
  const rowsByGroup = Map.groupBy(
    await selectGroups(sql, { workspaceId, kind, range, limit: maxGroups }),
    ({ groupId }) => groupId,
  )
  const ids = [...rowsByGroup.keys()].filter(id => id !== '')
  const names = new Map((await selectNames(sql, workspaceId, kind, ids)).map(({ id, name }) => [id, name]))
  const reasons =
    kind === 'channel'
      ? Map.groupBy(await selectReasons(sql, { workspaceId, range, limit: maxReasons }), ({ groupId }) => groupId)
      : null
  return [...rowsByGroup]
    .map(([id, rows]) => ({ id, rank: rankOf(kind, id, rows), group: shape(kind, id, rows) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ id, group }) => ({
      ...group,
      name: kind === 'type' ? group.id : (names.get(id) ?? null),
      ...(reasons && { reasons: (reasons.get(id) ?? []).map(({ reason, count }) => ({ reason, count })) }),
    }))

  function shape(kind: GroupKind, id: string, rows: readonly GroupRow[]): ActivityGroup {
    const countsByName = new Map(rows.map(({ name, counts }) => [name, counts]))
    const counts = countersOf[kind].map(name => [name, toSeries(range, countsByName.get(name) ?? {})])
    return { id: id === '' ? null : id, name: null, counts: Object.fromEntries(counts) }
  }
}

const toSeries = (range: StatsRange, counts: Record<string, number>): number[] => {
  const series = range.starts.map(() => 0)
  for (const [seconds, count] of Object.entries(counts))
    series[positionIn(range, new Date(Number(seconds) * 1000))] = count
  return series
}

/** Returns the number of records by which groups are ranked. All others together come last. */
const rankOf = (kind: GroupKind, id: string, rows: readonly GroupRow[]): number =>
  id === ''
    ? -1
    : rows
        .filter(({ name }) => kind !== 'webhook' || name === 'attempts')
        .flatMap(({ counts }) => Object.values(counts))
        .reduce((sum, count) => sum + count, 0)

const selectNames = async (
  sql: Sql,
  workspaceId: string,
  kind: GroupKind,
  ids: readonly string[],
): Promise<readonly { id: string; name: string | null }[]> => {
  if (kind === 'channel') return selectChannelNames(sql, workspaceId, ids)
  if (kind === 'webhook') return selectWebhookNames(sql, workspaceId, ids)
  return kind === 'problem' ? selectProblemMessages(sql, workspaceId, ids) : []
}
