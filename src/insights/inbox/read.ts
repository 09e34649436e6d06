/** Statistics of the inbox: waiting conversations, response times and closings. */
import { verb } from '../../core/verb.ts'
import { statsRange } from '../../webhooks/statistics/index.ts'
import type { InboxStats, InboxStatsQuery } from './schema.ts'
import { type ActionsRow, countUnanswered, countUnread, selectInboxActions } from './sql.ts'

/** Maximum number of waiting conversations, of unread ones and of actions that one call evaluates. */
const maxRows = 100_000

/** Maximum number of members in the results. */
const maxMembers = 100

/** Limits between the groups of waiting conversations, in seconds: 5 and 15 minutes, 1 and 4 hours, and 1 day. */
const ageLimits = [300, 900, 3600, 14_400, 86_400] as const

/** Returns the present waits, and the first responses and closings of a period by hour or day and by member. */
export const readInboxStats = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, { by = 'hour', ...query }: InboxStatsQuery): Promise<InboxStats> => {
    const range = statsRange(by, { since: query.since, until: query.until }, { since: 'since', until: 'until' })
    const waiting = await countUnanswered(sql, { workspaceId, limits: ageLimits, max: maxRows })
    const unread = await countUnread(sql, { workspaceId, max: maxRows })
    const rows = await selectInboxActions(sql, { workspaceId, ...range, max: maxRows })
    const total = shape(rows.find(({ at, userId }) => at === null && userId === null))
    const byTime = new Map(rows.map(row => [row.at?.getTime(), row]))
    return {
      since: range.from.toISOString(),
      until: range.until.toISOString(),
      waiting: waiting.count,
      unread,
      waitingByAge: waiting.counts.map((count, n) => ({
        from: ageLimits[n - 1] ?? 0,
        to: ageLimits[n] ?? null,
        count,
      })),
      longestWait:
        waiting.longestId === null
          ? null
          : {
              conversationId: waiting.longestId,
              since: waiting.since!.toISOString(),
              seconds: waiting.longestSeconds!,
            },
      complete: total.answered + total.resolved < maxRows,
      ...total,
      byMember: membersOf(rows),
      data: range.starts.map(at => ({ at: at.toISOString(), ...shape(byTime.get(at.getTime())) })),
    }
  },
)

const shape = (row: ActionsRow | undefined) => ({
  answered: row?.answered ?? 0,
  firstResponseP50: row?.p50 ?? null,
  firstResponseP90: row?.p90 ?? null,
  resolved: row?.resolved ?? 0,
})

const membersOf = (rows: readonly ActionsRow[]): InboxStats['byMember'] =>
  rows
    .flatMap(({ userId, answered, p50, resolved }) =>
      userId === null ? [] : [{ userId, answered, firstResponseP50: p50, resolved }],
    )
    .sort((a, b) => b.answered - a.answered || b.resolved - a.resolved || (a.userId < b.userId ? -1 : 1))
    .slice(0, maxMembers)
