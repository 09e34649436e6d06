export { type AfterCommitListener, addAfterCommitListener } from './after-commit.ts'
export { emit } from './emit.ts'
export { type Emitted, emitDrafts, emitEvents, emitResult } from './sql.ts'
