export { listActivityEvents } from './read.ts'
export { ActivityEvent, ActivityQuery, ActivitySummary, ActivitySummaryList, SummaryQuery } from './schema.ts'
export { countRejected, summariseActivity } from './summary.ts'
