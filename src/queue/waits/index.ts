export { notifyWoken, onWoken } from './after-commit.ts'
export {
  type Arrival,
  type Arrivals,
  findRunsToRecheck,
  minIdSince,
  Rechecks,
  readArrivals,
  recheckRuns,
  resumeWoken,
} from './arrivals.ts'
export {
  endRuns,
  endRunsByOptOut,
  newestRunWaitingForReply,
  type RunWaits,
  storeWaits,
  type Wait,
  wakeRunsByEvents,
  wakeRunsByReplies,
} from './sql.ts'
