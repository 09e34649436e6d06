export { type ChangeKind, ChangeRecorder, recordChanges } from './recorder.ts'
export { deleteOldChanges, markWatched } from './sql.ts'
