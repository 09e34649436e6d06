export { Callbacks } from './callbacks.ts'
export {
  type Callback,
  type CallbackOutcome,
  challengeAnswer,
  isSigned,
  notSigned,
  receiveCallback,
  requireSignature,
} from './receive.ts'
export { SandboxMessage, SandboxStatus, tellSandboxStatus, writeSandboxMessage } from './sandbox.ts'
