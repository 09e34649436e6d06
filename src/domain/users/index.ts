export { caseless, isMistakable, mistakable } from './address.ts'
export { type Asker, hashLine } from './hash-line.ts'
export { nameFromEmail } from './name.ts'
export { hashPassword, judgePassword, passwordLength, verifyPassword, weaknessOf } from './password.ts'
export { User } from './schema.ts'
export {
  type AccountRow,
  deleteUser,
  findAccount,
  findPasswordOf,
  findUser,
  findUserForSignIn,
  holdUser,
  insertUser,
  markConfirmed,
  replacePassword,
  selectUsers,
  updateDisabled,
  updateUser,
} from './sql.ts'
