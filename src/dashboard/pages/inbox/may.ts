/** Checks what can be sent in a conversation, before the person writes. The API makes the final decision. */
import type { Schemas } from '../../api/client.ts'

export type Hindrance = 'channel_disconnected' | 'no_address' | 'opted_out' | 'no_opt_in' | 'window_closed'

export interface Place {
  conversation: Schemas['Conversation']
  customer: Schemas['Customer'] | undefined
  channel: Schemas['Channel'] | undefined
  /** Known only once the whole conversation is loaded. */
  customerOpened: boolean | null
  now: number
}

const nowhere = ({ conversation, channel }: Place): Hindrance | null => {
  if (channel?.status === 'disconnected') return 'channel_disconnected'
  return conversation.handle === null ? 'no_address' : null
}

export const isWindowClosed = ({ conversation: { windowClosesAt }, now }: Place): boolean =>
  windowClosesAt !== null && new Date(windowClosesAt).getTime() <= now

const isOut = ({ customer }: Place): boolean => customer?.optedOutAt != null

/** Returns why free text cannot be sent, or null if it can. */
export const hindersText = (place: Place): Hindrance | null => {
  const hindrance = nowhere(place)
  if (hindrance) return hindrance
  if (isOut(place) && place.customerOpened === false) return 'opted_out'
  return isWindowClosed(place) ? 'window_closed' : null
}

/** Returns why this template cannot be sent, or null if it can. */
export const hindersTemplate = (place: Place, template: Schemas['Template']): Hindrance | null => {
  const hindrance = nowhere(place)
  if (hindrance) return hindrance
  if (isOut(place)) return 'opted_out'
  if (template.category === 'marketing' && place.customer && place.customer.optedInAt === null) return 'no_opt_in'
  return isWindowClosed(place) && template.provider === null ? 'window_closed' : null
}

/** Returns the reason that blocks every template, or null. */
export const hindersTemplates = (place: Place): Hindrance | null =>
  nowhere(place) ?? (isOut(place) ? 'opted_out' : null)

/** Maximum number of characters per message, as the contract states for each kind of channel. */
export const maxCharacters = (kind: Schemas['Conversation']['channelKind']): number =>
  kind === 'twilio_sms' ? 1600 : 4096
