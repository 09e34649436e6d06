export { type Asker, hashLine } from './hash-line.ts'
export { nameFromEmail } from './name.ts'
export { hashPassword, verifyPassword } from './password.ts'
export { findUserForSignIn, insertUser } from './sql.ts'
