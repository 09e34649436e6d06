/**
 * Live feeds of this process. It polls only workspaces that have subscribers here, several times a second, with one
 * query for up to 50 of them. The query reads only the ends of indexes. The result of a poll is serialized once and
 * sent to all subscribers. Code that inserts records has no extra work, in this or any other process.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import type { Part } from '../../platform/part.ts'
import { overloaded, tryLater } from '../errors.ts'
import { firstIdOf } from '../ids.ts'
import { type Need, Needs } from './needs.ts'
import { sharedCosts } from './rests.ts'
import type { StreamKind } from './schema.ts'
import { findNews, findNow, markStreamed, type SeenRow, type Since } from './sql.ts'
import { Stream, type StreamBounds } from './stream.ts'
import { bytesOf, heartbeatText, openingText, textOf, timeOfPlace } from './text.ts'
import { byTime, ToldRows } from './told.ts'

export interface StreamLimits extends StreamBounds {
  /** Maximum numbers of open feeds: per user, per workspace and per process. */
  maxEachPerson: number
  maxEachWorkspace: number
  maxOfAll: number
  /** Minimum interval between polls of a workspace in milliseconds, and the maximum if polling or sending is slow. */
  everyMs: number
  maxRestMs: number
  /** Minimum interval in milliseconds between polls for alerts of a workspace. */
  needsEveryMs: number
  /** Milliseconds after which a lasting alert is sent again if its text has changed. */
  sayAgainMs: number
  /** Milliseconds without data after which a heartbeat is sent. */
  heartbeatMs: number
  /** Milliseconds after which a subscriber's access is checked again. */
  judgeMs: number
  /** Milliseconds for which a feed can resume after a disconnect. */
  resumableMs: number
  /** Maximum number of rows per kind for one poll, and for a resume. */
  maxRows: number
  maxMissed: number
}

const usual: StreamLimits = {
  maxEachPerson: 20,
  maxEachWorkspace: 1000,
  maxOfAll: 4000,
  everyMs: 500,
  maxRestMs: 10_000,
  needsEveryMs: 10_000,
  sayAgainMs: 60_000,
  heartbeatMs: 15_000,
  judgeMs: 10_000,
  resumableMs: 5 * 60_000,
  maxRows: 50,
  maxMissed: 500,
  maxWaitingBytes: 256 * 1024,
  maxWaitingMs: 20_000,
}

export interface StreamsDeps {
  /** Runs a query on a connection of the read pool. */
  look: <T>(signal: AbortSignal, work: (sql: Sql) => Promise<T>) => Promise<T>
  /** Returns the alerts of a workspace. */
  findNeeds: (sql: Sql, workspaceId: string) => Promise<Need[]>
  /** Pool for recording which workspaces are watched. */
  sql: Database
  onFailure: (error: unknown) => void
  limits?: Partial<StreamLimits>
}

/** A subscriber and their workspace. */
export interface Listener {
  workspaceId: string
  userId: string
  /** Cursor sent by the client (Last-Event-ID); null for a new feed. */
  after: string | null
  /** Id of the session. Subscribers of the same session are checked together. */
  credential: string
  /** Returns whether the subscriber still has access. */
  mayStill: () => Promise<boolean>
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
const problemMs = 11 * 60_000
/** Maximum number of workspaces in one statement. */
const workspacesAtOnce = 50
/** Polling and sending use at most 1/100 of the time of a process. */
const shareOfTime = 100
/** Milliseconds of CPU time to send to one subscriber: 0.02 in a tight loop, up to 0.1 under load. */
const sendingMs = 0.1
/** Number of subscribers served before the loop yields. A thousand in one go would delay other work by 20 ms. */
const sentAtOnce = 50
const markEveryMs = 60_000
const maxJudgedAtOnce = 8

interface Member {
  stream: Stream
  listener: Listener
  judgedAt: number
  /** Data buffered while missed events are being read. */
  held: Uint8Array[] | null
}

/** All subscribers of one workspace in this process. */
interface Room {
  workspaceId: string
  members: Set<Member>
  told: ToldRows
  /** Null before the first poll for alerts. */
  needs: Needs | null
  needsFoundAt: number
  /** Alerts to be sent with the next poll, so that all events have one order. */
  needsToTell: SeenRow[]
  /** Database time of the last poll; 0 before the first. */
  at: number
  /** Milliseconds of CPU time that sending the last poll took; 0 if it found nothing. */
  tellingMs: number
  /** Time of the next poll, by the clock of this process. */
  dueAt: number
  /**
   * True while the last poll is being sent. No heartbeat is sent then, because some subscribers have not received that
   * poll.
   */
  isTelling: boolean
  ready: Promise<void>
}

export class Streams implements Part {
  readonly name = 'streams'
  readonly #limits: StreamLimits
  readonly #rooms = new Map<string, Room>()
  readonly #ofPerson = new Map<string, number>()
  readonly #stopping = new AbortController()
  #count = 0
  #looking: Promise<void> | null = null
  #lookingForNeeds: Promise<void> | null = null
  #upkeep: ReturnType<typeof setInterval> | undefined
  #judging: ReturnType<typeof setInterval> | undefined
  #isJudging = false
  #markedAt = 0

