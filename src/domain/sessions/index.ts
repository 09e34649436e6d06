export { listMyWorkspaces, readSession } from './read.ts'
export { MyWorkspaces, NewSession, Session, SignIn } from './schema.ts'
export { openSession, signIn, signOut } from './sign-in.ts'
export { deleteExpiredSessions, findSession, type SessionRow } from './sql.ts'
