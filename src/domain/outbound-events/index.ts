export { deliveryBody } from './body.ts'
export { listOutboundEvents, readOutboundEvent } from './read.ts'
export {
  OutboundEvent,
  OutboundEventDetail,
  OutboundEventQuery,
  type OutboundEventType,
  outboundEvents,
  type SubscribableType,
  subscribableTypes,
} from './schema.ts'
export { type EventText, findSentEvent } from './sql.ts'
