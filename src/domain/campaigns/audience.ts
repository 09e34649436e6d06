/** Whom a campaign is for, and what a campaign may say: what is wrong with either. Pure. */

import { type Condition, faultsOfCondition, type Vocabulary } from '../conditions/index.ts'
import { type Details, DomainError, invalidRequest } from '../errors.ts'
import { faultsOfVariables, type TemplateContent } from '../templates/index.ts'
import { faultOfText, placeholdersOf } from '../workflows/index.ts'
import type { Audience } from './schema.ts'

/** A campaign knows of nothing but the customer it goes to. */
const vocabulary: Vocabulary = {
  free: ['customer.attributes'],
  closed: ['customer.id', 'customer.name', 'customer.phone', 'customer.externalId', 'customer.attributes'],
}

const maxDetails = 20

/** Refuses what is wrong with a condition, each under its place. */
export const checkAudience = (audience: Audience): void => {
  if ('where' in audience) refuse([...faultsOfCondition(audience.where, 'audience.where', vocabulary)])
}

/** Refuses the values where they do not fit the template, or say what no customer has. */
export const checkVariables = (template: TemplateContent, variables: Record<string, string>): void =>
  refuse([
    ...faultsOfVariables(template, variables).map(([name, reason]): Fault => [`variables.${name}`, reason]),
    ...Object.entries(variables).flatMap(([name, text]): Fault[] => {
      const fault = faultOfText(text, vocabulary)
      return fault === null ? [] : [[`variables.${name}`, fault]]
    }),
  ])

type Fault = [field: string, reason: string]

const refuse = (faults: Fault[]): void => {
  const details: Details = {}
  // Of several faults of one place the first is the one to mend first.
  for (const [field, reason] of faults.slice(0, maxDetails)) details[field] ??= reason
  if (faults.length > 0) throw invalidRequest(details)
}

/** 422 where a provider with approved templates is to send one that it cannot know. */
export const checkProvider = (template: TemplateContent, needsApproved: boolean): void => {
  if (!needsApproved || template.provider !== null) return
  throw new DomainError(
    'unprocessable',
    `The channel's provider sends approved templates alone, and ${JSON.stringify(template.name)} does not say by which name the provider knows it. Set provider of the template.`,
  )
}

/** Whether the texts, or the condition, look into the attributes of customers, which may be large. */
export const readsAttributes = ({
  variables = {},
  where = null,
}: {
  variables?: Record<string, string>
  where?: Condition | null
}): boolean =>
  Object.values(variables).some(text => placeholdersOf(text).some(isOfAttributes)) ||
  (where !== null && looksInto(where))

const isOfAttributes = (path: string): boolean => path.startsWith('customer.attributes')

const looksInto = (condition: Condition): boolean => {
  if ('path' in condition) return isOfAttributes(condition.path)
  if ('not' in condition) return looksInto(condition.not)
  return ('all' in condition ? condition.all : condition.any).some(looksInto)
}
