export { unopened } from './probe.ts'
export { type Resealed, resealAll } from './reseal.ts'
