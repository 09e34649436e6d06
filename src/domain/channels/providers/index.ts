/** The one list of kinds of channels: everything else that names them is made from it. */
import type { Provider } from './provider.ts'
import { sandbox } from './sandbox/index.ts'

export type { Capabilities, OutboundMessage, Provider, SendError, SendResult } from './provider.ts'

const all = { sandbox }

export type ChannelKind = keyof typeof all
/** Whose credentials are whose, only the provider itself knows: to everybody else they are what was stored. */
export type Providers = Readonly<Record<ChannelKind, Provider>>

export const providers: Providers = all

/** In the order in which they are published. */
export const channelKinds = Object.keys(providers) as ChannelKind[]
