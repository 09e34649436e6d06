/** Sends messages to providers, with one actor for each connected channel. */
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

/** Wakes a channel and hands over its new messages. `askedAt` is the time before they were written. */
export const handToChannel = (
  wake: ActorHost['wake'],
  { workspaceId, channelId, letters }: QueuedFor,
  askedAt: number,
) => wake({ kind: channelKind, workspaceId, id: channelId }, { letters, askedAt })

/**
 * Time after which a message that was begun but not settled is due again. It is longer than the provider's timeout, so
 * the sender must have ended.
 */
const lookAgainMs = 2 * sendTimeoutMs

export interface ChannelDeps {
  sql: Database
  horizon: Horizon
  providers: Providers
  /** Keyring, public URL and provider URLs. Optional if every provider runs inside this process. */
  reach?: Reach
  /** Called with the milliseconds by which a message was sent late because of this service. */
  onLate?: (ms: number) => void
}

/**
 * Maximum number of in-flight messages of a channel without a rate limit. Many of them wait for their outcome to be
 * written. The more of them share a statement, the less each costs the database.
 */
const maxInHand = 256
/** Providers that answer faster than this, in milliseconds, do not delay other messages. */
const quickMs = 25

/**
 * Returns whether the provider accepted or finally rejected the message. A message that was never sent says nothing
 * about the provider.
 */
const hasAnswered = ({ begun }: DueMessage, outcome: Handled): boolean =>
  'statuses' in outcome && (begun || outcome.statuses.at(-1)?.status !== 'unknown')

/**
 * Returns whether the message belongs to a campaign. Such messages wait for each other, so their delay is not counted
 * as lateness.
 */
const isBulk = ({ sentBy }: DueMessage): boolean => sentBy === 'campaign'

/** Actors of channels. Messages that begin or settle concurrently share one statement. */
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
  /**
   * Returns whether the message may be sent. If a second send would reach the person twice, only one process may begin
   * it.
   */
  const mayBegin = async (message: DueMessage): Promise<boolean> =>
    !isKnown(message, providers) ||
    message.begun ||
    providers[message.channelKind].capabilities.knowsOurIds ||
    beginner.add(message)

  /** Returns the rate limit of the provider, or null if it has none. */
  const paceOf = ({ channelKind }: Pick<DueMessage, 'channelKind'>) => providers[channelKind]?.capabilities.pace ?? null

  /**
   * Limits a page to the messages that the provider accepts per second, because in-flight messages are not checked
   * again. The limit is one message while the provider rejects our requests.
   */
  const asItTakesThem = (due: DueMessage[], inHand: number): DueMessage[] => {
    const [first] = due
    if (!first) return due
    const most = first.channelStatus === 'failing' ? 1 : (paceOf(first)?.perSecond ?? Number.POSITIVE_INFINITY)
    return due.slice(0, Math.max(0, Math.ceil(most) - inHand))
  }

  /**
   * Waits until the provider may receive this message. Returns 0, or the milliseconds to put the message off.
   *
   * Messages of a conversation are sent in the order in which they were written, each after the previous one is
   * settled.
   */
  const waitForTurn = async (message: DueMessage, deadline: AbortSignal): Promise<number> => {
    const pace = isKnown(message, providers) ? paceOf(message) : null
    if (pace === null || message.begun || skippedBecause(message, providers[message.channelKind]) !== null) return 0
    const { ahead, channelId, handle, id } = message
    const leftMs = ahead ? waitBehind(ahead) : paces.waitFor(channelId, handle, id, pace)
    if (leftMs === 0) await paces.turn(message.channelId, pace, deadline)
    return leftMs
  }

  /**
   * Applies the consequence of an outcome for the channel. It takes effect in this process immediately, so in-flight
   * messages of the channel wait too.
   */
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
