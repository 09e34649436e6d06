/** The one list of kinds of channels: everything else that names them is made from it. */
import type { Provider } from './provider.ts'
import { sandbox } from './sandbox/index.ts'
import { twilioSms } from './twilio-sms/index.ts'
import { whatsappCloud } from './whatsapp-cloud/index.ts'

export type {
  CallbackItem,
  CallbackRequest,
  Capabilities,
  Introduction,
  MessageType,
  OutboundMessage,
  Provider,
  SandboxDelivery,
  SendError,
  SendResult,
} from './provider.ts'

const all = { sandbox, whatsapp_cloud: whatsappCloud, twilio_sms: twilioSms }

export type ChannelKind = keyof typeof all
/** Whose credentials are whose, only the provider itself knows: to everybody else they are what was stored. */
export type Providers = Readonly<Record<ChannelKind, Provider>>

export const providers: Providers = all

/** In the order in which they are published. */
export const channelKinds = Object.keys(providers) as ChannelKind[]
