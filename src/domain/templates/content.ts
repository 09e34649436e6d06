/** Content of a template, its placeholders, and the text with values filled in. Pure. */

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

/** Maximum length of a message's text in code points. */
export const maxCharacters = 4096

const placeholder = /\{\{([^{}]*)\}\}/g

/** Returns the placeholder names of a body, in order. */
export const placeholdersOf = (body: string): string[] =>
  [...body.matchAll(placeholder)].map(([, name]) => (name ?? '').trim())

/** Returns whether the body contains a `{{` that starts no placeholder. */
export const holdsUnclosed = (body: string): boolean => body.replaceAll(placeholder, ' ').includes('{{')

/**
 * Returns the text with values filled in, and the data for a provider with approved templates. A missing value is
 * empty. The body itself is never cut. The values share the rest of the 4096 characters in order, and a value that does
 * not fit is cut.
 */
export const fillTemplate = (
  { body, variables, provider }: TemplateContent,
  values: Record<string, string>,
): { text: string; provider: ProviderTemplate | null } => {
  const known = new Map(Object.entries(values))
  const valueFor = (name: string): string => known.get(name) ?? ''
  return {
    text: filled(body, valueFor),
    provider: provider && { ...provider, parameters: variables.map(({ name }) => valueFor(name)) },
  }
}

/** Returns whether every variable of the template has a value. A variable added later may have none. */
export const givesAll = (given: Record<string, string>, { variables }: Pick<TemplateContent, 'variables'>): boolean =>
  variables.every(({ name }) => Object.hasOwn(given, name))

/** Returns faults by variable name: missing or unknown variables. */
export const faultsOfVariables = (
  { variables }: Pick<TemplateContent, 'variables'>,
  given: Record<string, string>,
): [name: string, reason: string][] => {
  const names = variables.map(({ name }) => name)
  return [
    ...names
      .filter(name => !Object.hasOwn(given, name))
      .map((name): [string, string] => [name, 'Is required: the template has a place for it.']),
    ...Object.keys(given)
      .filter(name => !names.includes(name))
      .map((name): [string, string] => [name, notOfTemplate(names)]),
  ]
}

const notOfTemplate = (names: string[]): string =>
  names.length === 0
    ? 'Is no variable of the template, which has none.'
    : `Is no variable of the template; it has ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`

const filled = (body: string, valueFor: (name: string) => string): string => {
  let room = maxCharacters - lengthOf(body.replaceAll(placeholder, ''))
  return body
    .replaceAll(placeholder, (_, name: string) => {
      const value = beginning(valueFor(name.trim()).toWellFormed(), room)
      room -= lengthOf(value)
      return value
    })
    .toWellFormed()
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Returns the first `max` characters. A surrogate pair counts as one and is not split. */
const beginning = (text: string, max: number): string => {
  if (text.length <= max) return text
  let [end, count] = [0, 0]
  for (const character of text) {
    if (count >= max) break
    end += character.length
    count++
  }
  return text.slice(0, end)
}
