/** Decides for one customer whether a campaign sends a message, and renders its text. Pure. */

import { render } from '../../core/texts.ts'
import { fillTemplate, hasAllValues, type TemplateContent } from '../templates/index.ts'

/** The customer data that a campaign reads. */
export interface Person {
  id: string
  phone: string | null
  externalId: string | null
  name: string | null
  attributes: Record<string, unknown>
  optedIn: boolean
  optedOut: boolean
  erased: boolean
  /** Address on the campaign's channel. */
  address: string | null
}

/** Conditions that apply to the whole campaign. */
export interface SendContext {
  /** Null if the template was deleted. */
  template: TemplateContent | null
  variables: Record<string, string>
  /** Whether the workspace's plan includes campaigns. */
  inPlan: boolean
  connected: boolean
}

/** Returns why a customer is skipped, or null if the message can be sent. */
export const skipReason = (person: Person, { template, variables, inPlan, connected }: SendContext): string | null => {
  if (person.erased) return 'no_address'
  if (!inPlan) return 'plan'
  if (!connected) return 'channel_disconnected'
  if (template === null || !hasAllValues(variables, template)) return 'template_missing'
  if (person.optedOut) return 'opted_out'
  if (template.category === 'marketing' && !person.optedIn) return 'no_opt_in'
  return person.address === null ? 'no_address' : null
}

/** Returns the rendered text, and the parameters for a provider with approved templates. */
export const renderMessage = (person: Person, template: TemplateContent, variables: Record<string, string>) =>
  fillTemplate(
    template,
    Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, render(text, personFacts(person))])),
  )

/** Returns the message to a customer, without its author. Null if the customer is skipped. */
export const composeMessage = (
  person: Person,
  { workspaceId, channelId }: { workspaceId: string; channelId: string },
  context: SendContext,
) => {
  const { template, variables } = context
  if (skipReason(person, context) !== null || template === null || person.address === null) return null
  const { text, provider } = renderMessage(person, template, variables)
  return {
    workspaceId,
    customerId: person.id,
    channelId,
    handle: person.address,
    text,
    template: { id: template.id, marketing: template.category === 'marketing', provider },
  }
}

/**
 * Returns the values for paths in a campaign. It has no event; `data` and `event` are empty because no valid path leads
 * there.
 */
export const personFacts = ({ id, name, phone, externalId, attributes }: Person) => ({
  data: {},
  event: { id: '', type: '' },
  customer: { id, name, phone, externalId, attributes },
})
