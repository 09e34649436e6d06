/** Checks what can be sent in a conversation, before the person writes. The API makes the final decision. */
import type { Schemas } from '../../../api/client.ts'

export type Restriction = 'channel_disconnected' | 'no_address' | 'opted_out' | 'no_opt_in' | 'window_closed'

export interface ReplyContext {
  conversation: Schemas['Conversation']
  customer: Schemas['Customer'] | undefined
  channel: Schemas['Channel'] | undefined
  /** Known only once the whole conversation is loaded. */
  isOpenedByCustomer: boolean | null
  now: number
}

const findChannelRestriction = ({ conversation, channel }: ReplyContext): Restriction | null => {
  if (channel?.status === 'disconnected') return 'channel_disconnected'
  return conversation.handle === null ? 'no_address' : null
}

export const isWindowClosed = ({ conversation: { windowClosesAt }, now }: ReplyContext): boolean =>
  windowClosesAt !== null && new Date(windowClosesAt).getTime() <= now

const hasOptedOut = ({ customer }: ReplyContext): boolean => customer?.optedOutAt != null

/** Returns why free text cannot be sent, or null if it can. */
export const findTextRestriction = (context: ReplyContext): Restriction | null => {
  const restriction = findChannelRestriction(context)
  if (restriction) return restriction
  if (hasOptedOut(context) && context.isOpenedByCustomer === false) return 'opted_out'
  return isWindowClosed(context) ? 'window_closed' : null
}

/** Returns why this template cannot be sent, or null if it can. */
export const findTemplateRestriction = (context: ReplyContext, template: Schemas['Template']): Restriction | null => {
  const restriction = findChannelRestriction(context)
  if (restriction) return restriction
  if (hasOptedOut(context)) return 'opted_out'
  if (template.category === 'marketing' && context.customer && context.customer.optedInAt === null) return 'no_opt_in'
  return isWindowClosed(context) && template.provider === null ? 'window_closed' : null
}

/** Returns the reason that blocks every template, or null. */
export const findTemplatesRestriction = (context: ReplyContext): Restriction | null =>
  findChannelRestriction(context) ?? (hasOptedOut(context) ? 'opted_out' : null)
