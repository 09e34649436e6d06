export {
  type CheckName,
  checkNames,
  type Difference,
  type Verification,
  verifySnapshot,
  verifyWorkspace,
} from './verify.ts'
