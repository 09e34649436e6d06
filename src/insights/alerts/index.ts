export { findAlerts, listAttention } from './read.ts'
export { Attention } from './schema.ts'
