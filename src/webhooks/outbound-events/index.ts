export { isAboutEndpoint, readEndpointOf } from './about-endpoint.ts'
export { deliveryBody } from './body.ts'
export { draftEvents, type EventExpressions, insertEvents, insertIntoOutbox, selectUndecided } from './draft.ts'
export { eraseOutboundEventsOf, selectEventsAbout } from './erase.ts'
export { countHeldEvents } from './held.ts'
export { firstOutboxTime, lockOutboxEvents, lockOutboxPage, markFannedOut } from './outbox.ts'
export { type PulledPage, pullOutboundEvents } from './pull.ts'
export { listOutboundEvents, readOutboundEvent } from './read.ts'
export { deleteRestoredTrim, moveRestoredEvents } from './restored.ts'
export { removeOldOutboundEvents } from './retention.ts'
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
  PulledEvents,
  PullQuery,
  type SubscribableType,
  subscribableTypes,
} from './schema.ts'
export { type EventText, findSentEvent, type TracedEvent } from './sql.ts'
export { type FanOutSample, readFanOut } from './throughput.ts'
export { type PullWaiterLimits, PullWaiters } from './waiters.ts'
