export { type AttributesToSet, mergedAttributes, mergingAttributes } from './attributes.ts'
export { changeCustomer } from './change.ts'
export { liftCustomerOptOut, listConsents, optInCustomer, optOutCustomer } from './consent.ts'
export { createCustomer } from './create.ts'
export { type Enrolment, enrolling, notingOptIns, type OptInNote, type Touch, touching } from './enrol.ts'
export { eraseConsentsOf, eraseHandlesOf, markErased, personalInCustomers } from './erase.ts'
export { maxConsents, pruningConsents } from './ledger.ts'
export { optOut } from './opt-out.ts'
export {
  ChangeCustomer,
  Consent,
  CreateCustomer,
  Customer,
  CustomerQuery,
  LiftOptOut,
  OptIn,
  OptOut,
  TimelineItem,
  UpsertCustomer,
} from './schema.ts'
export { listCustomers, readCustomer } from './search.ts'
export { type OptOutWords, optingOut, optOutDrafts } from './sql.ts'
export { readTimeline } from './timeline.ts'
export { upsertCustomer } from './upsert.ts'
export {
  customerOfHandle,
  customersWithoutNumber,
  enrolByAddress,
  enrollingByHandle,
  enrollingByPhone,
  findByAddress,
  giveNumber,
  isSettledWish,
  keepingHandles,
  noteResumed,
  notingResumed,
  reservingHandles,
} from './writers.ts'
