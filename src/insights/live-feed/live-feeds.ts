/**
 * Live feeds of this process. It polls only workspaces that have subscribers here, several times a second, with one
 * query for up to 50 of them. The query reads only the ends of indexes. The result of a poll is serialized once and
 * sent to all subscribers. Code that inserts records has no extra work, in this or any other process.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { markWatched } from '../../core/changes/index.ts'
import { overloaded, retryLater } from '../../core/errors.ts'
import { minIdAt } from '../../core/ids.ts'
import { clock } from '../../platform/clock.ts'
import { KeyedLimiter } from '../../platform/keyed-limiter.ts'
import type { Database, Sql } from '../../platform/postgres/client.ts'
import type { Service } from '../../platform/service.ts'
import { type Alert, AlertTracker } from './alert-tracker.ts'
import { bytesOf, heartbeatText, openingText, parseCursor, textOf } from './event-stream.ts'
import { type BufferLimits, LiveFeed } from './live-feed.ts'
import { byTime, ReportedRows } from './reported-rows.ts'
import type { FeedKind } from './schema.ts'
import { sharedCosts } from './shared-costs.ts'
import { type FeedRow, findNewRows, findNow, type PollRange } from './sql.ts'

export interface LiveFeedLimits extends BufferLimits {
  /** Maximum numbers of open feeds: per user, per workspace and per process. */
  maxPerUser: number
  maxPerWorkspace: number
  maxPerProcess: number
  /** Minimum interval between polls of a workspace in milliseconds, and the maximum if polling or sending is slow. */
  minPollMs: number
  maxPollMs: number
  /** Minimum interval in milliseconds between polls for alerts of a workspace. */
  alertPollMs: number
  /** Milliseconds after which a lasting alert is sent again if its text has changed. */
  alertResendMs: number
  /** Milliseconds without data after which a heartbeat is sent. */
  heartbeatMs: number
  /**
   * Milliseconds after which a subscriber's access is checked again. The check starts at most a quarter of it later, so
   * that a feed ends within ten seconds (contract 14.7).
   */
  accessCheckMs: number
  /** Milliseconds for which a feed can resume after a disconnect. */
  resumableMs: number
  /** Maximum number of rows per kind for one poll, and for a resume. */
  maxRows: number
  maxMissed: number
}

const defaultLimits: LiveFeedLimits = {
  maxPerUser: 20,
  maxPerWorkspace: 1000,
  maxPerProcess: 4000,
  minPollMs: 500,
  maxPollMs: 10_000,
  alertPollMs: 10_000,
  alertResendMs: 60_000,
  heartbeatMs: 15_000,
  accessCheckMs: 7500,
  resumableMs: 5 * 60_000,
  maxRows: 50,
  maxMissed: 500,
  maxBufferedBytes: 256 * 1024,
  maxBufferedMs: 20_000,
}

export interface LiveFeedsDeps {
  /** Runs a query on a connection of the read pool. */
  query: <T>(signal: AbortSignal, work: (sql: Sql) => Promise<T>) => Promise<T>
  /** Returns the alerts of a workspace. */
  findAlerts: (sql: Sql, workspaceId: string) => Promise<Alert[]>
  /** Pool for recording which workspaces are watched. */
  sql: Database
  onFailure: (error: unknown) => void
  limits?: Partial<LiveFeedLimits>
}

