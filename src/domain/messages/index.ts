export { sendMessage, settle } from './mailbox.ts'
export { listMessages } from './manage.ts'
export { Message } from './schema.ts'
export {
  type DueMessage,
  findDueMessages,
  findNextDueMessage,
  findUnattendedChannels,
  type MessageSettlement,
} from './sql.ts'
