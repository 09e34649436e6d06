export { recordStats, thisHour } from './record.ts'
export { rollUpStats } from './roll-up.ts'
