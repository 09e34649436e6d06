/** Structure of a rejected event without its values. */

/** An object, an array, or a text that describes a value, such as `string(12)`. */
export type Structure = string | { [name: string]: Structure } | Structure[]
export type Sample = Record<string, Structure>

/** Maximum size of a sample in bytes of JSON. */
const maxBytes = 4096
/** Maximum number of elements of an array, and maximum length of an event type. */
const [maxElements, maxType] = [3, 200]

/**
 * Returns the structure of an event, at most 4 KiB of JSON: names and types, and lengths of texts. Only `type` keeps its
 * value. A name that may be personal data is replaced. Fields are added level by level, so that a large field does not
 * displace the others of its level. Returns null if the value is no object.
 */
export const sampleOf = (event: unknown): Sample | null => {
  if (!isContainer(event) || Array.isArray(event)) return null
  const sample: Sample = {}
  const budget = { bytes: maxBytes - reserved }
  const levels: [from: object, to: Structure][] = [[event, sample]]
  for (let n = 0; n < levels.length; n++) {
    const [from, to] = levels[n]!
    const isComplete = Array.isArray(from)
      ? addElements(from, to as Structure[], levels, budget)
      : addFields(from, to as Sample, levels, budget)
    if (!isComplete) break
  }
  return sample
}

/** Bytes for the outer brackets and the mark of omitted fields. */
const reserved = 64

/** Marks fields or elements that were omitted. */
const omitted = '…'

type Levels = [from: object, to: Structure][]
interface Budget {
  bytes: number
}

const addFields = (from: object, to: Sample, levels: Levels, budget: Budget): boolean => {
  const isEvent = levels[0]![0] === from
  for (const name in from) {
    const value = from[name as keyof typeof from] as unknown
    const keepsValue = isEvent && name === 'type' && typeof value === 'string' && value.length <= maxType
    const structure = keepsValue ? toStorable(value) : describe(value)
    const safeName = nameOf(name)
    if (!take(budget, [safeName, structure])) {
      to[omitted] = 'omitted'
      return false
    }
    Object.defineProperty(to, safeName, { value: structure, enumerable: true, configurable: true, writable: true })
    if (isContainer(value)) levels.push([value, structure])
  }
  return true
}

const addElements = (from: unknown[], to: Structure[], levels: Levels, budget: Budget): boolean => {
  for (const value of from.slice(0, maxElements)) {
    const structure = describe(value)
    if (!take(budget, structure)) return false
    to.push(structure)
    if (isContainer(value)) levels.push([value, structure])
  }
  if (from.length <= maxElements) return true
  const rest = `${omitted} ${from.length - maxElements} more`
  if (!take(budget, rest)) return false
  to.push(rest)
  return true
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const describe = (value: unknown): Structure => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return []
  if (typeof value === 'object') return {}
  if (typeof value === 'string') return `string(${value.length})`
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

/** Deducts the size of a part of the sample. Returns false if the budget is too small. */
const take = (budget: Budget, part: Structure): boolean => {
  budget.bytes -= Buffer.byteLength(JSON.stringify(part)) + 1
  return budget.bytes >= 0
}

/** Names that programs use: letters, at most three digits in a row, and common separators. */
const isName = /^(?!.*\d{4})[\p{L}_$][\p{L}\p{N}_$.:-]*$/u
const maxName = 64

const nameOf = (name: string): string =>
  name.length <= maxName && isName.test(name) ? toStorable(name) : `name(${name.length})`

const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}')
