/** Hands messages to providers: one actor for each connected channel. */
import { Batcher } from '../db/batch.ts'
import { type Database, retrying } from '../db/client.ts'
import { eachOnItsOwn } from '../db/each-on-its-own.ts'
import type { Horizon } from '../db/horizon.ts'
import type { Providers } from '../domain/channels/index.ts'
import { optOut } from '../domain/customers/index.ts'
import { Floors, Sweep } from '../domain/mailbox.ts'
import {
  beginMessages,
  carryOutAside,
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type Handled,
  isKnown,
  type Letter,
  type MessageId,
  type QueuedFor,
  type Reach,
  sendMessage,
  sendTimeoutMs,
  settle,
  skippedBecause,
} from '../domain/messages/index.ts'
import { wakeChannel } from '../domain/tasks.ts'
import type { ActorKind } from './actor.ts'
import { Conduct } from './conduct.ts'
import type { ActorHost } from './host.ts'
import { Paces, waitBehind } from './pace.ts'
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
  /** How they are reached; may be left out where none is outside of this process. */
  reach?: Reach
  /** Told by how many milliseconds a message was handed over late by our own fault. */
  onLate?: (ms: number) => void
}

/**
 * Messages of a channel in hand at once, where its provider has no pace: as many wait for what became of them to be
 * written, and the more of them share a statement, the less that costs the database for each.
 */
const maxInHand = 256
/** A provider that answers sooner keeps nobody waiting. */
const quickMs = 25

/** Whether its provider took the message or refused it for good. One that was not even asked is not to blame. */
const hasAnswered = ({ begun }: DueMessage, outcome: Handled): boolean =>
  'statuses' in outcome && (begun || outcome.statuses.at(-1)?.status !== 'unknown')

/** One of many that were written at once wait for one another: they are not late by our fault. */
const isBulk = ({ sentBy }: DueMessage): boolean => sentBy === 'campaign'

/** What channels do. Messages that begin, or are settled, at the same time share one statement. */
export const channelActors = ({ sql, horizon, providers, reach, onLate }: ChannelDeps): ActorKind<Letter> => {
  const floors = new Floors(horizon)
  const sweep = new Sweep(floors)
  const conduct = new Conduct()
  const paces = new Paces()
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
      eachOnItsOwn(sql, outcomes, async some => {
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

  /** A provider's pace: null where it takes messages as fast as they come. */
  const paceOf = ({ channelKind }: Pick<DueMessage, 'channelKind'>) => providers[channelKind]?.capabilities.pace ?? null

  /** As many as the provider takes within a second, for what is in hand is not judged again; and one, where it refuses us. */
  const asItTakesThem = (due: DueMessage[], inHand: number): DueMessage[] => {
    const [first] = due
    if (!first) return due
    const most = first.channelStatus === 'failing' ? 1 : (paceOf(first)?.perSecond ?? Number.POSITIVE_INFINITY)
    return due.slice(0, Math.max(0, Math.ceil(most) - inHand))
  }

  /**
   * Waits until the provider may be handed this one. Answers for how long the message is to be left where that is not now:
   * messages of a conversation go in the order in which they were written, each when the one before it is settled.
   */
  const waitForTurn = async (message: DueMessage, deadline: AbortSignal): Promise<number> => {
    const pace = isKnown(message, providers) ? paceOf(message) : null
    if (pace === null || message.begun || skippedBecause(message, providers[message.channelKind]) !== null) return 0
    const { ahead, channelId, handle, id } = message
    const leftMs = ahead ? waitBehind(ahead) : paces.waitFor(channelId, handle, id, pace)
    if (leftMs === 0) await paces.turn(message.channelId, pace, deadline)
    return leftMs
  }

  /** What follows for the channel is known here at once: what is in hand of it waits as well. */
  const setAside = async ({ aside }: Handled, message: DueMessage, deadline: AbortSignal): Promise<void> => {
    if (!aside) return
    if (aside.kind === 'fails' || aside.kind === 'rests') paces.rest(message.channelId, aside.afterMs)
    await untilDone(async () => {
      await retrying(() => carryOutAside(sql, aside, message, { optOut }))
      return true
    }, deadline)
  }

  return {
    name: channelKind,
    maxInHand,
    read: async ({ workspaceId, id }, limit, except) => {
      const look = floors.look(id)
      const { due, firstMs, pausedMs } = await findDueMessages(sql, {
        workspaceId,
        channelId: id,
        limit,
        except,
        from: look.from,
      })
      if (firstMs !== undefined) look.found(firstMs)
      paces.rest(id, pausedMs)
      if (pausedMs > 0) return []
      const now = performance.now()
      return asItTakesThem(due, except.length).map(message => ({ ...message, dueSince: now - message.lateMs }))
    },
    handle: async ({ id }, message, deadline, responded) => {
      if (paces.isResting(id)) return 'prompt'
      const leftMs = await waitForTurn(message, deadline)
      if (leftMs > 0) {
        const { workspaceId } = message
        await untilDone(() => settler.add({ workspaceId, id: message.id, leftMs }), deadline)
        return 'prompt'
      }
      if (!(await mayBegin(message))) return 'prompt'
      const from = performance.now()
      const outcome = await sendMessage(message, providers, deadline, sendTimeoutMs, reach)
      responded()
      const tookMs = performance.now() - from
      const answered = hasAnswered(message, outcome)
      conduct.tell(id, { promptly: answered, tookMs })
      if (tookMs < quickMs && !conduct.isToBlame(id) && !isBulk(message)) onLate?.(from - message.dueSince)
      await setAside(outcome, message, deadline)
      await untilDone(() => settler.add(outcome), deadline)
      return answered ? 'prompt' : 'none'
    },
    dueInMs: ({ workspaceId, id }) => findNextDueMessage(sql, workspaceId, id, floors.look(id).from),
    wakeIn: ({ workspaceId, id }, ms) => wakeChannel(sql, workspaceId, id, ms),
    findDue: (after, limit) => sweep.page(after, from => findDueChannels(sql, after, limit, from)),
  }
}
