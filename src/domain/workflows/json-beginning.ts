/** Writes only the beginning of a value as JSON, so that the cost depends on the part that is needed. Pure. */

/**
 * Returns the JSON of a value, complete if it has at most `max` UTF-16 units, otherwise cut somewhere after them. The
 * rest of the value is not read. `names` returns the member names of an object in order.
 */
export const beginningOfJson = (value: unknown, max: number, names: NamesOf = namesIn): string => {
  let text = ''
  const write = (value: unknown): void => {
    if (text.length > max) return
    if (typeof value === 'string') text += JSON.stringify(value.length > max ? value.slice(0, max + 1) : value)
    else if (Array.isArray(value)) writeAll('[', value, ']', write)
    else if (typeof value === 'object' && value !== null) writeAll('{', names(value), '}', writeMember(value))
    else text += JSON.stringify(value) ?? 'null'
  }
  const writeMember = (object: object) => (name: string) => {
    text += `${JSON.stringify(name)}:`
    write((object as Record<string, unknown>)[name])
  }
  const writeAll = <T>(opening: string, parts: Iterable<T>, closing: string, writeOne: (part: T) => void): void => {
    text += opening
    let first = true
    for (const part of parts) {
      if (text.length > max) return
      if (!first) text += ','
      first = false
      writeOne(part)
    }
    text += closing
  }
  write(value)
  return text
}

type NamesOf = (object: object) => Iterable<string>

/** Maximum number of names to sort. Larger objects keep their order. */
const maxOrdered = 1000

/**
 * Returns the names in the order in which jsonb stores them. The text is then the same for an object as received and as
 * read from the database.
 */
export const namesAsStored = (object: object): Iterable<string> => {
  const names: string[] = []
  for (const name of namesIn(object)) if (names.push(name) > maxOrdered) return namesIn(object)
  return names.length < 2 ? names : names.sort(asStored)
}

const asStored = (one: string, other: string): number => {
  const byLength = Buffer.byteLength(one) - Buffer.byteLength(other)
  return byLength === 0 ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : byLength
}

/** Yields the names one by one, so that those of a large object are not collected first. */
function* namesIn(object: object): Generator<string> {
  for (const name in object) if (Object.hasOwn(object, name)) yield name
}
