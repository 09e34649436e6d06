/** The places of a text, and what stands in them. */
const place = /\{\{([^{}]*)\}\}/g
const name = /^[A-Za-z0-9][A-Za-z0-9_]{0,31}$/

export interface Variable {
  name: string
  sample: string
}

/** The names in the order in which they come, each once. */
const placesOf = (body: string): string[] => [
  ...new Set([...body.matchAll(place)].map(([, inside]) => (inside ?? '').trim())),
]

/** Names that are none. */
export const badPlaces = (body: string): string[] => placesOf(body).filter(one => !name.test(one))

export const isUnclosed = (body: string): boolean => body.replaceAll(place, ' ').includes('{{')

/** Those that the body names: the ones there were keep their order and their examples, new ones follow. */
export const variablesOf = (body: string, known: readonly Variable[]): Variable[] => {
  const names = placesOf(body).filter(one => name.test(one))
  const kept = known.filter(one => names.includes(one.name))
  const fresh = names.filter(one => !kept.some(known => known.name === one))
  return [...kept, ...fresh.map(name => ({ name, sample: '' }))]
}

/** The text with the values in their places; a place without one stays. */
export const filled = (body: string, values: Record<string, string>): string =>
  body.replaceAll(place, (whole, inside: string) => values[inside.trim()] || whole)

export const maxCharacters = 4096

/** As a person counts them: an emoji is one. */
export const charactersOf = (text: string): number => [...text].length
