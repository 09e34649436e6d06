/** Validation of a campaign's audience and variables. Pure. */

import { type Condition, faultsOfCondition, type KnownPaths } from '../../core/conditions/index.ts'
import { type Details, DomainError, invalidRequest } from '../../core/errors.ts'
import { extractPaths, faultOfText } from '../../core/texts.ts'
import { faultsOfVariables, type TemplateContent } from '../templates/index.ts'
import type { Audience } from './schema.ts'

/** Paths available in a campaign: only those of the customer. */
const vocabulary: KnownPaths = {
  prefixes: ['customer.attributes'],
  exact: ['customer.id', 'customer.name', 'customer.phone', 'customer.externalId', 'customer.attributes'],
}

const maxDetails = 20

/** Rejects faults of a condition, each under its path. */
export const checkAudience = (audience: Audience): void => {
  if ('where' in audience) throwFaults([...faultsOfCondition(audience.where, 'audience.where', vocabulary)])
}

/** Rejects values that do not match the template, or that use paths a customer does not have. */
export const checkVariables = (template: TemplateContent, variables: Record<string, string>): void =>
  throwFaults([
    ...faultsOfVariables(template, variables).map(([name, reason]): Fault => [`variables.${name}`, reason]),
    ...Object.entries(variables).flatMap(([name, text]): Fault[] => {
      const fault = faultOfText(text, vocabulary)
      return fault === null ? [] : [[`variables.${name}`, fault]]
    }),
  ])

type Fault = [field: string, reason: string]

const throwFaults = (faults: Fault[]): void => {
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
    `The provider of the channel requires approved templates, and ${JSON.stringify(template.name)} has no name at the provider. Set provider of the template.`,
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
  Object.values(variables).some(text => extractPaths(text).some(isAttributePath)) ||
  (where !== null && conditionReadsAttributes(where))

const isAttributePath = (path: string): boolean => path.startsWith('customer.attributes')

const conditionReadsAttributes = (condition: Condition): boolean => {
  if ('path' in condition) return isAttributePath(condition.path)
  if ('not' in condition) return conditionReadsAttributes(condition.not)
  return ('all' in condition ? condition.all : condition.any).some(conditionReadsAttributes)
}
