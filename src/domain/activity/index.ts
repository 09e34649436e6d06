export { listEvents } from './read.ts'
export { ActivityEvent, ActivityQuery } from './schema.ts'
