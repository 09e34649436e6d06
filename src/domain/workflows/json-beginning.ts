/** Values as text where only the beginning is wanted: the cost is that of the beginning. Pure. */

/**
 * The JSON of a value that came from JSON: whole where it is at most `max` UTF-16 units long, else cut somewhere behind
 * them. What lies behind is not looked at.
 */
export const beginningOfJson = (value: unknown, max: number): string => {
  let text = ''
  const write = (value: unknown): void => {
    if (text.length > max) return
    if (typeof value === 'string') text += JSON.stringify(value.length > max ? value.slice(0, max + 1) : value)
    else if (Array.isArray(value)) writeAll('[', value, ']', write)
    else if (typeof value === 'object' && value !== null) writeAll('{', namesIn(value), '}', writeMember(value))
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

/** One after the other: the names of a large object are not gathered first. */
function* namesIn(object: object): Generator<string> {
  for (const name in object) if (Object.hasOwn(object, name)) yield name
}
