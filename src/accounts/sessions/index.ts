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
  deleteTicket,
  findSession,
  findTicket,
  type SessionRow,
} from './sql.ts'
export { SessionUseBuffer } from './use-buffer.ts'
