export { deliveryBody } from './body.ts'
export { eraseOutboundEventsOf, tellingOf } from './erase.ts'
export { removeOldOutboundEvents } from './old.ts'
export { type EventId, firstInOutbox, markingFannedOut, takingFromOutbox, takingNamed } from './outbox.ts'
export { listOutboundEvents, readOutboundEvent } from './read.ts'
export {
  type DataField,
  erasedFieldsOf,
  OutboundEvent,
  OutboundEventDetail,
  OutboundEventQuery,
  type OutboundEventType,
  outboundEvents,
  outboundEventTypes,
  type PersonalField,
  type SubscribableType,
  subscribableTypes,
} from './schema.ts'
export { type EventText, findSentEvent } from './sql.ts'
export { drafting, type Telling, writingEvents } from './tell.ts'
