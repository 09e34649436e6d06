export { type ActsOnQueued, handOn, onQueued } from './acting.ts'
export {
  type After,
  type ConversationFilter,
  type ConversationRow,
  findByKey,
  findConversation,
  findLastConversationLookedAt,
  findPlace,
  findResent,
  findWaitingCustomers,
  holdConversation,
  insertConversation,
  lockConversation,
  markRead,
  noteResent,
  selectConversations,
  unmarkOptOut,
  updateConversation,
  type WrittenInto,
} from './conversation-sql.ts'
export { disconnectChannel, skipMessages } from './disconnect.ts'
export { eraseMessagesOf, personalInMessages } from './erase.ts'
export { isCalled } from './erased-id.ts'
export { type Letter, type QueuedFor, type QueuedRows, queuedFor, queuedRows } from './hand-on.ts'
export { listMessages, readMessage } from './manage.ts'
export { removeOldMessages, wasRemoved } from './old.ts'
export { noteUnmarked, skipForOptedOut } from './opted-out.ts'
export { type MessageToQueue, type QueuedTemplate, queueing, queueOne } from './queue.ts'
export {
  findMessage,
  findTemplateOf,
  type MessageRow,
  messageColumns,
  selectMessagesOf,
  selectWrittenByRuns,
  shape as shapeOfMessage,
} from './read-sql.ts'
export { releaseConversations, releaseTheRest } from './release.ts'
export { Message, MessageDetail, MessageQuery, messageStatuses } from './schema.ts'
export {
  carryOutAside,
  type Handled,
  isKnown,
  type Reach,
  sendMessage,
  sendTimeoutMs,
  settle,
  skippedBecause,
} from './send.ts'
export {
  beginMessages,
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type MessageId,
} from './sql.ts'
export { recordStatuses, type StatusReceipt } from './statuses.ts'
export { deleteOldEarlyStatuses, findFirstTold, type ToldStatus } from './statuses-sql.ts'
export { tallyingStatuses } from './tally.ts'
export { withdrawing } from './withdraw.ts'
export { countingReceived, openingConversations, writingMessages } from './write.ts'
