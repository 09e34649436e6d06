export { type Asker, hashLine } from './hash-line.ts'
export { nameFromEmail } from './name.ts'
export { hashPassword, judgePassword, passwordLength, verifyPassword, weaknessOf } from './password.ts'
export { User } from './schema.ts'
export {
  deleteUser,
  findPasswordOf,
  findUser,
  findUserForSignIn,
  holdUser,
  insertUser,
  replacePassword,
  updateUser,
} from './sql.ts'
