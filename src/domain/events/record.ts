import { Failed } from '../../db/batch.ts'
import { verb } from '../verb.ts'
import { incoming, incomingOrFailed } from './incoming.ts'
import type { EventWriter } from './intake.ts'
import { didYouMeanOf, outcomesOf } from './outcomes.ts'
import { shapeEvent } from './read.ts'
import type { RecordEvent, RecordEvents, RecordedEvent } from './schema.ts'
import type { IncomingEvent } from './sql.ts'
import type { Recorded } from './writer.ts'

/** Records an event, and starts what listens for it. `userAgent` is the sender's. */
export const recordEvent = verb(
  { by: 'key or member' },
  async ({ caller }, events: EventWriter, input: RecordEvent, userAgent: string | null): Promise<RecordedEvent> =>
    shape(await events.add(incoming(caller, input, userAgent))),
)

/** Records events in their order, each judged alone: by position what became of it, or why it failed. */
export const recordEvents = verb(
  { by: 'key or member' },
  async (
    { caller },
    events: EventWriter,
    input: RecordEvents,
    userAgent: string | null,
  ): Promise<(RecordedEvent | Failed)[]> => {
    const judged = input.events.map(value => incomingOrFailed(caller, value, userAgent))
    const results = (await events.addAll(judged.filter(isIncoming))).values()
    return judged.map(event => {
      const result = isIncoming(event) ? results.next().value! : event
      return result instanceof Failed ? result : shape(result)
    })
  },
)

const isIncoming = (event: IncomingEvent | Failed): event is IncomingEvent => !(event instanceof Failed)

const shape = ({ recorded, event }: Recorded): RecordedEvent => ({
  recorded,
  matchedWorkflows: event.matchedWorkflows,
  outcomes: outcomesOf(event),
  didYouMean: didYouMeanOf(event),
  event: shapeEvent(event),
})
