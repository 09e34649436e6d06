/** Hands messages to providers: one actor for each connected channel. */
import { Batcher } from '../db/batch.ts'
import { type Database, retrying } from '../db/client.ts'
import { eachOnItsOwn } from '../db/each-on-its-own.ts'
import type { Horizon } from '../db/horizon.ts'
import type { Providers } from '../domain/channels/index.ts'
import { Floors, Sweep } from '../domain/mailbox.ts'
import {
  beginMessages,
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type Handled,
  isKnown,
  type Letter,
  type MessageId,
  type QueuedFor,
  sendMessage,
  sendTimeoutMs,
  settle,
} from '../domain/messages/index.ts'
import { wakeChannel } from '../domain/tasks.ts'
import type { ActorKind } from './actor.ts'
import { Conduct } from './conduct.ts'
import type { ActorHost } from './host.ts'
import { untilDone } from './until-done.ts'

export const channelKind = 'channel'

/** Wakes a channel that was given messages, and hands it those; `askedAt` is when they were begun to be written. */
export const handToChannel = (
  wake: ActorHost['wake'],
  { workspaceId, channelId, letters }: QueuedFor,
  askedAt: number,
) => wake({ kind: channelKind, workspaceId, id: channelId }, { letters, askedAt })

/** Well after a provider had to answer, and what it said had to be recorded: whoever began a message is gone by then. */
const lookAgainMs = 2 * sendTimeoutMs

export interface ChannelDeps {
  sql: Database
  horizon: Horizon
  providers: Providers
  /** Told by how many milliseconds a message was handed over late by our own fault. */
  onLate?: (ms: number) => void
}

/** A provider that answers sooner keeps nobody waiting. */
const quickMs = 25

/** Whether its provider took the message or refused it for good. One that was not even asked is not to blame. */
const hasAnswered = ({ begun }: DueMessage, outcome: Handled): boolean =>
  'statuses' in outcome && (begun || outcome.statuses.at(-1)?.status !== 'unknown')

/** What channels do. Messages that begin, or are settled, at the same time share one statement. */
export const channelActors = ({ sql, horizon, providers, onLate }: ChannelDeps): ActorKind<Letter> => {
  const floors = new Floors(horizon)
  const sweep = new Sweep(floors)
  const conduct = new Conduct()
  const beginner = new Batcher<MessageId, boolean>({
    maxSize: 500,
    lanes: 2,
    work: async messages => {
      const begun = await beginMessages(sql, messages, lookAgainMs)
      return messages.map(({ id }) => begun.has(id))
    },
  })
  const settler = new Batcher<Handled, boolean>({
    maxSize: 500,
    lanes: 2,
    work: outcomes =>
      eachOnItsOwn(outcomes, async some => {
        const locked = await retrying(() => settle(sql, some))
        return some.map(({ id }) => !locked.has(id))
      }),
  })
  /** Where handing a message over twice would reach a person twice, only one may ever begin. */
  const mayBegin = async (message: DueMessage): Promise<boolean> =>
    !isKnown(message, providers) ||
    message.begun ||
    providers[message.channelKind].capabilities.knowsOurIds ||
    beginner.add(message)

  return {
    name: channelKind,
    maxInHand: 64,
    read: async ({ workspaceId, id }, limit, except) => {
      const look = floors.look(id)
      const { due, firstMs } = await findDueMessages(sql, {
        workspaceId,
        channelId: id,
        limit,
        except,
        from: look.from,
      })
      if (firstMs !== undefined) look.found(firstMs)
      const now = performance.now()
      return due.map(message => ({ ...message, dueSince: now - message.lateMs }))
    },
    handle: async ({ id }, message, deadline, responded) => {
      if (!(await mayBegin(message))) return 'prompt'
      const from = performance.now()
      const outcome = await sendMessage(message, providers, deadline)
      responded()
      const tookMs = performance.now() - from
      const answered = hasAnswered(message, outcome)
      conduct.tell(id, { promptly: answered, tookMs })
      if (tookMs < quickMs && !conduct.isToBlame(id)) onLate?.(from - message.dueSince)
      await untilDone(() => settler.add(outcome), deadline)
      return answered ? 'prompt' : 'none'
    },
    dueInMs: ({ workspaceId, id }) => findNextDueMessage(sql, workspaceId, id, floors.look(id).from),
    wakeIn: ({ workspaceId, id }, ms) => wakeChannel(sql, workspaceId, id, ms),
    findDue: (after, limit) => sweep.page(after, from => findDueChannels(sql, after, limit, from)),
  }
}
