export type { InboundMessage } from './message.ts'
export { receivePreference } from './preference.ts'
export type { PreparedMessage } from './prepare.ts'
export { prepareMessages, type Receipt, receiveMessage, receiveMessages } from './receive.ts'
