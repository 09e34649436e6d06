/** Placeholders of a text and their values. */
const placeholderPattern = /\{\{([^{}]*)\}\}/g
const name = /^[A-Za-z0-9][A-Za-z0-9_]{0,31}$/

export interface Variable {
  name: string
  sample: string
}

/** Returns the text in parts. Every second one is a placeholder with its braces. */
export const splitPlaceholders = (text: string): string[] => text.split(/(\{\{[^{}]*\}\})/)

/** Returns the distinct names in order of appearance. */
const listPlaceholders = (body: string): string[] => [
  ...new Set([...body.matchAll(placeholderPattern)].map(([, content]) => (content ?? '').trim())),
]

/** Returns the invalid names. */
export const listInvalidPlaceholders = (body: string): string[] => listPlaceholders(body).filter(one => !name.test(one))

export const isUnclosed = (body: string): boolean => body.replaceAll(placeholderPattern, ' ').includes('{{')

/** Returns the variables of the body. Known ones keep their order and their samples, and new ones follow. */
export const listVariables = (body: string, knownVariables: readonly Variable[]): Variable[] => {
  const names = listPlaceholders(body).filter(one => name.test(one))
  const existing = knownVariables.filter(one => names.includes(one.name))
  const newNames = names.filter(one => !existing.some(knownVariables => knownVariables.name === one))
  return [...existing, ...newNames.map(name => ({ name, sample: '' }))]
}

/** Fills in the placeholders. A placeholder without a value is left unchanged. */
export const fillPlaceholders = (body: string, values: Record<string, string>): string =>
  body.replaceAll(placeholderPattern, (placeholder, content: string) => values[content.trim()] || placeholder)

export const maxCharacters = 4096

/** Returns the number of code points, so that most emojis count as one character. */
export const countCharacters = (text: string): number => [...text].length
