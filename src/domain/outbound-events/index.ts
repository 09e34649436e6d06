export { type FannedOut, fanOut } from './fan-out.ts'
export { list, read } from './read.ts'
export {
  OutboundEvent,
  OutboundEventDetail,
  OutboundEventQuery,
  type OutboundEventType,
  outboundEvents,
  type SubscribableType,
  subscribableTypes,
} from './schema.ts'
