/** Sends messages to providers, with one actor for each connected channel. */

import type { Providers } from '../../messaging/channels/index.ts'
import { optOut } from '../../messaging/consent/index.ts'
import {
  applySideEffect,
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  isKnownKind,
  type MessageId,
  type MessageJob,
  markSendStarted,
  type ProviderSettings,
  type QueuedChannel,
  type SendOutcome,
  sendMessage,
  sendTimeoutMs,
  settle,
  skipReason,
} from '../../messaging/messages/index.ts'
import type { Log } from '../../platform/log.ts'
import { Batcher } from '../../platform/micro-batch.ts'
import { bisectOnError } from '../../platform/postgres/bisect.ts'
import { type Database, withRetry } from '../../platform/postgres/client.ts'
import type { Watermark } from '../../platform/postgres/watermark.ts'
import { type Span, type Tracer, traceIdOf } from '../../platform/tracing.ts'
import type { ActorKind } from '../../queue/actor.ts'
import { HealthSamples } from '../../queue/health-sample.ts'
import type { ActorHost } from '../../queue/host.ts'
import { QueuePoll, QueueWatermarks } from '../../queue/queue.ts'
import { retryWhileLocked } from '../../queue/retry-while-locked.ts'
import { wakeChannel } from '../../queue/tasks.ts'
import { ChannelRateLimits, delayAfter } from './rate-limit.ts'

export const channelKind = 'channel'

/** Wakes a channel and hands over its new messages. `writeStartedAt` is the time before they were written. */
export const dispatchToChannel = (
  wake: ActorHost['wake'],
  { workspaceId, channelId, jobs }: QueuedChannel,
  writeStartedAt: number,
) => wake({ kind: channelKind, workspaceId, id: channelId }, { jobs, writeStartedAt })

/**
 * Time after which a message whose sending started but was not settled is due again. It is longer than the provider's timeout, so
 * the sender must have ended.
 */
const redueMs = 2 * sendTimeoutMs

export interface ChannelDeps {
  sql: Database
  watermark: Watermark
  providers: Providers
  /** Keyring, public URL and provider URLs. Optional if every provider runs inside this process. */
  providerSettings?: ProviderSettings
  /** Called with the milliseconds by which a message was sent late because of this service. */
  onLate?: (ms: number) => void
  /**
   * Called once for each message that its provider accepted, with the milliseconds from when it was queued to the
   * attempt.
   */
  onHandover?: (ms: number) => void
  log: Log
  /** Null without an exporter of traces. */
  tracer?: Tracer | null
}

/**
 * Maximum number of in-flight messages of a channel without a rate limit. Many of them wait for their outcome to be
 * written. The more of them share a statement, the less each costs the database.
 */
const maxInFlight = 256
/** Providers that answer faster than this, in milliseconds, do not delay other messages. */
const quickMs = 25

/**
 * Returns whether the provider accepted or finally rejected the message. A message that was never sent says nothing
 * about the provider.
 */
const hasAnswered = ({ sendStarted }: DueMessage, outcome: SendOutcome): boolean =>
  'statuses' in outcome && (sendStarted || outcome.statuses.at(-1)?.status !== 'unknown')

/**
 * Returns whether the message belongs to a campaign. Such messages wait for each other, so their delay is not counted
 * as lateness.
 */
const isBulk = ({ sentBy }: DueMessage): boolean => sentBy === 'campaign'

const startMessageSpan = (tracer: Tracer | null, message: DueMessage): Span | null => {
  const { id, workspaceId, channelKind, traceparent: parent } = message
  const attributes = { 'message.id': id, workspace_id: workspaceId, 'channel.kind': channelKind }
  return tracer ? tracer.start('message', { kind: 'client', parent, attributes }) : null
}

const statusOf = (outcome: SendOutcome): string =>
  'statuses' in outcome ? outcome.statuses.at(-1)!.status : 'retrying'

const isSent = (outcome: SendOutcome): boolean => ['sent', 'delivered', 'read'].includes(statusOf(outcome))

/**
 * Logs an attempt: at `debug` if the message was sent, otherwise at `info`. The provider's own text is left out, because
 * it can contain the address of the customer.
 */
const logAttempt = (log: Log, message: DueMessage, outcome: SendOutcome, tookMs: number) => {
  const { workspaceId, channelId, id: messageId, traceparent } = message
  const trace = traceparent === null ? {} : { trace_id: traceIdOf(traceparent) }
  log[isSent(outcome) ? 'debug' : 'info'](
    { ...trace, workspaceId, channelId, messageId, status: statusOf(outcome), durationMs: Math.round(tookMs) },
    'message attempted',
  )
}

