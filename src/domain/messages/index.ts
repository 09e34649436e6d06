export { eraseMessagesOf, personalInMessages } from './erase.ts'
export { type Letter, type QueuedFor, type QueuedRows, queuedFor, queuedRows } from './hand-on.ts'
export { listMessages } from './manage.ts'
export { type MessageToQueue, queueing } from './queue.ts'
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