  constructor(private readonly deps: StreamsDeps) {
    this.#limits = { ...usual, ...deps.limits }
  }

  /** Number of open feeds. */
  get open(): number {
    return this.#count
  }

  start(): Promise<void> {
    const { heartbeatMs, judgeMs } = this.#limits
    this.#upkeep ??= setInterval(() => this.#keepUp(), Math.min(1000, heartbeatMs / 4))
    this.#judging ??= setInterval(() => void this.#judge(performance.now()), judgeMs / 4)
    return Promise.resolve()
  }

  /** Closes all feeds immediately. Clients reconnect to this or another process. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#upkeep)
    clearInterval(this.#judging)
    for (const room of this.#rooms.values()) for (const { stream } of room.members) stream.end()
    await Promise.all([this.#looking, this.#lookingForNeeds])
  }

  /** Opens a feed that starts now or at the client's cursor. Everything committed after this call is reported. */
  async listen(listener: Listener): Promise<ReadableStream<Uint8Array>> {
    const member = this.#admit(listener)
    const { stream } = member
    const gone = () => stream.end()
    listener.signal.addEventListener('abort', gone)
    try {
      const room = this.#roomOf(member)
      await room.ready
      const missed = listener.after === null ? null : await this.#missedBy(listener, room)
      this.#begin(member, room, missed)
      return stream.body
    } catch (error) {
      stream.end()
      throw error
    }
  }

