export { type ActsOnTold, onTold } from './acting.ts'
export { type Told, telling, tellingDrafts, whatWasTold } from './sql.ts'
export { tell } from './tell.ts'
