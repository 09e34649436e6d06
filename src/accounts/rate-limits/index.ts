export { admitInvitation } from './invitations.ts'
export {
  type AttemptKind,
  admitSignInAttempt,
  type LimitScope,
  rememberNetwork,
} from './sign-in.ts'
export {
  type Admission,
  deleteFullBudgets,
  deleteOldNetworks,
  deleteProcess,
  deleteStaleAdmissions,
  exchangeAdmissions,
  isServing,
  type PeerAdmission,
} from './sql.ts'
