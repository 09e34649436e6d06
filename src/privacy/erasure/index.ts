export type { ErasedCustomer } from '../../core/personal-data.ts'
export { eraseCustomer, eraseTraces } from './erase.ts'
export { personalColumns } from './personal.ts'
export { enqueueRenewSamples, renewSamples, sampledTables } from './samples.ts'
