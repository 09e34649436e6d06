export { type CheckResult, checkEvent } from './check.ts'
export { identifyOnly } from './dry-run.ts'
export { eraseEventsOf, personalInEvents } from './erase.ts'
export { EventWriter, type EventWriterDeps } from './event-writer.ts'
export { type DecidingComparison, decidingComparisons } from './filter-explanation.ts'
export { toIncomingEvent } from './incoming-event.ts'
export { mismatchWarning } from './mismatch.ts'
export { notifyAllowances } from './notify-allowance.ts'
export { didYouMeanOf, explanationOf, outcomesOf, type Reason } from './outcomes.ts'
export { listEvents, readEvent, shapeStored } from './read.ts'
export { recordEvent, recordEvents } from './record.ts'
export { removeOldEvents } from './retention.ts'
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
  isOfType,
  type MismatchRecord,
  recordMismatches,
  type StoredEvent,
  storedColumns,
  type WithVerdicts,
} from './sql.ts'
export { findUnhandledTypes, type UnhandledType } from './unhandled.ts'
export { selectUsage, selectUsageByType } from './usage-sql.ts'
