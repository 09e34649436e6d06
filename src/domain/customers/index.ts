export { changeCustomer } from './change.ts'
export { optInCustomer, optOutCustomer } from './consent.ts'
export { createCustomer } from './create.ts'
export { type Enrolment, enrolling, notingOptIns, type OptInNote, type Touch, touching } from './enrol.ts'
export { eraseConsentsOf, markErased, personalInCustomers } from './erase.ts'
export { optOut } from './opt-out.ts'
export {
  ChangeCustomer,
  CreateCustomer,
  Customer,
  CustomerQuery,
  OptIn,
  OptOut,
  TimelineItem,
} from './schema.ts'
export { listCustomers, readCustomer } from './search.ts'
export type { OptOutWords } from './sql.ts'
export { readTimeline } from './timeline.ts'
