export { Callbacks } from './callbacks.ts'
export {
  type Callback,
  type CallbackOutcome,
  challengeResponse,
  invalidSignature,
  isSigned,
  readCallback,
  receiveCallback,
  requireSignature,
} from './receive.ts'
export { SandboxMessage, SandboxStatus, tellSandboxStatus, writeSandboxMessage } from './sandbox.ts'
