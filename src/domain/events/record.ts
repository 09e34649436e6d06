import { Failed } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import type { Reading } from '../context.ts'
import { JsonText } from '../json-text.ts'
import { maxAnswerBytes } from '../pagination.ts'
import { verb } from '../verb.ts'
import { incoming, incomingOrFailed } from './incoming.ts'
import type { EventWriter } from './intake.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import { shapeEvent } from './read.ts'
import type { Event, RecordEvent, RecordEvents, RecordedEvent, RecordedInBatch } from './schema.ts'
import { type IncomingEvent, selectData, selectSameData } from './sql.ts'
import type { Recorded } from './writer.ts'

/**
 * Records an event and starts the workflows that listen to it. `userAgent` is the header of the sender. For a repeat,
 * `data` of the first event is read on a connection from `reading`, so that other writes do not wait. If that read
 * fails, the call can be repeated safely.
 */
export const recordEvent = verb(
  { by: 'key or member' },
  async (
    { caller },
    events: EventWriter,
    reading: Reading,
    input: RecordEvent,
    userAgent: string | null,
  ): Promise<RecordedEvent> => {
    const { workspaceId } = caller
    const event = incoming(caller, input, userAgent)
    const result = await events.add(event)
    const { id, data } = result.event
    if (data !== null) return shape(result, data)
    const seen = new Map<string, Seen>()
    const [compared] = await reading(workspaceId, async sql => {
      await readSeen(sql, workspaceId, [id], seen)
      return compareData(sql, workspaceId, [{ result, event }], seen)
    })
    const found = seen.get(id)
    return shape(compared!, found ? new JsonText(found.text) : {})
  },
)

/**
 * Records events in their order, each decided separately. Returns results or errors by position. Stored events can be a
 * thousand times larger than their keys, and any number of workflows can listen to a type. Above the size limit of a
 * response, stored `data` and outcomes are therefore left out.
 */
export const recordEvents = verb(
  { by: 'key or member' },
  async (
    { caller },
    events: EventWriter,
    reading: Reading,
    input: RecordEvents,
    userAgent: string | null,
  ): Promise<(RecordedInBatch | Failed)[]> => {
    const { workspaceId } = caller
    const judged = input.events.map(value => incomingOrFailed(caller, value, userAgent))
    const recorded = await events.addAll(judged.filter(isIncoming))
    const seen = new Map<string, Seen>()
    const ids = idsOfSeen(recorded)
    // The events are recorded, so a failed read must not fail the call. Otherwise the caller would send all events
    // again.
    const accepted = judged.filter(isIncoming)
    const compared = await compareBatch(reading, workspaceId, ids, accepted, recorded, seen)
    const results = compared.values()
    let bytes = 0
    return judged.map(event => {
      const result = isIncoming(event) ? results.next().value! : event
      if (result instanceof Failed) return result
      const outcomes = bytes < maxAnswerBytes ? outcomesOf(result.event) : undefined
      if (outcomes && outcomes.length > 0) bytes += JSON.stringify(outcomes).length
      const found = bytes < maxAnswerBytes ? seen.get(result.event.id) : undefined
      bytes += found?.bytes ?? 0
      const data = result.event.data ?? (found && new JsonText(found.text))
      return shapeInBatch(result, outcomes, data)
    })
  },
)

const isIncoming = (event: IncomingEvent | Failed): event is IncomingEvent => !(event instanceof Failed)

/** Returns the ids of repeated events, each once. */
const idsOfSeen = (results: (Recorded | Failed)[]): string[] => [
  ...new Set(results.flatMap(one => (one instanceof Failed || one.event.data !== null ? [] : [one.event.id]))),
]

interface Seen {
  /** `data` in the text format of PostgreSQL. */
  text: string
  bytes: number
}

/** A recorded event with the request of its sender. */
interface Said {
  result: Recorded
  event: IncomingEvent
}

/**
 * Adds `data` to the mismatch of each repeat whose data differs from the first event. Skips repeats whose first event's
 * data was not read.
 */
const compareData = async (
  sql: Sql,
  workspaceId: string,
  said: readonly Said[],
  seen: ReadonlyMap<string, Seen>,
): Promise<Recorded[]> => {
  const isRepeat = ({ result: { event } }: Said) => event.data === null && event.isWhole && seen.has(event.id)
  const repeats = said.filter(isRepeat)
  if (repeats.length === 0) return said.map(({ result }) => result)
  const same = await selectSameData(
    sql,
    workspaceId,
    repeats.map(({ result, event }) => ({ id: result.event.id, dataText: JSON.stringify(event.data) })),
  )
  const equal = new Set(same.map(({ position }) => repeats[position - 1]))
  return said.map(one => {
    const { result } = one
    return !isRepeat(one) || equal.has(one) ? result : { ...result, mismatch: [...result.mismatch, 'data'] }
  })
}

/**
 * Reads the data of repeats into `seen` and compares it. If the read fails, both are left out, because the events are
 * recorded.
 */
const compareBatch = async (
  reading: Reading,
  workspaceId: string,
  ids: string[],
  events: readonly IncomingEvent[],
  recorded: readonly (Recorded | Failed)[],
  seen: Map<string, Seen>,
): Promise<(Recorded | Failed)[]> => {
  if (ids.length === 0) return [...recorded]
  const said = recorded.flatMap((result, i) => (result instanceof Failed ? [] : [{ result, event: events[i]! }]))
  const compared = await reading(workspaceId, async sql => {
    await readSeen(sql, workspaceId, ids, seen)
    return compareData(sql, workspaceId, said, seen)
  }).catch(() => said.map(({ result }) => result))
  const results = compared.values()
  return recorded.map(one => (one instanceof Failed ? one : results.next().value!))
}

/** Number of events per read, so that little more is read than returned. */
const readAtATime = 25

/** Reads the `data` of events into `seen`, in their order, up to the size limit of a response. */
const readSeen = async (sql: Sql, workspaceId: string, ids: string[], seen: Map<string, Seen>): Promise<void> => {
  let bytes = 0
  for (let read = 0; read < ids.length && bytes < maxAnswerBytes; read += readAtATime) {
    const page = ids.slice(read, read + readAtATime)
    for (const row of await selectData(sql, workspaceId, page, maxAnswerBytes - bytes)) {
      seen.set(row.id, { text: row.dataText, bytes: row.bytes })
      bytes += row.bytes
    }
  }
}

const shape = (result: Recorded, data: Event['data']): RecordedEvent => ({
  ...shapeOutcome(result),
  outcomes: outcomesOf(result.event),
  event: shapeEvent(result.event, data),
})

/** Converts a result like `shape`, without the parts that exceed the size limit. */
const shapeInBatch = (
  result: Recorded,
  outcomes: RecordedEvent['outcomes'] | undefined,
  data: Event['data'] | undefined,
): RecordedInBatch => ({
  ...shapeOutcome(result),
  ...(outcomes ? { outcomes } : { outcomesLeftOut: true }),
  ...(data ? { event: shapeEvent(result.event, data) } : { event: withoutData(result), dataLeftOut: true }),
})

const withoutData = ({ event }: Recorded): RecordedInBatch['event'] => {
  const { data: _, ...rest } = shapeEvent(event, {})
  return rest
}

const shapeOutcome = ({ recorded, event, mismatch }: Recorded) => ({
  recorded,
  ...(mismatch.length > 0 && { mismatch }),
  matchedWorkflows: event.matchedWorkflows,
  didYouMean: didYouMeanOf(event),
})
