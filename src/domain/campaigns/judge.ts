/** What a campaign does with one customer at this moment: a text for them, or the reason why there is none. Pure. */
import { fillTemplate, givesAll, type TemplateContent } from '../templates/index.ts'
import { render } from '../workflows/index.ts'

/** A customer as a campaign looks at them. */
export interface Person {
  id: string
  phone: string | null
  externalId: string | null
  name: string | null
  attributes: Record<string, unknown>
  optedIn: boolean
  optedOut: boolean
  erased: boolean
  /** On the campaign's channel. */
  address: string | null
}

/** What holds for the whole campaign at this moment. */
export interface Terms {
  /** Null: it is gone. */
  template: TemplateContent | null
  variables: Record<string, string>
  /** The workspace's plan includes campaigns. */
  inPlan: boolean
  connected: boolean
}

/** Why a customer gets nothing; null where they do. */
export const reasonToSkip = (person: Person, { template, variables, inPlan, connected }: Terms): string | null => {
  if (person.erased) return 'no_address'
  if (!inPlan) return 'plan'
  if (!connected) return 'channel_disconnected'
  if (template === null || !givesAll(variables, template)) return 'template_missing'
  if (person.optedOut) return 'opted_out'
  if (template.category === 'marketing' && !person.optedIn) return 'no_opt_in'
  return person.address === null ? 'no_address' : null
}

/** What the customer reads, and what a provider with approved templates is handed. */
export const written = (person: Person, template: TemplateContent, variables: Record<string, string>) =>
  fillTemplate(
    template,
    Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, render(text, factsOf(person))])),
  )

/** What paths of a campaign lead into. It has no event; no path of its own leads there. */
export const factsOf = ({ id, name, phone, externalId, attributes }: Person) => ({
  data: {},
  event: { id: '', type: '' },
  customer: { id, name, phone, externalId, attributes },
})
