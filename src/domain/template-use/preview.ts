/** Previews the text of a template, in general or for one customer. */

import type { Vocabulary } from '../conditions/index.ts'
import type { Ctx } from '../context.ts'
import { type Customer, readCustomer } from '../customers/index.ts'
import { DomainError, invalidRequest } from '../errors.ts'
import {
  faultsOfVariables,
  fillTemplate,
  type PreviewTemplate,
  readTemplate,
  type Template,
  type TemplatePreview,
} from '../templates/index.ts'
import { verb } from '../verb.ts'
import { faultOfText, render } from '../workflows/index.ts'

/**
 * Returns the text and the names of variables without a value. Without any values, the text shows the samples. If some
 * values are given, missing ones appear as their placeholder, so that a sample is not mistaken for the real text.
 */
export const previewTemplate = verb(
  { by: 'member' },
  async (ctx, id: string, { variables, customerId }: PreviewTemplate): Promise<TemplatePreview> => {
    const template = await readTemplate(ctx, id)
    refuseUnknown(template, variables ?? {})
    const values = customerId === undefined ? variables : await renderedFor(ctx, customerId, variables ?? {})
    const missing = template.variables.map(({ name }) => name).filter(name => !isGiven(values, name))
    const shown = template.variables.map(({ name, sample }): [string, string] => {
      if (isGiven(values, name)) return [name, values![name]!]
      return [name, variables === undefined ? sample : `{{${name}}}`]
    })
    return { text: fillTemplate(template, Object.fromEntries(shown)).text, missing }
  },
)

const refuseUnknown = (template: Template, given: Record<string, string>): void => {
  const unknown = faultsOfVariables(template, given).filter(([name]) => Object.hasOwn(given, name))
  if (unknown.length > 0) throw invalidRequest(named(unknown))
}

const maxDetails = 20
const maxName = 100

/** Keys are the caller's names of the values, so their number and length are limited. */
const named = (faults: [name: string, reason: string][]): Record<string, string> =>
  Object.fromEntries(
    faults.slice(0, maxDetails).map(([name, reason]) => [`variables.${name.slice(0, maxName)}`.toWellFormed(), reason]),
  )

const isGiven = (values: Record<string, string> | undefined, name: string): boolean =>
  values !== undefined && Object.hasOwn(values, name) && values[name]!.trim() !== ''

/** A value may reference only the customer who receives the message. */
const vocabulary: Vocabulary = {
  free: ['customer.attributes'],
  closed: ['customer.id', 'customer.name', 'customer.phone', 'customer.externalId', 'customer.attributes'],
}

/** Renders the values for this customer. */
const renderedFor = async (
  ctx: Ctx,
  customerId: string,
  values: Record<string, string>,
): Promise<Record<string, string>> => {
  const entries = Object.entries(values)
  const faults = entries.flatMap(([name, text]): [string, string][] => {
    const fault = text.trim() === '' ? null : faultOfText(text, vocabulary)
    return fault === null ? [] : [[name, fault]]
  })
  if (faults.length > 0) throw invalidRequest(named(faults))
  const customer = await customerNamed(ctx, customerId)
  const facts = { data: {}, event: { id: '', type: '' }, customer }
  return Object.fromEntries(entries.map(([name, text]) => [name, render(text, facts)]))
}

const customerNamed = async (ctx: Ctx, customerId: string): Promise<Customer> => {
  try {
    return await readCustomer(ctx, customerId)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw invalidRequest({ customerId: 'No such customer in this workspace.' })
  }
}
