export { onWoken, tellWoken } from './acting.ts'
export {
  type Arrival,
  type Arrived,
  findToLook,
  LateLooks,
  leastIdSince,
  lookForArrivals,
  readArrivals,
  rouseWoken,
} from './arrived.ts'
export {
  ending,
  endingByOptOut,
  type Parking,
  parking,
  type WaitsFor,
  waitingForReply,
  wakingByEvents,
  wakingByReplies,
} from './sql.ts'
