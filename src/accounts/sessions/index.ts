export { chooseMembership, readMemberships } from './memberships.ts'
export { endOtherSessions, endSession, listSessions } from './own.ts'
export { listMyWorkspaces, readSession } from './read.ts'
export {
  Code,
  MyWorkspaces,
  NewSession,
  OwnSession,
  SecondFactorWanted,
  Session,
  SignedIn,
  SignIn,
  SignInWithCode,
  TokenAccess,
} from './schema.ts'
export {
  accountDisabled,
  createAuditedSession,
  createSession,
  issueTicket,
  type SignInClient,
  signIn,
  signOut,
  type VerifiedAccount,
} from './sign-in.ts'
export {
  deleteExpiredSessions,
  deleteExpiredTickets,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOfIdentity,
  deleteSsoSessions,
  deleteSsoTickets,
  deleteTicket,
  findSession,
  findTicket,
  lockSession,
  type Membership,
  type SessionRow,
  type SignedInRow,
  type SsoIdentity,
  type SsoLogout,
  touchSessions,
} from './sql.ts'
export { UseBuffer } from './use-buffer.ts'
