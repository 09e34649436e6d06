export type { Incoming } from './arrived.ts'
export type { InboundMessage } from './message.ts'
export { type Preference, receivePreference } from './preference.ts'
export { type Receipt, receiveMessage, receiveMessages, takeIn } from './receive.ts'
