/** Previews the text of a template, in general or for one customer. */

import type { KnownPaths } from '../../core/conditions/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest } from '../../core/errors.ts'
import { faultOfText, isBlank, render } from '../../core/texts.ts'
import { verb } from '../../core/verb.ts'
import { type Customer, readCustomer } from '../../customers/index.ts'
import {
  faultsOfVariables,
  fillTemplate,
  type PreviewTemplate,
  readTemplate,
  type Template,
  type TemplatePreview,
} from '../../messaging/templates/index.ts'

/**
 * Returns the text and the names of variables without a value. Without any values, the text shows the samples. If some
 * values are given, missing ones appear as their placeholder, so that a sample is not mistaken for the real text.
 */
export const previewTemplate = verb(
  { by: 'member' },
  async (ctx, id: string, { variables, customerId }: PreviewTemplate): Promise<TemplatePreview> => {
    const template = await readTemplate(ctx, id)
    rejectUnknown(template, variables ?? {})
    const values = customerId === undefined ? variables : await renderValues(ctx, customerId, variables ?? {})
    const missing = template.variables.map(({ name }) => name).filter(name => !isGiven(values, name))
    const displayValues = template.variables.map(({ name, sample }): [string, string] => {
      if (isGiven(values, name)) return [name, values![name]!]
      return [name, variables === undefined ? sample : `{{${name}}}`]
    })
    return { text: fillTemplate(template, Object.fromEntries(displayValues)).text, missing }
  },
)

const rejectUnknown = (template: Template, values: Record<string, string>): void => {
  const unknown = faultsOfVariables(template, values).filter(([name]) => Object.hasOwn(values, name))
  if (unknown.length > 0) throw invalidRequest(detailsOf(unknown))
}

const maxDetails = 20
const maxName = 100

/** Keys are the caller's names of the values, so their number and length are limited. */
const detailsOf = (faults: [name: string, reason: string][]): Record<string, string> =>
  Object.fromEntries(
    faults.slice(0, maxDetails).map(([name, reason]) => [`variables.${name.slice(0, maxName)}`.toWellFormed(), reason]),
  )

const isGiven = (values: Record<string, string> | undefined, name: string): boolean =>
  values !== undefined && Object.hasOwn(values, name) && !isBlank(values[name]!)

/** A value may reference only the customer who receives the message. */
const vocabulary: KnownPaths = {
  prefixes: ['customer.attributes'],
  exact: ['customer.id', 'customer.name', 'customer.phone', 'customer.externalId', 'customer.attributes'],
}

/** Renders the values for this customer. */
const renderValues = async (
  ctx: Ctx,
  customerId: string,
  values: Record<string, string>,
): Promise<Record<string, string>> => {
  const entries = Object.entries(values)
  const faults = entries.flatMap(([name, text]): [string, string][] => {
    const fault = isBlank(text) ? null : faultOfText(text, vocabulary)
    return fault === null ? [] : [[name, fault]]
  })
  if (faults.length > 0) throw invalidRequest(detailsOf(faults))
  const customer = await requireCustomer(ctx, customerId)
  const facts = { data: {}, event: { id: '', type: '' }, customer }
  return Object.fromEntries(entries.map(([name, text]) => [name, render(text, facts)]))
}

const requireCustomer = async (ctx: Ctx, customerId: string): Promise<Customer> => {
  try {
    return await readCustomer(ctx, customerId)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw invalidRequest({ customerId: 'No such customer in this workspace.' })
  }
}
