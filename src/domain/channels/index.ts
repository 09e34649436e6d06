export { NoCredentials, openCredentials, type SealedFor, withoutCredentials } from './credentials.ts'
export { changeChannel, connectChannel, listChannels, readChannel, testChannel } from './manage.ts'
export {
  type CallbackItem,
  type CallbackRequest,
  type Capabilities,
  type ChannelKind,
  type MessageType,
  type OutboundMessage,
  type Provider,
  type Providers,
  providers,
  type SandboxDelivery,
  type SendError,
  type SendResult,
} from './providers/index.ts'
export { goOnWithReadable } from './readable.ts'
export { ChangeChannel, Channel, ChannelTest, ConnectChannel } from './schema.ts'
export { sealedOfChannels } from './sealed.ts'
export { apiUrlOf, type ChannelSettings, isCalledAt, messageParameter, statusUrlOf } from './settings.ts'
export {
  type CalledChannel,
  type FailingChannel,
  findCalledChannels,
  findChannel,
  markDisconnected,
  markFailing,
  markWorking,
  pauseChannel,
  selectFailing,
} from './sql.ts'
