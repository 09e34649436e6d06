import { InboxStats, InboxStatsQuery, readInboxStats } from '../../../insights/inbox/index.ts'
import { type Operation, operation } from '../../operation.ts'

export const inboxRoutes = (): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/inbox/stats',
    id: 'readInboxStats',
    verb: readInboxStats,
    tag: 'Conversations',
    summary: 'Read statistics of the inbox',
    description:
      'Returns how many conversations wait for an answer now, how many have unread messages, and the first responses and closings of a period by hour or day and by member. A first response is the first message by a person after the customer began to wait. All durations are in seconds.',
    query: InboxStatsQuery,
    answers: { 200: { description: 'The statistics.', schema: InboxStats, example } },
    args: ({ query }) => [query],
  }),
]

const example: InboxStats = {
  since: '2026-03-01T00:00:00.000Z',
  until: '2026-03-02T00:00:00.000Z',
  waiting: 4,
  unread: 2,
  waitingByAge: [
    { from: 0, to: 300, count: 1 },
    { from: 300, to: 900, count: 2 },
    { from: 900, to: 3600, count: 1 },
    { from: 3600, to: 14400, count: 0 },
    { from: 14400, to: 86400, count: 0 },
    { from: 86400, to: null, count: 0 },
  ],
  longestWait: {
    conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
    since: '2026-03-01T09:31:00.040Z',
    seconds: 2160,
  },
  complete: true,
  answered: 38,
  firstResponseP50: 240,
  firstResponseP90: 1860,
  resolved: 31,
  byMember: [{ userId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01', answered: 38, firstResponseP50: 240, resolved: 31 }],
  data: [{ at: '2026-03-01T00:00:00.000Z', answered: 38, firstResponseP50: 240, firstResponseP90: 1860, resolved: 31 }],
}
