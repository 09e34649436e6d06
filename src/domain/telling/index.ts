export { type ActsOnTold, onTold } from './acting.ts'
export { type Told, telling, whatWasTold } from './sql.ts'
export { tell } from './tell.ts'
