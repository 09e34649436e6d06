export { listActivityEvents } from './read.ts'
export { ActivityEvent, ActivityQuery } from './schema.ts'
