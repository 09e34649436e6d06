export { listMessages } from './manage.ts'
export { type MessageToQueue, queueing } from './queue.ts'
export { Message } from './schema.ts'
export { sendMessage, settle } from './send.ts'
export {
  type DueMessage,
  findDueMessages,
  findNextDueMessage,
  findUnattendedChannels,
  type MessageSettlement,
} from './sql.ts'
