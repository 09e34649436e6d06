/** Settings for managing channels and sending over them. */
import type { ProviderUrls } from '../../config.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { type ChannelKind, type Provider, type Providers, providers } from './providers/index.ts'

export interface ChannelSettings {
  providers: Providers
  /** Null without an encryption key. Channels with credentials cannot be connected then. */
  keyring: Keyring | null
  /** Base URL that is shown to people. */
  publicUrl: () => string
  /** Whether an operator configured the public URL, so that others can reach it. */
  hasPublicUrl: boolean
  /** Base URLs of providers that replace their defaults, by the name of the setting. */
  providerUrls: ProviderUrls
}

/** Returns the base URL of a provider, or '' if it runs inside this process. */
export const apiUrlOf = ({ api }: Pick<Provider, 'api'>, { providerUrls }: ChannelSettings): string =>
  api === null ? '' : (providerUrls[api.setting] ?? api.defaultUrl)

/** Returns whether callbacks of this kind use this path segment after /v1/inbound. */
export const hasCallbackName = (kind: ChannelKind, name: string): boolean => providers[kind]?.callbacks?.name === name

/** Returns the callback URL of a channel, or null if its kind has no callbacks. */
export const inboundUrlOf = (
  { kind, id }: { kind: ChannelKind; id: string },
  { publicUrl }: Pick<ChannelSettings, 'publicUrl'>,
): string | null => {
  const name = providers[kind]?.callbacks?.name
  return name === undefined ? null : `${publicUrl()}/v1/inbound/${name}/${id}`
}

/** Query parameter of a status callback that contains our message id. */
export const messageParameter = 'message'

/**
 * Returns the status callback URL of a message. Without a public URL it is null, unless the provider runs on this
 * machine and can reach a local URL.
 */
export const statusUrlOf = (
  { kind, channelId, id }: { kind: ChannelKind; channelId: string; id: string },
  settings: ChannelSettings,
): string | null => {
  const provider = settings.providers[kind]
  const isReachable = settings.hasPublicUrl || isLocalUrl(apiUrlOf(provider, settings))
  const url = isReachable && provider.callbacks !== null ? inboundUrlOf({ kind, id: channelId }, settings) : null
  return url === null ? null : `${url}?${messageParameter}=${id}`
}

const isLocalUrl = (url: string): boolean => {
  const host = URL.parse(url)?.hostname
  return host === 'localhost' || host === '[::1]' || host?.startsWith('127.') === true
}
