/** The one list of kinds of channels: everything else that names them is made from it. */
import { sandbox } from './sandbox/index.ts'

export type { Capabilities, OutboundMessage, Provider, SendError, SendResult } from './provider.ts'

export const providers = { sandbox }

export type Providers = typeof providers
export type ChannelKind = keyof Providers

/** In the order in which they are published. */
export const channelKinds = Object.keys(providers) as ChannelKind[]
