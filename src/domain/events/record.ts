import { Failed } from '../../db/batch.ts'
import type { Ctx } from '../context.ts'
import { JsonText } from '../json-text.ts'
import { maxAnswerBytes } from '../pagination.ts'
import { verb } from '../verb.ts'
import { incoming, incomingOrFailed } from './incoming.ts'
import type { EventWriter } from './intake.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import { shapeEvent } from './read.ts'
import type { Event, RecordEvent, RecordEvents, RecordedEvent, RecordedInBatch } from './schema.ts'
import { type IncomingEvent, selectData } from './sql.ts'
import type { Recorded } from './writer.ts'

/** Records an event, and starts what listens for it. `userAgent` is the sender's. */
export const recordEvent = verb(
  { by: 'key or member' },
  async (ctx, events: EventWriter, input: RecordEvent, userAgent: string | null): Promise<RecordedEvent> => {
    const result = await events.add(incoming(ctx.caller, input, userAgent))
    if (result.event.data !== null) return shape(result, result.event.data)
    const seen = await readSeen(ctx, [result])
    return shape(result, seen.get(result.event.id)?.data ?? {})
  },
)

/**
 * Records events in their order, each judged alone: by position what became of it, or why it failed. Events that had been
 * recorded before may be a thousand times as large as the keys they are asked for by: `data` of those beyond the bytes of
 * an answer is left out.
 */
export const recordEvents = verb(
  { by: 'key or member' },
  async (
    ctx,
    events: EventWriter,
    input: RecordEvents,
    userAgent: string | null,
  ): Promise<(RecordedInBatch | Failed)[]> => {
    const { caller } = ctx
    const judged = input.events.map(value => incomingOrFailed(caller, value, userAgent))
    const recorded = await events.addAll(judged.filter(isIncoming))
    // What was recorded must be told, whatever becomes of this: whoever heard of a failure would send it all again.
    const seen = await readSeen(ctx, recorded).catch(() => new Map<string, Seen>())
    const results = recorded.values()
    let bytes = 0
    return judged.map(event => {
      const result = isIncoming(event) ? results.next().value! : event
      if (result instanceof Failed) return result
      if (result.event.data !== null) return shape(result, result.event.data)
      const found = bytes < maxAnswerBytes ? seen.get(result.event.id) : undefined
      bytes += found?.bytes ?? 0
      return found ? shape(result, found.data) : withoutData(result)
    })
  },
)

const isIncoming = (event: IncomingEvent | Failed): event is IncomingEvent => !(event instanceof Failed)

/** So many events at a time, so that little more is looked at than is answered. */
const readAtATime = 25

interface Seen {
  data: JsonText
  bytes: number
}

/** The `data` of events that had been recorded before, the first in front, as far as it goes into an answer. */
const readSeen = async ({ sql, caller }: Ctx, results: (Recorded | Failed)[]): Promise<Map<string, Seen>> => {
  const seen = new Map<string, Seen>()
  const ids = new Set(results.flatMap(one => (one instanceof Failed || one.event.data !== null ? [] : [one.event.id])))
  const left = [...ids]
  for (let bytes = 0; left.length > 0 && bytes < maxAnswerBytes; ) {
    const rows = await selectData(sql, caller.workspaceId, left.splice(0, readAtATime), maxAnswerBytes - bytes)
    for (const row of rows) {
      seen.set(row.id, { data: new JsonText(row.dataText), bytes: row.bytes })
      bytes += row.bytes
    }
  }
  return seen
}

const shape = (result: Recorded, data: Event['data']): RecordedEvent => ({
  ...shapeOutcome(result),
  event: shapeEvent(result.event, data),
})

const withoutData = (result: Recorded): RecordedInBatch => {
  const { data: _, ...event } = shapeEvent(result.event, {})
  return { ...shapeOutcome(result), event, dataLeftOut: true }
}

const shapeOutcome = ({ recorded, event }: Recorded) => ({
  recorded,
  matchedWorkflows: event.matchedWorkflows,
  outcomes: outcomesOf(event),
  didYouMean: didYouMeanOf(event),
})