  #admit(listener: Listener): Member {
    const { maxEachPerson, maxEachWorkspace, maxOfAll } = this.#limits
    const { workspaceId, userId } = listener
    if (this.#stopping.signal.aborted || this.#count >= maxOfAll)
      throw overloaded('No more streams can be opened here at this moment.', 5)
    const mine = this.#ofPerson.get(userId) ?? 0
    if (mine >= maxEachPerson)
      throw tryLater('rate_limited', `You have ${maxEachPerson} streams open; close one before you open another.`, 5)
    if ((this.#rooms.get(workspaceId)?.members.size ?? 0) >= maxEachWorkspace)
      throw tryLater('rate_limited', `The workspace has ${maxEachWorkspace} streams open, and may have no more.`, 5)
    this.#count += 1
    this.#ofPerson.set(userId, mine + 1)
    const stream = new Stream(this.#limits, () => this.#leave(member))
    const member: Member = { stream, listener, judgedAt: performance.now(), held: [] }
    return member
  }

  #leave(member: Member): void {
    const { workspaceId, userId } = member.listener
    this.#count -= 1
    const left = this.#ofPerson.get(userId)! - 1
    if (left > 0) this.#ofPerson.set(userId, left)
    else this.#ofPerson.delete(userId)
    const room = this.#rooms.get(workspaceId)
    room?.members.delete(member)
    if (room?.members.size === 0) this.#rooms.delete(workspaceId)
  }

  #roomOf(member: Member): Room {
    const { workspaceId } = member.listener
    let room = this.#rooms.get(workspaceId)
    if (!room) {
      room = {
        workspaceId,
        members: new Set(),
        told: new ToldRows(),
        needs: null,
        needsFoundAt: 0,
        needsToTell: [],
        at: 0,
        tellingMs: 0,
        dueAt: 0,
        isTelling: false,
        ready: Promise.resolve(),
      }
      this.#rooms.set(workspaceId, room)
      room.ready = this.#prepare(room)
      // All waiting callers get the error. Later callers start with a new group.
      room.ready.catch(() => {
        if (this.#rooms.get(workspaceId) === room) this.#rooms.delete(workspaceId)
      })
    }
    room.members.add(member)
    return room
  }

  /** Prepares the group. Rows that already exist are not reported. */
  async #prepare(room: Room): Promise<void> {
    await markStreamed(this.deps.sql, [room.workspaceId])
    const { at, rows } = await this.#look(at => [sinceOf(room.workspaceId, at)], this.#limits.maxRows)
    room.told.take(rows, at, true)
    await this.#lookForNeeds(room)
    room.at = at
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = null
    })
    this.#lookingForNeeds ??= this.#lookForNeedsOn().finally(() => {
      this.#lookingForNeeds = null
    })
  }

  /** Returns the missed events, or 'lost' if the cursor is invalid or too old, or if there are too many events. */
  async #missedBy({ workspaceId, after }: Listener, room: Room): Promise<{ rows: SeenRow[]; at: number } | 'lost'> {
    const { resumableMs, maxMissed } = this.#limits
    const from = timeOfPlace(after!)
    if (from === null || room.at - from > resumableMs || from > room.at + overlapMs) return 'lost'
    const { at, rows } = await this.#look(() => [sinceOf(workspaceId, from)], maxMissed)
    const counts = new Map<StreamKind, number>()
    for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if ([...counts.values()].some(count => count >= maxMissed)) return 'lost'
    const heard = new ToldRows()
    const news = rows.filter(row => row.at.getTime() >= from - overlapMs && !room.told.wasThereBy(row, from))
    return { rows: heard.take(news, at).sort(byTime), at }
  }

  #begin(member: Member, room: Room, missed: { rows: SeenRow[]; at: number } | 'lost' | null): void {
    const { stream, held } = member
    member.held = null
    const isLost = missed === 'lost'
    const from = missed === null || isLost ? room.at : timeOfPlace(member.listener.after!)!
    const retryMs = Math.round(1000 + Math.random() * 2000)
    const said = missed === null || isLost ? '' : textOf(missed.rows, from, missed.at)
    stream.send(bytesOf(openingText(from, isLost, retryMs) + said))
    for (const bytes of held!) stream.send(bytes)
  }

  async #look(sinceAt: (at: number) => Since[], most: number): Promise<{ at: number; rows: SeenRow[] }> {
    return this.deps.look(this.#stopping.signal, async sql => {
      const at = (await findNow(sql)).getTime()
      return { at, rows: await findNews(sql, sinceAt(at), most) }
    })
  }

  /**
   * Polls while there are subscribers. The pause grows with the duration of a poll, so that writing records has
   * priority.
   */
  async #lookOn(): Promise<void> {
    const { everyMs, maxRestMs } = this.#limits
    const { signal } = this.#stopping
    let restMs = everyMs
    while (!signal.aborted && this.#rooms.size > 0) {
      await sleep(restMs, null, { signal }).catch(() => {})
      if (signal.aborted) return
      const tookMs = await this.#lookAround().catch(error => {
        if (!signal.aborted) this.deps.onFailure(error)
        return 0
      })
      restMs = Math.min(maxRestMs, Math.max(everyMs, tookMs * shareOfTime))
    }
  }

  /** Polls all workspaces that are due. Returns the duration of the queries in milliseconds. */
  async #lookAround(): Promise<number> {
    await this.#mark()
    const begunAt = performance.now()
    const rooms = [...this.#rooms.values()].filter(({ at, dueAt }) => at > 0 && dueAt <= begunAt)
    let tookMs = 0
    for (let from = 0; from < rooms.length; from += workspacesAtOnce) {
      const some = rooms.slice(from, from + workspacesAtOnce)
      const since = some.map(room => sinceOf(room.workspaceId, room.at))
      const lookedAt = performance.now()
      const { at, rows } = await this.#look(() => since, this.#limits.maxRows)
      tookMs += performance.now() - lookedAt
      const byWorkspace = Map.groupBy(rows, row => row.workspaceId)
      for (const room of some) {
        const told = await this.#tell(room, byWorkspace.get(room.workspaceId) ?? [], at)
        room.tellingMs = told * sendingMs
      }
    }
    this.#rest(rooms)
    return tookMs
  }

  /** Delays the next poll of workspaces with many subscribers, without delaying those with few. */
  #rest(looked: readonly Room[]): void {
    const rooms = [...this.#rooms.values()]
    const costs = sharedCosts(rooms.map(({ tellingMs }) => tellingMs))
    const restMs = new Map(rooms.map((room, index) => [room, costs[index]! * shareOfTime]))
    const now = performance.now()
    for (const room of looked) room.dueAt = now + Math.min(this.#limits.maxRestMs, restMs.get(room) ?? 0)
  }

  /**
   * Polls for alerts, one workspace at a time, the one polled longest ago first. These queries count waiting rows, and
   * most alerts arise because time passes.
   */
  async #lookForNeedsOn(): Promise<void> {
    const { signal } = this.#stopping
    const { needsEveryMs, maxRestMs } = this.#limits
    let restMs = 0
    while (!signal.aborted && this.#rooms.size > 0) {
      const longest = [...this.#rooms.values()].filter(({ at }) => at > 0).sort(byNeedsFound)[0]
      const dueInMs = longest ? longest.needsFoundAt + needsEveryMs - performance.now() : needsEveryMs
      await sleep(Math.max(restMs, dueInMs), null, { signal }).catch(() => {})
      if (signal.aborted) return
      const begunAt = performance.now()
      if (longest && this.#rooms.get(longest.workspaceId) === longest)
        await this.#lookForNeeds(longest).catch(error => {
          if (!signal.aborted) this.deps.onFailure(error)
        })
      restMs = Math.min(maxRestMs, (performance.now() - begunAt) * shareOfTime)
    }
  }

  async #lookForNeeds(room: Room): Promise<void> {
    const { workspaceId } = room
    room.needsFoundAt = performance.now()
    const found = await this.deps.look(this.#stopping.signal, sql => this.deps.findNeeds(sql, workspaceId))
    if (room.needs) room.needsToTell.push(...room.needs.take(found, clock.now()))
    else room.needs = new Needs(workspaceId, found, clock.now(), this.#limits.sayAgainMs)
  }

  async #mark(): Promise<void> {
    if (performance.now() - this.#markedAt < markEveryMs && this.#markedAt > 0) return
    await markStreamed(this.deps.sql, [...this.#rooms.keys()])
    this.#markedAt = performance.now()
  }

  /**
   * Sends the result of a poll and returns the number of subscribers. A subscriber that joins during the call starts
   * after this poll.
   */
  async #tell(room: Room, rows: SeenRow[], at: number): Promise<number> {
    const fresh = [...withGaps(room.told.take(rows, at), this.#limits.maxRows), ...room.needsToTell.splice(0)]
    room.told.forget(at - rememberedMs)
    const from = room.at
    room.at = at
    if (fresh.length === 0) return 0
    const bytes = bytesOf(textOf(fresh, from, at))
    const streams: Stream[] = []
    for (const { stream, held } of room.members) {
      if (held === null) streams.push(stream)
      else held.push(bytes)
    }
    room.isTelling = true
    try {
      await sendTo(streams, bytes)
    } finally {
      room.isTelling = false
    }
    return room.members.size
  }

  #keepUp(): void {
    const now = performance.now()
    for (const room of this.#rooms.values()) {
      const beat = bytesOf(heartbeatText(room.at))
      for (const { stream, held } of room.members) {
        if (stream.isStuck(now)) stream.drop()
        else if (room.isTelling || held !== null || !stream.isTaken) continue
        else if (now - stream.sentAt >= this.#limits.heartbeatMs) stream.send(beat)
      }
    }
  }

  /** Ends the feeds of subscribers who lost access. Feeds of the same session are checked with one query. */
  async #judge(now: number): Promise<void> {
    if (this.#isJudging) return
    this.#isJudging = true
    const members = [...this.#rooms.values()].flatMap(room => [...room.members])
    const due = members.filter(({ judgedAt }) => now - judgedAt >= this.#limits.judgeMs)
    const together = [...Map.groupBy(due, ({ listener }) => `${listener.workspaceId} ${listener.credential}`).values()]
    try {
      for (let from = 0; from < together.length; from += maxJudgedAtOnce)
        await Promise.all(together.slice(from, from + maxJudgedAtOnce).map(some => this.#judgeTogether(some, now)))
    } finally {
      this.#isJudging = false
    }
  }

  async #judgeTogether(members: Member[], now: number): Promise<void> {
    try {
      const may = await members[0]!.listener.mayStill()
      for (const member of members) {
        member.judgedAt = now
        if (!may) member.stream.end()
      }
    } catch (error) {
      // Access is unknown. Keeps the feed open and checks it again.
      this.deps.onFailure(error)
    }
  }
}

const byNeedsFound = (one: Room, other: Room): number => one.needsFoundAt - other.needsFoundAt

const sendTo = async (streams: readonly Stream[], bytes: Uint8Array): Promise<void> => {
  for (let from = 0; from < streams.length; from += sentAtOnce) {
    if (from > 0) await nextTurn()
    for (const stream of streams.slice(from, from + sentAtOnce)) stream.send(bytes)
  }
}

const sinceOf = (workspaceId: string, at: number): Since => {
  const from = new Date(at - overlapMs)
  return {
    workspaceId,
    from,
    fromId: firstIdOf(from),
    problemsFromId: firstIdOf(new Date(from.getTime() - problemMs)),
  }
}

/** Marks a gap for each kind that has as many rows as a poll reads, because earlier rows may be missing. */
const withGaps = (rows: SeenRow[], maxRows: number): (SeenRow & { gap?: true })[] => {
  const counts = new Map<StreamKind, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const seen = new Set<StreamKind>()
  return rows.map(row => {
    if (seen.has(row.kind)) return row
    seen.add(row.kind)
    return counts.get(row.kind)! >= maxRows ? { ...row, gap: true } : row
  })
}
