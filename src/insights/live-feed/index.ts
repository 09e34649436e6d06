export { type LiveFeedLimits, LiveFeeds } from './live-feeds.ts'
export { openStream } from './open.ts'
export { type FeedKind, feedKinds, StreamedText } from './schema.ts'
