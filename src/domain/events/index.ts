export { checkEvent, type Judgement } from './check.ts'
export { eraseEventsOf, personalInEvents } from './erase.ts'
export { type Deciding, decidingComparisons } from './filter.ts'
export { incoming } from './incoming.ts'
export { EventWriter, type IntakeDeps } from './intake.ts'
export { identifyOnly } from './judge.ts'
export { mismatchWarning } from './mismatch.ts'
export { removeOldEvents } from './old.ts'
export { didYouMeanOf, explanationOf, outcomesOf, type Reason } from './outcomes.ts'
export { listEvents, readEvent, shapeStored } from './read.ts'
export { recordEvent, recordEvents } from './record.ts'
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
  type RecordedInBatch,
  SenderFilter,
  TypeFilter,
} from './schema.ts'
export { senderOf } from './sender.ts'
export {
  eventColumns,
  hoursOfUsage,
  type MismatchNote,
  noteMismatches,
  ofType,
  type StoredEvent,
  storedColumns,
  type WithVerdicts,
} from './sql.ts'
export { findUnhandledTypes, type UnhandledType } from './unhandled.ts'
