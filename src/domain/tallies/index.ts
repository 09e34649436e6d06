export { countHistory, remindHistory } from './backfill.ts'
export { addUpTallies } from './fold.ts'
export { tallying, thisHour } from './write.ts'
