/** Placeholders of a text and their values. */
const place = /\{\{([^{}]*)\}\}/g
const name = /^[A-Za-z0-9][A-Za-z0-9_]{0,31}$/

export interface Variable {
  name: string
  sample: string
}

/** Returns the distinct names in order of appearance. */
const placesOf = (body: string): string[] => [
  ...new Set([...body.matchAll(place)].map(([, inside]) => (inside ?? '').trim())),
]

/** Returns the invalid names. */
export const badPlaces = (body: string): string[] => placesOf(body).filter(one => !name.test(one))

export const isUnclosed = (body: string): boolean => body.replaceAll(place, ' ').includes('{{')

/** Returns the variables of the body. Known ones keep their order and their samples, and new ones follow. */
export const variablesOf = (body: string, known: readonly Variable[]): Variable[] => {
  const names = placesOf(body).filter(one => name.test(one))
  const kept = known.filter(one => names.includes(one.name))
  const fresh = names.filter(one => !kept.some(known => known.name === one))
  return [...kept, ...fresh.map(name => ({ name, sample: '' }))]
}

/** Fills in the placeholders. A placeholder without a value is left unchanged. */
export const filled = (body: string, values: Record<string, string>): string =>
  body.replaceAll(place, (whole, inside: string) => values[inside.trim()] || whole)

export const maxCharacters = 4096

/** Returns the number of code points, so that most emojis count as one character. */
export const charactersOf = (text: string): number => [...text].length
