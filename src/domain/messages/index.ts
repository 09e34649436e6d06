export { eraseMessagesOf, personalInMessages } from './erase.ts'
export { listMessages } from './manage.ts'
export {
  type Letter,
  type MessageToQueue,
  type QueuedFor,
  type QueuedRows,
  queuedFor,
  queuedRows,
  queueing,
} from './queue.ts'
export { Message } from './schema.ts'
export { type Handled, isKnown, sendMessage, sendTimeoutMs, settle } from './send.ts'
export {
  beginMessages,
  type DueMessage,
  findDueChannels,
  findDueMessages,
  findNextDueMessage,
  type MessageId,
} from './sql.ts'
