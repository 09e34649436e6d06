/** Work that the operator has paused: kinds of queues, in one workspace or in all of them. */

export { isPausable, type PausableKind, pausableKinds } from './kinds.ts'
export { pausable } from './pausable.ts'
export { PausedWork, readPauses } from './paused-work.ts'
export {
  deletePause,
  findPauses,
  hasTooManyPauses,
  insertPause,
  maxPauses,
  notifyPauses,
  type Pause,
  pausesChannel,
} from './sql.ts'
