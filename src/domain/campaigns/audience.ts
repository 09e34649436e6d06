/** Validation of a campaign's audience and variables. Pure. */

import { type Condition, faultsOfCondition, type Vocabulary } from '../conditions/index.ts'
import { type Details, DomainError, invalidRequest } from '../errors.ts'
import { faultsOfVariables, type TemplateContent } from '../templates/index.ts'
import { faultOfText, placeholdersOf } from '../workflows/index.ts'
import type { Audience } from './schema.ts'

/** Paths available in a campaign: only those of the customer. */
const vocabulary: Vocabulary = {
  free: ['customer.attributes'],
  closed: ['customer.id', 'customer.name', 'customer.phone', 'customer.externalId', 'customer.attributes'],
}

const maxDetails = 20

/** Rejects faults of a condition, each under its path. */
export const checkAudience = (audience: Audience): void => {
  if ('where' in audience) refuse([...faultsOfCondition(audience.where, 'audience.where', vocabulary)])
}

/** Rejects values that do not match the template, or that use paths a customer does not have. */
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
  // If one path has several faults, the first is reported.
  for (const [field, reason] of faults.slice(0, maxDetails)) details[field] ??= reason
  if (faults.length > 0) throw invalidRequest(details)
}

/** Fails with 422 if the provider needs approved templates and the template is not one. */
export const checkProvider = (template: TemplateContent, needsApproved: boolean): void => {
  if (!needsApproved || template.provider !== null) return
  throw new DomainError(
    'unprocessable',
    `The channel's provider sends approved templates alone, and ${JSON.stringify(template.name)} does not say by which name the provider knows it. Set provider of the template.`,
  )
}

/**
 * Returns whether the texts or the condition read customer attributes. These can be large, so they are loaded only
 * then.
 */
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
