export { type AttributesToSet, mergeAttributes, updateMergedAttributes } from './attributes.ts'
export { changeCustomer } from './change.ts'
export { createCustomer } from './create.ts'
export {
  type Enrolment,
  enrolCustomers,
  type KnownCustomerChange,
  type OptInEntry,
  recordOptIns,
  updateKnownCustomers,
} from './enrol.ts'
export { eraseConsentsOf, eraseHandlesOf, markErased, personalInCustomers } from './erase.ts'
export {
  assignPhone,
  enrolByAddress,
  findByAddress,
  insertByHandle,
  insertByPhone,
  isOptOutSettled,
  recordRenewedOptIn,
  recordRenewedOptIns,
  reserveHandles,
  selectCustomerByHandle,
  selectCustomerWithoutPhone,
  storeHandles,
} from './handles.ts'
export { pruneConsents } from './ledger.ts'
export { findMatchingIds, matchesText } from './list-sql.ts'
export { shape as shapeCustomer } from './record.ts'
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
export { findCustomersByText, listCustomers, readCustomer } from './search.ts'
export {
  type ConsentRow,
  type ConsentSource,
  type CustomerRow,
  findCustomers,
  liftOptOut,
  markOptedIn,
  markOptedOut,
  type OptOutEntry,
  optOutCustomers,
  optOutDrafts,
  selectConsents,
  wasOptedOutHere,
} from './sql.ts'
export { readTimeline } from './timeline.ts'
export { upsertCustomer } from './upsert.ts'