/** A subscriber and their workspace. */
export interface Subscriber {
  workspaceId: string
  userId: string
  /** Cursor sent by the client (Last-Event-ID); null for a new feed. */
  after: string | null
  /** Id of the session. Subscribers of the same session are checked together. */
  credential: string
  /** Returns whether the subscriber still has access. */
  hasAccess: () => Promise<boolean>
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/**
 * Milliseconds by which a poll overlaps the previous one, because rows are committed after their id was created, and
 * clocks differ.
 */
const overlapMs = 10_000
/** Milliseconds for which reported rows are remembered. Longer than the range in which a poll can find them again. */
const rememberedMs = 3 * overlapMs
/** Milliseconds for which the row of a rejected request can still change. */
const rejectedRequestMs = 11 * 60_000
/** Maximum number of workspaces in one statement. */
const maxWorkspacesPerQuery = 50
/** Polling and sending use at most 1/100 of the time of a process. */
const costFactor = 100
/** Milliseconds of CPU time to send to one subscriber: 0.02 in a tight loop, up to 0.1 under load. */
const sendCostMs = 0.1
/** Number of subscribers served before the loop yields. A thousand in one go would delay other work by 20 ms. */
const sendsBeforeYield = 50
const renewWatchedMs = 60_000
const maxConcurrentChecks = 8

interface Subscription {
  feed: LiveFeed
  subscriber: Subscriber
  checkedAt: number
  /** Data buffered while missed events are being read. */
  buffered: Uint8Array[] | null
}

/** All subscribers of one workspace in this process. */
interface FeedGroup {
  workspaceId: string
  subscriptions: Set<Subscription>
  reported: ReportedRows
  /** Null before the first poll for alerts. */
  alerts: AlertTracker | null
  alertsPolledAt: number
  /** Alerts to be sent with the next poll, so that all events have one order. */
  pendingAlerts: FeedRow[]
  /** Database time of the last poll; 0 before the first. */
  at: number
  /** Milliseconds of CPU time that sending the last poll took; 0 if it found nothing. */
  lastSendMs: number
  /** Time of the next poll, by the clock of this process. */
  dueAt: number
  /**
   * True while the last poll is being sent. No heartbeat is sent then, because some subscribers have not received that
   * poll.
   */
  isSending: boolean
  ready: Promise<void>
}

export class LiveFeeds implements Service {
  readonly name = 'streams'
  readonly #limits: LiveFeedLimits
  readonly #groups = new Map<string, FeedGroup>()
  /** Open feeds, by user and by workspace. */
  readonly #users: KeyedLimiter
  readonly #workspaces: KeyedLimiter
  readonly #stopping = new AbortController()
  #polling: Promise<void> | null = null
  #pollingAlerts: Promise<void> | null = null
  #heartbeatTimer: ReturnType<typeof setInterval> | undefined
  #accessTimer: ReturnType<typeof setInterval> | undefined
  #isCheckingAccess = false
  #renewedAt = 0

  constructor(private readonly deps: LiveFeedsDeps) {
    this.#limits = { ...defaultLimits, ...deps.limits }
    const { maxPerProcess: total, maxPerUser, maxPerWorkspace } = this.#limits
    this.#users = new KeyedLimiter({ total, maxPerKey: maxPerUser })
    this.#workspaces = new KeyedLimiter({ total, maxPerKey: maxPerWorkspace })
  }

  /** Number of open feeds. */
  get open(): number {
    return this.#users.held
  }

  start(): Promise<void> {
    const { heartbeatMs, accessCheckMs } = this.#limits
    this.#heartbeatTimer ??= setInterval(() => this.#sendHeartbeats(), Math.min(1000, heartbeatMs / 4))
    this.#accessTimer ??= setInterval(() => void this.#checkAccess(performance.now()), accessCheckMs / 4)
    return Promise.resolve()
  }

  /** Closes all feeds immediately. Clients reconnect to this or another process. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#heartbeatTimer)
    clearInterval(this.#accessTimer)
    for (const group of this.#groups.values()) for (const { feed } of group.subscriptions) feed.end()
    await Promise.all([this.#polling, this.#pollingAlerts])
  }

  /** Opens a feed that starts now or at the client's cursor. Everything committed after this call is reported. */
  async subscribe(subscriber: Subscriber): Promise<ReadableStream<Uint8Array>> {
    const subscription = this.#admit(subscriber)
    const { feed } = subscription
    const onAbort = () => feed.end()
    subscriber.signal.addEventListener('abort', onAbort)
    try {
      const group = this.#join(subscription)
      await group.ready
      const missed = subscriber.after === null ? null : await this.#findMissed(subscriber, group)
      this.#beginFeed(subscription, group, missed)
      return feed.body
    } catch (error) {
      feed.end()
      // The stop ended the reads of a feed that was being opened.
      throw this.#stopping.signal.aborted ? overloaded('This process is stopping.', 5) : error
    }
  }

