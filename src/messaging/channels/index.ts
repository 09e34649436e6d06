export { decryptCredentials, NoCredentials, redactCredentials } from './credentials.ts'
export { encryptedChannels } from './encrypted.ts'
export { connectExamples, KindDetails, kinds as channelKinds, listChannelKinds } from './kinds.ts'
export { changeChannel, connectChannel, listChannels, readChannel, testChannel } from './manage.ts'
export {
  type CallbackContent,
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
export { resumeDecryptable } from './resume-decryptable.ts'
export { ChangeChannel, Channel, ChannelTest, ConnectChannel } from './schema.ts'
export { apiUrlOf, type ChannelSettings, hasCallbackName, statusUrlOf } from './settings.ts'
export {
  type CallbackChannel,
  type FailingChannel,
  findCallbackChannels,
  findChannel,
  findKnownChannels,
  findSharedChannel,
  markConnected,
  markDisconnected,
  markFailing,
  pauseChannel,
  selectChannelNames,
  selectFailing,
} from './sql.ts'
