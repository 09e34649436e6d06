/** What the verbs of channels, and whoever sends over one, must know of the settings. */
import type { Seals } from '../sealing.ts'
import type { ChannelKind, Provider, Providers } from './providers/index.ts'

export interface ChannelSettings {
  providers: Providers
  /** Null where there is no key: then no channel can be connected that has credentials. */
  seals: Seals | null
  /** The base address shown to people. */
  publicUrl: () => string
  /** Whether that is an address that others can reach: one that an operator has set. */
  hasPublicUrl: boolean
  /** Where providers are reached, by the name of the setting. */
  providerUrls: Readonly<Record<'WHATSAPP_API_URL' | 'TWILIO_API_URL', string>>
}

/** Where a provider is reached; '' where that is nowhere outside of this process. */
export const apiUrlOf = ({ api }: Pick<Provider, 'api'>, { providerUrls }: ChannelSettings): string =>
  api === null ? '' : providerUrls[api.setting]

/** What callbacks of a kind go to, under /v1/inbound. */
const callbackNames: Readonly<Record<string, string>> = { whatsapp_cloud: 'whatsapp', twilio_sms: 'twilio' }

/** Whether callbacks to a channel of this kind go under this name. */
export const isCalledAt = (kind: ChannelKind, name: string): boolean => callbackNames[kind] === name

/** The address that a provider calls back; null for a kind that does not. */
export const inboundUrlOf = (
  { kind, id }: { kind: ChannelKind; id: string },
  { publicUrl }: Pick<ChannelSettings, 'publicUrl'>,
): string | null => {
  const name = callbackNames[kind]
  return name === undefined ? null : `${publicUrl()}/v1/inbound/${name}/${id}`
}

/** The query parameter of a status callback that names our message. */
export const messageParameter = 'message'

/**
 * Where a provider is to tell what became of a message. An address of this machine leads nowhere for anybody but a
 * provider that is on it as well.
 */
export const statusUrlOf = (
  { kind, channelId, id }: { kind: ChannelKind; channelId: string; id: string },
  settings: ChannelSettings,
): string | null => {
  const provider = settings.providers[kind]
  const isReached = settings.hasPublicUrl || isOnThisMachine(apiUrlOf(provider, settings))
  const url = isReached && provider.callbacks !== null ? inboundUrlOf({ kind, id: channelId }, settings) : null
  return url === null ? null : `${url}?${messageParameter}=${id}`
}

const isOnThisMachine = (url: string): boolean => {
  const host = URL.parse(url)?.hostname
  return host === 'localhost' || host === '[::1]' || host?.startsWith('127.') === true
}
