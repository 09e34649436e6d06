/** Writes only the beginning of a value as JSON, so that the cost depends on the part that is needed. Pure. */

/**
 * Returns the JSON of a value, complete if it has at most `max` UTF-16 units, otherwise cut somewhere after them. The
 * rest of the value is not read. `names` returns the member names of an object in order.
 */
export const truncateJson = (value: unknown, max: number, names: ListNames = listNames): string => {
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
  const writeAll = <T>(opening: string, items: Iterable<T>, closing: string, writeItem: (item: T) => void): void => {
    text += opening
    let isFirst = true
    for (const item of items) {
      if (text.length > max) return
      if (!isFirst) text += ','
      isFirst = false
      writeItem(item)
    }
    text += closing
  }
  write(value)
  return text
}

type ListNames = (object: object) => Iterable<string>

/** Maximum number of names to sort. Larger objects keep their order. */
const maxSortedNames = 1000

/**
 * Returns the names in the order in which jsonb stores them. The text is then the same for an object as received and as
 * read from the database.
 */
export const listNamesAsJsonb = (object: object): Iterable<string> => {
  const names: string[] = []
  for (const name of listNames(object)) if (names.push(name) > maxSortedNames) return listNames(object)
  return names.length < 2 ? names : names.sort(byJsonbOrder)
}

const byJsonbOrder = (one: string, other: string): number => {
  const byLength = Buffer.byteLength(one) - Buffer.byteLength(other)
  return byLength === 0 ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : byLength
}

/** Yields the names one by one, so that those of a large object are not collected first. */
function* listNames(object: object): Generator<string> {
  for (const name in object) if (Object.hasOwn(object, name)) yield name
}
