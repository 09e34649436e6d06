export {
  changeConversation,
  listConversationMessages,
  listConversations,
  openConversation,
  readConversation,
  readUpTo,
} from './manage.ts'
export {
  ChangeConversation,
  Conversation,
  ConversationQuery,
  OpenConversation,
  WriteMessage,
} from './schema.ts'
export { resendMessage, writeMessage } from './write.ts'
