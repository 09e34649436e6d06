/** Values as text where only the beginning is wanted: the cost is that of the beginning. Pure. */

/**
 * The JSON of a value that came from JSON: whole where it is at most `max` UTF-16 units long, else cut somewhere behind
 * them. What lies behind is not looked at. `names` tells the names of an object in their order.
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

/** Names that are put in order; where there are more, they stay as they are. */
const maxOrdered = 1000

/**
 * In the order in which PostgreSQL keeps the names of an object: whoever reads one as it was sent, and whoever reads it
 * from there, writes the same.
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

/** One after the other: the names of a large object are not gathered first. */
function* namesIn(object: object): Generator<string> {
  for (const name in object) if (Object.hasOwn(object, name)) yield name
}
