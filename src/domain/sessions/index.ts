export { SessionsInUse } from './in-use.ts'
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
  issueTicket,
  type Judged,
  keptOut,
  openSession,
  openToldSession,
  signIn,
  signOut,
  type Visitor,
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
