/** Runs each campaign with one actor. Its queue is its own row, which says when the next execution is due. */
import { LRUCache } from 'lru-cache'
import { findCampaignDue, findDueCampaigns, runCampaign, SendWindow } from '../../messaging/campaigns/index.ts'
import { KeyedLimiter } from '../../platform/keyed-limiter.ts'
import type { Database } from '../../platform/postgres/client.ts'
import type { Watermark } from '../../platform/postgres/watermark.ts'
import type { ActorKind } from '../../queue/actor.ts'
import type { ActorHost } from '../../queue/host.ts'
import { QueuePoll, QueueWatermarks } from '../../queue/queue.ts'
import { wakeCampaign } from '../../queue/tasks.ts'
import { channelKind } from './channel.ts'

const campaignKind = 'campaign'

/** Maximum number of concurrent campaign executions in this process, because they share the database connections. */
const maxConcurrentExecutions = 4
const unlimited = Number.POSITIVE_INFINITY
/** Maximum number of campaigns whose wait time and channel rate are remembered. The oldest entry is dropped first. */
const maxKnown = 1000

export interface CampaignDeps {
  sql: Database
  watermark: Watermark
  wake: ActorHost['wake']
  /** Returns the delay in milliseconds for work that is not urgent, while other work is late. */
  backpressureMs?: () => number
  /** Returns whether this process is busy with more urgent work. */
  isBusy?: () => boolean
  /** Called with the number of recipients that were sent, skipped or unknown. */
  onSettled?: (count: number) => void
}

/** Actors of campaigns. At most `maxConcurrentExecutions` executions run concurrently, and workspaces alternate. */
export const campaignActors = ({
  sql,
  watermark,
  wake,
  backpressureMs = () => 0,
  isBusy = () => false,
  onSettled = () => {},
}: CampaignDeps): ActorKind => {
  const poll = new QueuePoll(new QueueWatermarks(watermark))
  // Each campaign has one actor, so the number of campaigns is the limit of the queue.
  const limiter = new KeyedLimiter({ total: maxConcurrentExecutions, maxWaiting: unlimited, maxWaitMs: unlimited })
  const idle = new LRUCache<string, number>({ max: maxKnown })
  const sendWindows = new LRUCache<string, SendWindow>({ max: maxKnown })
  const wakeChannel = (workspaceId: string, id: string) => wake({ kind: channelKind, workspaceId, id })

  return {
    name: campaignKind,
    maxInFlight: 1,
    read: async ({ workspaceId, id }, _limit, except) => {
      if (except.includes(id)) return []
      const dueInMs = await findCampaignDue(sql, workspaceId, id)
      return dueInMs !== null && dueInMs <= 0 ? [{ id }] : []
    },
    handle: async ({ workspaceId, id }, _job, stopping) => {
      const idleMs = idle.get(id) ?? 0
      idle.delete(id)
      const sendWindow = sendWindows.get(id) ?? new SendWindow()
      sendWindows.delete(id)
      const waitMs = await limiter.run(workspaceId, undefined, () =>
        runCampaign(
          { sql, wakeChannel, delayMs: backpressureMs, isBusy, onSettled, stopping },
          { workspaceId, id, idleMs, sendWindow },
        ),
      )
      if (waitMs > 0) idle.set(id, waitMs)
      sendWindows.set(id, sendWindow)
      return 'success'
    },
    dueInMs: ({ workspaceId, id }) => findCampaignDue(sql, workspaceId, id),
    wakeIn: ({ workspaceId, id }, ms) => wakeCampaign(sql, workspaceId, id, ms),
    findDue: (after, limit) => poll.page(after, from => findDueCampaigns(sql, after, limit, from)),
  }
}
