export { connectChannel, listChannels } from './manage.ts'
export { type ChannelKind, type Providers, providers, type SendError, type SendResult } from './providers/index.ts'
export { Channel, ConnectChannel } from './schema.ts'
