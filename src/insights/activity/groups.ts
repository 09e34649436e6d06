/** Activity by event type, channel, endpoint or problem. */
import { selectUsageByType } from '../../events/index.ts'
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
  const rows = await selectGroups(sql, {
    workspaceId,
    kind,
    range,
    limit: maxGroups,
    further: kind === 'type' ? selectUsageByType(sql, { workspaceId, ...range }) : undefined,
  })
  const ids = rows.flatMap(({ groupId }) => (groupId === '' ? [] : [groupId]))
  const names = new Map((await selectNames(sql, workspaceId, kind, ids)).map(({ id, name }) => [id, name]))
  const reasons =
    kind === 'channel'
      ? Map.groupBy(await selectReasons(sql, { workspaceId, range, limit: maxReasons }), ({ groupId }) => groupId)
      : null
  return rows
    .map(row => ({ row, rank: rankOf(kind, row) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ row: { groupId, counts } }) => ({
      id: groupId === '' ? null : groupId,
      name: names.get(groupId) ?? null,
      counts: Object.fromEntries(countersOf[kind].map((name, n) => [name, toSeries(range, counts[n] ?? {})])),
      ...(reasons && { reasons: (reasons.get(groupId) ?? []).map(({ reason, count }) => ({ reason, count })) }),
    }))
}

const toSeries = (range: StatsRange, counts: Record<string, number>): number[] => {
  const series = range.starts.map(() => 0)
  for (const [seconds, count] of Object.entries(counts))
    series[positionIn(range, new Date(Number(seconds) * 1000))] = count
  return series
}

/** Returns the number of records by which groups are ranked. All others together come last. */
const rankOf = (kind: GroupKind, { groupId, counts }: GroupRow): number => {
  if (groupId === '') return -1
  const ranked = kind === 'webhook' ? counts.slice(0, 1) : counts
  return ranked.flatMap(series => Object.values(series ?? {})).reduce((sum, count) => sum + count, 0)
}

const selectNames = async (
  sql: Sql,
  workspaceId: string,
  kind: GroupKind,
  ids: readonly string[],
): Promise<readonly { id: string; name: string }[]> => {
  if (kind === 'channel') return selectChannelNames(sql, workspaceId, ids)
  if (kind === 'webhook') return selectWebhookNames(sql, workspaceId, ids)
  return kind === 'problem' ? selectProblemMessages(sql, workspaceId, ids) : ids.map(id => ({ id, name: id }))
}
