export { findUndecryptable, isStoredInPlaintext } from './probe.ts'
export { type ReencryptionCounts, reencryptAll } from './reencrypt.ts'
