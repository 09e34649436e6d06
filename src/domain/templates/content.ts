/** What a template says, what may be put into it, and the text it becomes. Pure. */

export type TemplateCategory = 'utility' | 'marketing'

export interface TemplateVariable {
  name: string
  /** A value such as it may have, for whoever looks at the template. */
  sample: string
}

/** What is needed of a template to write by it. */
export interface TemplateContent {
  id: string
  name: string
  /** `marketing` needs an opt-in. */
  category: TemplateCategory
  /** With `{{name}}` for each variable. */
  body: string
  variables: TemplateVariable[]
  /** What a provider with approved templates knows it by. */
  provider: { name: string; language: string } | null
}

/** What a provider with approved templates is handed instead of a text: the values in the order of the variables. */
export interface ProviderTemplate {
  name: string
  language: string
  parameters: string[]
}

/** A message's text, in characters as a person counts them: an emoji is one. */
export const maxCharacters = 4096

const placeholder = /\{\{([^{}]*)\}\}/g

/** The names that a body has places for, in their order. */
export const placeholdersOf = (body: string): string[] =>
  [...body.matchAll(placeholder)].map(([, name]) => (name ?? '').trim())

/** Whether a `{{` stands in the body that begins no place. */
export const holdsUnclosed = (body: string): boolean => body.replaceAll(placeholder, ' ').includes('{{')

/**
 * The text with the values filled in, and what a provider with approved templates is handed. Where a value is missing
 * nothing stands. What the body itself says is kept whole; the values share what is left of 4096 characters, the first in
 * front, and one that does not fit is cut.
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

/** Whether each of the template's variables is given: one that came to it later may not be. */
export const givesAll = (given: Record<string, string>, { variables }: Pick<TemplateContent, 'variables'>): boolean =>
  variables.every(({ name }) => Object.hasOwn(given, name))

/** What is wrong with the values given for a template's variables, by their names: one is missing, or not known. */
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

/** The first characters of a text; a pair of surrogates is one and stays together. */
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
