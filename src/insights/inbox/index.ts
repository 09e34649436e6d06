export { readInboxStats } from './read.ts'
export { InboxStats, InboxStatsQuery } from './schema.ts'
