export { connectChannel, listChannels } from './manage.ts'
export { providerOf, type SendOutcome } from './provider.ts'
export { Channel, ConnectChannel } from './schema.ts'
