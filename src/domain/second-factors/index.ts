export { codeIsRight, spendCode } from './judge.ts'
export { newRecoveryCodes, recoveryHashOf } from './recovery-codes.ts'
export { sealedOfFactors } from './sealed.ts'
export {
  deleteSecondFactor,
  findSecondFactor,
  findThoseWithSecondFactor,
  hasSecondFactor,
  insertSecondFactor,
  markInUse,
  replaceRecoveryCodes,
} from './sql.ts'
export { newTotp, sealTotp } from './totp.ts'
