/**
 * The streams that are open in this process. It looks for news only of workspaces that somebody watches here: for all of
 * them together, a few times a second, from the ends of indexes; what one look has found is made into text once and goes to
 * everybody who watches. Whoever records does nothing for it, in this process or another.
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
  /** Open at once. */
  maxEachPerson: number
  maxEachWorkspace: number
  maxOfAll: number
  /** Milliseconds between two looks at a workspace, at least, and at most where looking or telling takes long. */
  everyMs: number
  maxRestMs: number
  /** Milliseconds between two looks for what needs somebody in a workspace, at least. */
  needsEveryMs: number
  /** Milliseconds after which what needs somebody still is told once more, where other words are said of it by now. */
  sayAgainMs: number
  /** Milliseconds of silence. */
  heartbeatMs: number
  /** Milliseconds after which whoever reads is judged again. */
  judgeMs: number
  /** Milliseconds for which what was missed can be told. */
  resumableMs: number
  /** Rows of one kind that are told of one look, and of what was missed. */
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
  /** Lends a connection to look with. */
  look: <T>(signal: AbortSignal, work: (sql: Sql) => Promise<T>) => Promise<T>
  /** What needs somebody in a workspace. */
  findNeeds: (sql: Sql, workspaceId: string) => Promise<Need[]>
  /** Where is said which workspaces are watched. */
  sql: Database
  onFailure: (error: unknown) => void
  limits?: Partial<StreamLimits>
}

/** Who wants to hear what. */
export interface Listener {
  workspaceId: string
  userId: string
  /** What the reader has heard last, as they say. */
  after: string | null
  /** Under one name they are judged together. */
  credential: string
  /** Whether they may still hear it. */
  mayStill: () => Promise<boolean>
  /** Aborts when they have gone. */
  signal: AbortSignal
}

/**
 * Milliseconds that a look goes back behind the one before: a row is committed after its id was made, and clocks differ.
 */
const overlapMs = 10_000
/** What was told is kept in mind for longer than it can be found again. */
const rememberedMs = 3 * overlapMs
/** A problem under Not accepted is counted in its row for ten minutes. */
const problemMs = 11 * 60_000
/** Workspaces in one statement. */
const workspacesAtOnce = 50
/** Looking and telling take one part in so many of the time of a process. */
const shareOfTime = 100
/** Milliseconds of processor that sending to one reader takes: 0.02 in a loop of nothing else, up to 0.1 beside who records. */
const sendingMs = 0.1
/** Readers who are sent to before others have their turn: a thousand at once would hold up who records for 20 ms. */
const sentAtOnce = 50
const markEveryMs = 60_000
const maxJudgedAtOnce = 8

interface Member {
  stream: Stream
  listener: Listener
  judgedAt: number
  /** What was told while what it missed was being looked for. */
  held: Uint8Array[] | null
}

/** Everybody here who watches one workspace. */
interface Room {
  workspaceId: string
  members: Set<Member>
  told: ToldRows
  /** Null before the first look for what needs somebody. */
  needs: Needs | null
  needsFoundAt: number
  /** Told with the next look at everything else, so that all that is told has one order. */
  needsToTell: SeenRow[]
  /** The time of the last look, by the clock of the database; 0 before the first. */
  at: number
  /** Milliseconds of processor that telling of the last look took; 0 where it found nothing. */
  tellingMs: number
  /** When it is looked at again, by the clock of this process. */
  dueAt: number
  /** Not everybody has been sent what the last look found: to those nothing is said of its time. */
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

  /** How many are open. */
  get open(): number {
    return this.#count
  }

  start(): Promise<void> {
    const { heartbeatMs, judgeMs } = this.#limits
    this.#upkeep ??= setInterval(() => this.#keepUp(), Math.min(1000, heartbeatMs / 4))
    this.#judging ??= setInterval(() => void this.#judge(performance.now()), judgeMs / 4)
    return Promise.resolve()
  }

  /** All end at once: whoever reads comes again, to this process or another. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#upkeep)
    clearInterval(this.#judging)
    for (const room of this.#rooms.values()) for (const { stream } of room.members) stream.end()
    await Promise.all([this.#looking, this.#lookingForNeeds])
  }

  /** A new stream, from now on or from where its reader was. Whatever is committed after this is told. */
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
      // Everybody who waits for it hears of its failure; who comes later begins anew.
      room.ready.catch(() => {
        if (this.#rooms.get(workspaceId) === room) this.#rooms.delete(workspaceId)
      })
    }
    room.members.add(member)
    return room
  }

  /** What is there already is no news. */
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

  /** Null where it cannot be told any more, or is too much. */
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

  /** For as long as somebody watches. It rests the longer the more looking takes: recording goes first. */
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

  /** One look at everything that is watched and has rested. Answers how many milliseconds looking took. */
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

  /** Those with many readers rest; those with few do not rest for them. */
  #rest(looked: readonly Room[]): void {
    const rooms = [...this.#rooms.values()]
    const costs = sharedCosts(rooms.map(({ tellingMs }) => tellingMs))
    const restMs = new Map(rooms.map((room, index) => [room, costs[index]! * shareOfTime]))
    const now = performance.now()
    for (const room of looked) room.dueAt = now + Math.min(this.#limits.maxRestMs, restMs.get(room) ?? 0)
  }

  /**
   * The same for what needs somebody, one workspace at a time, in turns: these looks count what waits, and most of what
   * they find is made by time going by.
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

  /** Answers to how many. Who begins to listen meanwhile begins after this look. */
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

  /** Ends what somebody reads who may not any more. Streams of one session are judged by one question. */
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
      // Nobody can say: then nothing is told either, and it is asked again.
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

/** Where there are as many of a kind as a look reads, there may have been more before the first of them. */
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
