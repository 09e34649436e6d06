export type { Kept } from './kinds.ts'
export { type RetainDeps, retain } from './retain.ts'
