export { notifyQueued, onQueued } from './after-commit.ts'
export {
  type ConversationCursor,
  type ConversationFilter,
  type ConversationRow,
  type ConversationSort,
  findConversation,
  findLastScannedConversation,
  selectConversations,
  selectUnanswered,
} from './conversation-list-sql.ts'
export {
  type ConversationState,
  clearOptOutFlag,
  endWait,
  findByKey,
  findConversationTarget,
  findResent,
  findUnanswered,
  insertConversation,
  lockConversation,
  lockConversationOf,
  lockConversationState,
  markRead,
  recordResent,
  updateConversation,
} from './conversation-sql.ts'
export { disconnectChannel, skipMessages } from './disconnect.ts'
export { type EffectRange, effectPeriod, effectsIn, hasOptedOut, hasReplied, salesAfter } from './effects-sql.ts'
export { enqueueMessage, enqueueMessages, type NewMessage, type QueuedTemplate } from './enqueue.ts'
export { eraseMessagesOf, personalInMessages } from './erase.ts'
export { matchesId } from './erased-id.ts'
export { countHeldMessages, skipHeldMessages } from './held.ts'
export { deleteOldInboxActions, recordResponse } from './inbox-actions.ts'
export { listMessages, readMessage } from './manage.ts'
export { clearFlags, skipForOptedOut } from './opted-out.ts'
export { type MessageJob, type QueuedChannel, type QueuedRows, queuedChannels, queuedRows } from './queued-channels.ts'
export {
  findMessage,
  findMessageTemplate,
  type MessageRow,
  messageColumns,
  selectMessagesOf,
  selectMessagesOfRuns,
  shape as shapeOfMessage,
} from './read-sql.ts'
export { removeOldMessages, wasRemoved } from './retention.ts'
export { Message, MessageDetail, MessageQuery } from './schema.ts'
export {
  applySideEffect,
  isKnownKind,
  type ProviderSettings,
  type SendOutcome,
  sendMessage,
  sendTimeoutMs,
  settle,
  skipReason,
} from './send.ts'
export {
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type MessageId,
  markSendStarted,
} from './sql.ts'
export { countStatuses } from './statistics.ts'
export { recordStatuses } from './statuses.ts'
export { deleteOldEarlyStatuses, findFirstRecordedAt, type ReportedStatus } from './statuses-sql.ts'
export { unassignConversations, unassignRemaining } from './unassign.ts'
export { withdrawMessages } from './withdraw.ts'
export { countReceived, insertConversations, insertMessages } from './write.ts'
