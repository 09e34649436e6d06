export {
  changeConversation,
  listConversationMessages,
  listConversations,
  markConversationRead,
  openConversation,
  readConversation,
} from './manage.ts'
export { decideOptOut } from './opt-out-decision.ts'
export {
  ChangeConversation,
  Conversation,
  ConversationQuery,
  OpenConversation,
  OptOutDecision,
  WriteMessage,
} from './schema.ts'
export { resendMessage, writeMessage } from './write.ts'
