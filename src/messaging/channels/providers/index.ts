/** Registry of channel kinds. All other lists of kinds are derived from it. */
import type { Provider } from './provider.ts'
import { sandbox } from './sandbox/index.ts'
import { twilioSms } from './twilio-sms/index.ts'
import { whatsappCloud } from './whatsapp-cloud/index.ts'

export type {
  CallbackContent,
  CallbackItem,
  CallbackRequest,
  Capabilities,
  CredentialsCheck,
  MessageType,
  OutboundMessage,
  Provider,
  SandboxDelivery,
  SendError,
  SendResult,
} from './provider.ts'

const all = { sandbox, whatsapp_cloud: whatsappCloud, twilio_sms: twilioSms }

export type ChannelKind = keyof typeof all
/** Providers by kind. Only the provider itself knows the type of its credentials; other code handles them as stored. */
export type Providers = Readonly<Record<ChannelKind, Provider>>

export const providers: Providers = all

/** Channel kinds in the order of the published document. */
export const channelKinds = Object.keys(providers) as ChannelKind[]
