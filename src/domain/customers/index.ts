export { change } from './change.ts'
export { optIn, optOut } from './consent.ts'
export { create } from './create.ts'
export { erase, eraseTraces } from './erase.ts'
export {
  ChangeCustomer,
  CreateCustomer,
  Customer,
  CustomerQuery,
  OptIn,
  OptOut,
  TimelineItem,
} from './schema.ts'
export { list, read } from './search.ts'
export { type OptOutWords, optOutCustomer } from './sql.ts'
export { timeline } from './timeline.ts'
