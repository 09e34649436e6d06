export { isMisleading, lowerCaseEmail, misleadingMessage } from './address.ts'
export { hashLimiter, type Requester } from './hash-limiter.ts'
export { nameFromEmail } from './name.ts'
export {
  findWeakness,
  hashPassword,
  passwordLengthMessage,
  passwordLimits,
  validatePassword,
  verifyPassword,
} from './password.ts'
export { AlertEmail, alertEmails, User } from './schema.ts'
export {
  deleteImportedAccount,
  deleteServiceAccount,
  deleteUser,
  findAccount,
  findPasswordHash,
  findPortableAccounts,
  findUser,
  findUserForSignIn,
  findUserNames,
  insertPortableAccount,
  insertServiceAccount,
  insertUser,
  type ListedAccount,
  lockUser,
  markConfirmed,
  type PortableAccount,
  replacePassword,
  selectUsers,
  updateDisabled,
  updateUser,
} from './sql.ts'