/** Actors of channels. Messages that begin or settle concurrently share one statement. */
export const channelActors = ({
  sql,
  watermark,
  providers,
  providerSettings,
  onLate,
  onHandover,
  log,
  tracer = null,
}: ChannelDeps): ActorKind<MessageJob> => {
  const watermarks = new QueueWatermarks(watermark)
  const poll = new QueuePoll(watermarks)
  const healthSamples = new HealthSamples()
  const rateLimits = new ChannelRateLimits()
  const beginBatcher = new Batcher<MessageId, boolean>({
    maxSize: 500,
    concurrency: 2,
    work: async messages => {
      const started = await markSendStarted(sql, messages, redueMs)
      return messages.map(({ id }) => started.has(id))
    },
  })
  const settleBatcher = new Batcher<SendOutcome, boolean>({
    maxSize: 500,
    concurrency: 2,
    work: outcomes =>
      bisectOnError(sql, outcomes, async some => {
        const locked = await withRetry(() => settle(sql, some))
        return some.map(({ id }) => !locked.has(id))
      }),
  })
  /**
   * Returns whether the message may be sent. If a second send would reach the person twice, only one process may begin
   * it.
   */
  const canBegin = async (message: DueMessage): Promise<boolean> =>
    !isKnownKind(message, providers) ||
    message.sendStarted ||
    providers[message.channelKind].capabilities.isIdempotent ||
    beginBatcher.add(message)

  /** Returns the rate limit of the provider, or null if it has none. */
  const rateLimitOf = ({ channelKind }: Pick<DueMessage, 'channelKind'>) =>
    providers[channelKind]?.capabilities.rateLimit ?? null

  /**
   * Limits a page to the messages that the provider accepts per second, because in-flight messages are not checked
   * again. The limit is one message while the provider rejects our requests.
   */
  const limitPage = (due: DueMessage[], inFlight: number): DueMessage[] => {
    const [first] = due
    if (!first) return due
    const max = first.channelStatus === 'failing' ? 1 : (rateLimitOf(first)?.perSecond ?? Number.POSITIVE_INFINITY)
    return due.slice(0, Math.max(0, Math.ceil(max) - inFlight))
  }

  /**
   * Waits until the provider may receive this message. Returns 0, or the milliseconds to put the message off.
   *
   * Messages of a conversation are sent in the order in which they were written, each after the previous one is
   * settled.
   */
  const waitForRateLimit = async (message: DueMessage, deadline: AbortSignal): Promise<number> => {
    const rateLimit = isKnownKind(message, providers) ? rateLimitOf(message) : null
    if (rateLimit === null || message.sendStarted || skipReason(message, providers[message.channelKind]) !== null)
      return 0
    const { ahead, channelId, handle, id } = message
    const leftMs = ahead ? delayAfter(ahead) : rateLimits.reserve(channelId, handle, id, rateLimit)
    if (leftMs === 0) await rateLimits.waitForRate(message.channelId, rateLimit, deadline)
    return leftMs
  }

  /**
   * Applies the consequence of an outcome for the channel. It takes effect in this process immediately, so in-flight
   * messages of the channel wait too.
   */
  const applyChannelEffect = async (
    { sideEffect }: SendOutcome,
    message: DueMessage,
    deadline: AbortSignal,
  ): Promise<void> => {
    if (!sideEffect) return
    if (sideEffect.kind === 'fails' || sideEffect.kind === 'pauses')
      rateLimits.pause(message.channelId, sideEffect.afterMs)
    await retryWhileLocked(async () => {
      await withRetry(() => applySideEffect(sql, sideEffect, message, { optOut }))
      return true
    }, deadline)
  }

  return {
    name: channelKind,
    maxInFlight,
    read: async ({ workspaceId, id }, limit, except) => {
      const queueRead = watermarks.startRead(id)
      const { due, firstMs, pausedMs } = await findDueMessages(sql, {
        workspaceId,
        channelId: id,
        limit,
        except,
        from: queueRead.from,
      })
      if (firstMs !== undefined) queueRead.complete(firstMs)
      rateLimits.pause(id, pausedMs)
      if (pausedMs > 0) return []
      const now = performance.now()
      return limitPage(due, except.length).map(message => ({
        ...message,
        dueAt: now - message.lateMs,
        queuedAt: now - message.queuedMs,
      }))
    },
    handle: async ({ id }, message, deadline, onResponse) => {
      if (rateLimits.isPaused(id)) return 'success'
      const leftMs = await waitForRateLimit(message, deadline)
      if (leftMs > 0) {
        const { workspaceId } = message
        await retryWhileLocked(() => settleBatcher.add({ workspaceId, id: message.id, leftMs }), deadline)
        return 'success'
      }
      if (!(await canBegin(message))) return 'success'
      const from = performance.now()
      const span = startMessageSpan(tracer, message)
      const traced = span ? { ...message, traceparent: span.traceparent } : message
      const outcome = await sendMessage(traced, providers, deadline, sendTimeoutMs, providerSettings).catch(error => {
        span?.end({}, 'internal_error')
        throw error
      })
      onResponse()
      const tookMs = performance.now() - from
      if (isSent(outcome)) onHandover?.(from - message.queuedAt)
      const answered = hasAnswered(message, outcome)
      healthSamples.record(id, { isHealthy: answered, tookMs })
      if (tookMs < quickMs && !healthSamples.causesDelay(id) && !isBulk(message)) onLate?.(from - message.dueAt)
      span?.end({ 'message.status': statusOf(outcome) }, isSent(outcome) ? null : statusOf(outcome))
      logAttempt(log, traced, outcome, tookMs)
      await applyChannelEffect(outcome, message, deadline)
      await retryWhileLocked(() => settleBatcher.add(outcome), deadline)
      return answered ? 'success' : 'none'
    },
    dueInMs: ({ workspaceId, id }) => findNextDueMessage(sql, workspaceId, id, watermarks.startRead(id).from),
    wakeIn: ({ workspaceId, id }, ms) => wakeChannel(sql, workspaceId, id, ms),
    findDue: (after, limit) => poll.page(after, from => findDueChannels(sql, after, limit, from)),
  }
}
