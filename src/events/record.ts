import type { ReadRunner } from '../core/context.ts'
import { maxPageBytes } from '../core/pagination.ts'
import { verb } from '../core/verb.ts'
import { createYield } from '../platform/event-loop.ts'
import { JsonText } from '../platform/json-text.ts'
import { Failed } from '../platform/micro-batch.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { EventWriter } from './event-writer.ts'
import { type EventOrigin, parseIncomingEvent, toIncomingEvent } from './incoming-event.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import { shapeEvent } from './read.ts'
import type { Recorded } from './record-round.ts'
import type { Event, Mismatch, RecordEvent, RecordEvents, RecordedEvent, RecordedInBatch } from './schema.ts'
import { compareRepeats, type IncomingEvent, selectData } from './sql.ts'

/**
 * Records an event and starts the workflows that listen to it. For a repeat,
 * `data` of the first event is read on a connection from `reading`, so that other writes do not wait. If that read
 * fails, the call can be repeated safely.
 */
export const recordEvent = verb(
  { by: 'key or member' },
  async (
    { caller },
    events: EventWriter,
    reading: ReadRunner,
    input: RecordEvent,
    origin: EventOrigin,
  ): Promise<RecordedEvent> => {
    const { workspaceId } = caller
    const event = toIncomingEvent(caller, input, origin)
    const result = await events.add(event)
    const { id, data } = result.event
    if (data !== null) return shape(result, data)
    const storedData = new Map<string, StoredData>()
    const [compared] = await reading(workspaceId, async sql => {
      await readStoredData(sql, workspaceId, [id], storedData)
      return compareContent(sql, workspaceId, [{ result, event }], storedData)
    })
    const stored = storedData.get(id)
    return shape(compared!, stored ? new JsonText(stored.text) : {})
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
    reading: ReadRunner,
    input: RecordEvents,
    origin: EventOrigin,
  ): Promise<(RecordedInBatch | Failed)[]> => {
    const { workspaceId } = caller
    const parsed: (IncomingEvent | Failed)[] = []
    const yieldIfDue = createYield()
    for (const value of input.events) {
      parsed.push(parseIncomingEvent(caller, value, origin))
      const yielding = yieldIfDue()
      if (yielding) await yielding
    }
    const recorded = await events.addAll(parsed.filter(isIncoming))
    const storedData = new Map<string, StoredData>()
    const ids = repeatedIds(recorded)
    // The events are recorded, so a failed read must not fail the call. Otherwise the caller would send all events
    // again.
    const valid = parsed.filter(isIncoming)
    const compared = await compareBatch(reading, workspaceId, ids, valid, recorded, storedData)
    const results = compared.values()
    let bytes = 0
    return parsed.map(event => {
      const result = isIncoming(event) ? results.next().value! : event
      if (result instanceof Failed) return result
      const outcomes = bytes < maxPageBytes ? outcomesOf(result.event) : undefined
      if (outcomes && outcomes.length > 0) bytes += JSON.stringify(outcomes).length
      const stored = bytes < maxPageBytes ? storedData.get(result.event.id) : undefined
      bytes += stored?.bytes ?? 0
      const data = result.event.data ?? (stored && new JsonText(stored.text))
      return shapeInBatch(result, outcomes, data)
    })
  },
)

const isIncoming = (event: IncomingEvent | Failed): event is IncomingEvent => !(event instanceof Failed)

/** Returns the ids of repeated events, each once. */
const repeatedIds = (results: (Recorded | Failed)[]): string[] => [
  ...new Set(results.flatMap(one => (one instanceof Failed || one.event.data !== null ? [] : [one.event.id]))),
]

interface StoredData {
  /** `data` in the text format of PostgreSQL. */
  text: string
  bytes: number
}

/** A recorded event with the request of its sender. */
interface Submission {
  result: Recorded
  event: IncomingEvent
}

/**
 * Adds `optIn` and `data` to the mismatch of each repeat that differs in them from the first event. Skips repeats whose
 * first event's data was not read.
 */
const compareContent = async (
  sql: Sql,
  workspaceId: string,
  submissions: readonly Submission[],
  storedData: ReadonlyMap<string, StoredData>,
): Promise<Recorded[]> => {
  const isRepeat = ({ result: { event } }: Submission) =>
    event.data === null && event.isComplete && storedData.has(event.id)
  const repeats = submissions.filter(isRepeat)
  if (repeats.length === 0) return submissions.map(({ result }) => result)
  const rows = await compareRepeats(
    sql,
    workspaceId,
    repeats.map(({ result, event: { data, optInEvidence } }) => ({
      id: result.event.id,
      dataText: JSON.stringify(data),
      optInEvidence,
    })),
  )
  const compared = new Map(rows.map(row => [repeats[row.position - 1], row]))
  return submissions.map(one => {
    const { result } = one
    const row = compared.get(one)
    if (!row) return result
    const { hasSameData, hasSameOptIn } = row
    const mismatch: Mismatch[] = [...result.mismatch]
    if (!hasSameOptIn) mismatch.push('optIn')
    if (!hasSameData) mismatch.push('data')
    return { ...result, mismatch }
  })
}

/**
 * Reads the data of repeats into `storedData` and compares it. If the read fails, both are left out, because the events are
 * recorded.
 */
const compareBatch = async (
  reading: ReadRunner,
  workspaceId: string,
  ids: string[],
  events: readonly IncomingEvent[],
  recorded: readonly (Recorded | Failed)[],
  storedData: Map<string, StoredData>,
): Promise<(Recorded | Failed)[]> => {
  if (ids.length === 0) return [...recorded]
  const submissions = recorded.flatMap((result, i) => (result instanceof Failed ? [] : [{ result, event: events[i]! }]))
  const compared = await reading(workspaceId, async sql => {
    await readStoredData(sql, workspaceId, ids, storedData)
    return compareContent(sql, workspaceId, submissions, storedData)
  }).catch(() => submissions.map(({ result }) => result))
  const results = compared.values()
  return recorded.map(one => (one instanceof Failed ? one : results.next().value!))
}

/** Number of events per read, so that little more is read than returned. */
const eventsPerRead = 25

/** Reads the `data` of events into `storedData`, in their order, up to the size limit of a response. */
const readStoredData = async (
  sql: Sql,
  workspaceId: string,
  ids: string[],
  storedData: Map<string, StoredData>,
): Promise<void> => {
  let bytes = 0
  for (let offset = 0; offset < ids.length && bytes < maxPageBytes; offset += eventsPerRead) {
    const page = ids.slice(offset, offset + eventsPerRead)
    for (const row of await selectData(sql, workspaceId, page, maxPageBytes - bytes)) {
      storedData.set(row.id, { text: row.dataText, bytes: row.bytes })
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
