export {
  type CheckName,
  checkNames,
  type Difference,
  type Verification,
  verifySnapshot,
  verifyWorkspace,
  zeroes,
} from './verify.ts'
