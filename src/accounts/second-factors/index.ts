export { consumeAppCode, consumeCode } from './codes.ts'
export { encryptedFactors } from './encrypted.ts'
export { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
export {
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
  findUsersWithSecondFactor,
  hasSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from './sql.ts'
export { encryptTotp, newTotp } from './totp.ts'