  #admit(subscriber: Subscriber): Subscription {
    const { maxPerUser, maxPerWorkspace, maxPerProcess } = this.#limits
    const { workspaceId, userId } = subscriber
    if (this.#stopping.signal.aborted || this.open >= maxPerProcess)
      throw overloaded('This process has too many open streams.', 5)
    if (!this.#users.tryAcquire(userId))
      throw retryLater(
        'rate_limited',
        `You have ${maxPerUser} open streams, the maximum. Close one before you open another.`,
        5,
      )
    if (!this.#workspaces.tryAcquire(workspaceId)) {
      this.#users.release(userId)
      throw retryLater(
        'rate_limited',
        `The workspace has ${maxPerWorkspace} open streams, the maximum. Close one before you open another.`,
        5,
      )
    }
    const feed = new LiveFeed(this.#limits, () => this.#remove(subscription))
    const subscription: Subscription = { feed, subscriber, checkedAt: performance.now(), buffered: [] }
    return subscription
  }

  #remove(subscription: Subscription): void {
    const { workspaceId, userId } = subscription.subscriber
    this.#users.release(userId)
    this.#workspaces.release(workspaceId)
    const group = this.#groups.get(workspaceId)
    group?.subscriptions.delete(subscription)
    if (group?.subscriptions.size === 0) this.#groups.delete(workspaceId)
  }

  #join(subscription: Subscription): FeedGroup {
    const { workspaceId } = subscription.subscriber
    let group = this.#groups.get(workspaceId)
    if (!group) {
      group = {
        workspaceId,
        subscriptions: new Set(),
        reported: new ReportedRows(),
        alerts: null,
        alertsPolledAt: 0,
        pendingAlerts: [],
        at: 0,
        lastSendMs: 0,
        dueAt: 0,
        isSending: false,
        ready: Promise.resolve(),
      }
      this.#groups.set(workspaceId, group)
      group.ready = this.#prepare(group)
      // All waiting callers get the error. Later callers start with a new group.
      group.ready.catch(() => {
        if (this.#groups.get(workspaceId) === group) this.#groups.delete(workspaceId)
      })
    }
    group.subscriptions.add(subscription)
    return group
  }

  /** Prepares the group. Rows that already exist are not reported. */
  async #prepare(group: FeedGroup): Promise<void> {
    await markWatched(this.deps.sql, [group.workspaceId])
    const { at, rows } = await this.#query(at => [rangeOf(group.workspaceId, at)], this.#limits.maxRows)
    group.reported.add(rows, at, true)
    await this.#pollAlerts(group)
    group.at = at
    this.#polling ??= this.#pollLoop().finally(() => {
      this.#polling = null
    })
    this.#pollingAlerts ??= this.#pollAlertsLoop().finally(() => {
      this.#pollingAlerts = null
    })
  }

  /** Returns the missed events, or 'lost' if the cursor is invalid or too old, or if there are too many events. */
  async #findMissed(
    { workspaceId, after }: Subscriber,
    group: FeedGroup,
  ): Promise<{ rows: FeedRow[]; at: number } | 'lost'> {
    const { resumableMs, maxMissed } = this.#limits
    const from = parseCursor(after!)
    if (from === null || group.at - from > resumableMs || from > group.at + overlapMs) return 'lost'
    const { at, rows } = await this.#query(() => [rangeOf(workspaceId, from)], maxMissed)
    const counts = new Map<FeedKind, number>()
    for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if ([...counts.values()].some(count => count >= maxMissed)) return 'lost'
    const alreadySent = new ReportedRows()
    const unseen = rows.filter(row => row.at.getTime() >= from - overlapMs && !group.reported.wasVisibleAt(row, from))
    return { rows: alreadySent.add(unseen, at).sort(byTime), at }
  }

  #beginFeed(
    subscription: Subscription,
    group: FeedGroup,
    missed: { rows: FeedRow[]; at: number } | 'lost' | null,
  ): void {
    const { feed, buffered } = subscription
    subscription.buffered = null
    const isLost = missed === 'lost'
    const from = missed === null || isLost ? group.at : parseCursor(subscription.subscriber.after!)!
    const retryMs = Math.round(1000 + Math.random() * 2000)
    const missedText = missed === null || isLost ? '' : textOf(missed.rows, from, missed.at)
    feed.send(bytesOf(openingText(from, isLost, retryMs) + missedText))
    for (const bytes of buffered!) feed.send(bytes)
  }

  async #query(rangesAt: (at: number) => PollRange[], rowLimit: number): Promise<{ at: number; rows: FeedRow[] }> {
    return this.deps.query(this.#stopping.signal, async sql => {
      const at = (await findNow(sql)).getTime()
      return { at, rows: await findNewRows(sql, rangesAt(at), rowLimit) }
    })
  }

  /**
   * Polls while there are subscribers. The pause grows with the duration of a poll, so that writing records has
   * priority.
   */
  async #pollLoop(): Promise<void> {
    const { minPollMs, maxPollMs } = this.#limits
    const { signal } = this.#stopping
    let pauseMs = minPollMs
    while (!signal.aborted && this.#groups.size > 0) {
      await sleep(pauseMs, null, { signal }).catch(() => {})
      if (signal.aborted) return
      const tookMs = await this.#pollOnce().catch(error => {
        if (!signal.aborted) this.deps.onFailure(error)
        return 0
      })
      pauseMs = Math.min(maxPollMs, Math.max(minPollMs, tookMs * costFactor))
    }
  }

  /** Polls all workspaces that are due. Returns the duration of the queries in milliseconds. */
  async #pollOnce(): Promise<number> {
    await this.#renewWatched()
    const startedAt = performance.now()
    const groups = [...this.#groups.values()].filter(({ at, dueAt }) => at > 0 && dueAt <= startedAt)
    let tookMs = 0
    for (let from = 0; from < groups.length; from += maxWorkspacesPerQuery) {
      const batch = groups.slice(from, from + maxWorkspacesPerQuery)
      const ranges = batch.map(group => rangeOf(group.workspaceId, group.at))
      const queriedAt = performance.now()
      const { at, rows } = await this.#query(() => ranges, this.#limits.maxRows)
      tookMs += performance.now() - queriedAt
      const byWorkspace = Map.groupBy(rows, row => row.workspaceId)
      for (const group of batch) {
        const reported = await this.#report(group, byWorkspace.get(group.workspaceId) ?? [], at)
        group.lastSendMs = reported * sendCostMs
      }
    }
    this.#delayNextPoll(groups)
    return tookMs
  }

  /** Delays the next poll of workspaces with many subscribers, without delaying those with few. */
  #delayNextPoll(polled: readonly FeedGroup[]): void {
    const groups = [...this.#groups.values()]
    const costs = sharedCosts(groups.map(({ lastSendMs }) => lastSendMs))
    const pauseMs = new Map(groups.map((group, index) => [group, costs[index]! * costFactor]))
    const now = performance.now()
    for (const group of polled) group.dueAt = now + Math.min(this.#limits.maxPollMs, pauseMs.get(group) ?? 0)
  }

  /**
   * Polls for alerts, one workspace at a time, the one polled longest ago first. These queries count waiting rows, and
   * most alerts arise because time passes.
   */
  async #pollAlertsLoop(): Promise<void> {
    const { signal } = this.#stopping
    const { alertPollMs, maxPollMs } = this.#limits
    let pauseMs = 0
    while (!signal.aborted && this.#groups.size > 0) {
      const oldest = [...this.#groups.values()].filter(({ at }) => at > 0).sort(byAlertPoll)[0]
      const dueInMs = oldest ? oldest.alertsPolledAt + alertPollMs - performance.now() : alertPollMs
      await sleep(Math.max(pauseMs, dueInMs), null, { signal }).catch(() => {})
      if (signal.aborted) return
      const startedAt = performance.now()
      if (oldest && this.#groups.get(oldest.workspaceId) === oldest)
        await this.#pollAlerts(oldest).catch(error => {
          if (!signal.aborted) this.deps.onFailure(error)
        })
      pauseMs = Math.min(maxPollMs, (performance.now() - startedAt) * costFactor)
    }
  }

  async #pollAlerts(group: FeedGroup): Promise<void> {
    const { workspaceId } = group
    group.alertsPolledAt = performance.now()
    const found = await this.deps.query(this.#stopping.signal, sql => this.deps.findAlerts(sql, workspaceId))
    if (group.alerts) group.pendingAlerts.push(...group.alerts.update(found, clock.now()))
    else group.alerts = new AlertTracker(workspaceId, found, clock.now(), this.#limits.alertResendMs)
  }

  async #renewWatched(): Promise<void> {
    if (performance.now() - this.#renewedAt < renewWatchedMs && this.#renewedAt > 0) return
    await markWatched(this.deps.sql, [...this.#groups.keys()])
    this.#renewedAt = performance.now()
  }

  /**
   * Sends the result of a poll and returns the number of subscribers. A subscriber that joins during the call starts
   * after this poll.
   */
  async #report(group: FeedGroup, rows: FeedRow[], at: number): Promise<number> {
    const newRows = [...markGaps(group.reported.add(rows, at), this.#limits.maxRows), ...group.pendingAlerts.splice(0)]
    group.reported.forget(at - rememberedMs)
    const from = group.at
    group.at = at
    if (newRows.length === 0) return 0
    const bytes = bytesOf(textOf(newRows, from, at))
    const feeds: LiveFeed[] = []
    for (const { feed, buffered } of group.subscriptions) {
      if (buffered === null) feeds.push(feed)
      else buffered.push(bytes)
    }
    group.isSending = true
    try {
      await sendToAll(feeds, bytes)
    } finally {
      group.isSending = false
    }
    return group.subscriptions.size
  }

  #sendHeartbeats(): void {
    const now = performance.now()
    for (const group of this.#groups.values()) {
      const heartbeat = bytesOf(heartbeatText(group.at))
      for (const { feed, buffered } of group.subscriptions) {
        if (feed.isStalled(now)) feed.drop()
        else if (group.isSending || buffered !== null || !feed.isDrained) continue
        else if (now - feed.sentAt >= this.#limits.heartbeatMs) feed.send(heartbeat)
      }
    }
  }

  /** Ends the feeds of subscribers who lost access. Feeds of the same session are checked with one query. */
  async #checkAccess(now: number): Promise<void> {
    if (this.#isCheckingAccess) return
    this.#isCheckingAccess = true
    const subscriptions = [...this.#groups.values()].flatMap(group => [...group.subscriptions])
    const due = subscriptions.filter(({ checkedAt }) => now - checkedAt >= this.#limits.accessCheckMs)
    const sessions = [
      ...Map.groupBy(due, ({ subscriber }) => `${subscriber.workspaceId} ${subscriber.credential}`).values(),
    ]
    try {
      for (let from = 0; from < sessions.length; from += maxConcurrentChecks)
        await Promise.all(sessions.slice(from, from + maxConcurrentChecks).map(batch => this.#checkSession(batch, now)))
    } finally {
      this.#isCheckingAccess = false
    }
  }

  async #checkSession(subscriptions: Subscription[], now: number): Promise<void> {
    try {
      const isAllowed = await subscriptions[0]!.subscriber.hasAccess()
      for (const subscription of subscriptions) {
        subscription.checkedAt = now
        if (!isAllowed) subscription.feed.end()
      }
    } catch (error) {
      // Access is unknown. Keeps the feed open and checks it again.
      this.deps.onFailure(error)
    }
  }
}

const byAlertPoll = (one: FeedGroup, other: FeedGroup): number => one.alertsPolledAt - other.alertsPolledAt

const sendToAll = async (feeds: readonly LiveFeed[], bytes: Uint8Array): Promise<void> => {
  for (let from = 0; from < feeds.length; from += sendsBeforeYield) {
    if (from > 0) await nextTurn()
    for (const feed of feeds.slice(from, from + sendsBeforeYield)) feed.send(bytes)
  }
}

const rangeOf = (workspaceId: string, at: number): PollRange => {
  const from = new Date(at - overlapMs)
  return {
    workspaceId,
    from,
    fromId: minIdAt(from),
    problemsFromId: minIdAt(new Date(from.getTime() - rejectedRequestMs)),
  }
}

/** Marks a gap for each kind that has as many rows as a poll reads, because earlier rows may be missing. */
const markGaps = (rows: FeedRow[], maxRows: number): (FeedRow & { gap?: true })[] => {
  const counts = new Map<FeedKind, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const seen = new Set<FeedKind>()
  return rows.map(row => {
    if (seen.has(row.kind)) return row
    seen.add(row.kind)
    return counts.get(row.kind)! >= maxRows ? { ...row, gap: true } : row
  })
}
