export type { ErasedCustomer } from '../personal.ts'
export { eraseCustomer, eraseTraces } from './erase.ts'
export { personalColumns } from './personal.ts'
export { renewSamples, renewSamplesSoon, sampledTables } from './samples.ts'
