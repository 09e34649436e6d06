/** Content of a template, its placeholders, and the text with values filled in. Pure. */
import { fill } from '../../core/placeholders.ts'

export type TemplateCategory = 'utility' | 'marketing'

export interface TemplateVariable {
  name: string
  /** An example value, shown to readers of the template. */
  sample: string
}

/** The fields of a template that are needed to send with it. */
export interface TemplateContent {
  id: string
  name: string
  /** `marketing` needs an opt-in. */
  category: TemplateCategory
  /** Text with `{{name}}` for each variable. */
  body: string
  variables: TemplateVariable[]
  /** Name and language by which a provider with approved templates knows it. */
  provider: { name: string; language: string } | null
}

/** Sent instead of a text to a provider with approved templates: the values in the order of the variables. */
export interface ProviderTemplate {
  name: string
  language: string
  parameters: string[]
}

/**
 * Returns the text with values filled in, and the data for a provider with approved templates. A missing value is
 * empty. The body itself is never cut. The values share the rest of the 4096 characters in order, and a value that does
 * not fit is cut.
 */
export const fillTemplate = (
  { body, variables, provider }: TemplateContent,
  values: Record<string, string>,
): { text: string; provider: ProviderTemplate | null } => {
  const valueByName = new Map(Object.entries(values))
  const valueFor = (name: string): string => valueByName.get(name) ?? ''
  return {
    text: fill(body, valueFor),
    provider: provider && { ...provider, parameters: variables.map(({ name }) => valueFor(name)) },
  }
}

/** Returns whether every variable of the template has a value. A variable added later may have none. */
export const hasAllValues = (
  values: Record<string, string>,
  { variables }: Pick<TemplateContent, 'variables'>,
): boolean => variables.every(({ name }) => Object.hasOwn(values, name))

/** Returns faults by variable name: missing or unknown variables. */
export const faultsOfVariables = (
  { variables }: Pick<TemplateContent, 'variables'>,
  values: Record<string, string>,
): [name: string, reason: string][] => {
  const names = variables.map(({ name }) => name)
  return [
    ...names
      .filter(name => !Object.hasOwn(values, name))
      .map((name): [string, string] => [name, 'Is required by the template.']),
    ...Object.keys(values)
      .filter(name => !names.includes(name))
      .map((name): [string, string] => [name, unknownVariable(names)]),
  ]
}

const unknownVariable = (names: string[]): string =>
  names.length === 0
    ? 'Is not a variable of the template, which has none. Remove it.'
    : `Is not a variable of the template. Its variables are ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`
