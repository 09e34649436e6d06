export { liftCustomerOptOut, listConsents, optInCustomer, optOutCustomer } from './consent.ts'
export { optOut } from './opt-out.ts'
