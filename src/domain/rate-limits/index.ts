export { admitInvitation } from './invitations.ts'
export { type Apart, admitSignInTry, rememberPlace, type SignInVerdict, type Tried } from './sign-in-tries.ts'
export {
  type Admission,
  deleteOldPlaces,
  deleteStaleAdmissions,
  deleteWholeBudgets,
  exchangeAdmissions,
  type Heard,
  leaveExchange,
} from './sql.ts'
