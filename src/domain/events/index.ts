export type { Judged } from './check.ts'
export { EventWriter } from './intake.ts'
export { answer, incoming, listEvents, readEvent, type Sending, shapeEvent } from './manage.ts'
export { didYouMeanOf, explanationOf, outcomesOf, type Reason } from './outcomes.ts'
export {
  BatchAnswer,
  CheckedEvent,
  DidYouMean,
  Event,
  EventQuery,
  EventToCheck,
  EventWithOutcomes,
  RecordEvent,
  RecordEvents,
  RecordedEvent,
  TypeFilter,
} from './schema.ts'
export { senderOf } from './sender.ts'
export { type EventRow, eventColumns, type IncomingEvent } from './sql.ts'
export type { Recorded, RecordResult } from './writer.ts'
