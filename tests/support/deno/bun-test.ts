/**
 * What our tests use of `bun:test`, on top of `node:test`: deno.json puts it in that place, so that the same files are
 * run by both.
 */
import { after, afterEach, before, beforeEach, test as nodeTest, suite } from 'node:test'
import { format } from 'node:util'
import { expect as jestExpect } from 'expect'

export { after as afterAll, afterEach, before as beforeAll, beforeEach }

type Body = (...args: never[]) => unknown

/** Declares one thing for each row; a row that is no array is the one argument. */
const each =
  (declare: (name: string, body: () => unknown) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: Body) => {
    for (const row of rows) {
      const args = (Array.isArray(row) ? row : [row]) as never[]
      declare(titled(name, args), () => body(...args))
    }
  }

/** Only as many arguments as the name has places for. */
const titled = (name: string, args: unknown[]): string =>
  format(name, ...args.slice(0, name.match(/%[sidfjoO]/g)?.length ?? 0))

const declareTest = (name: string, body: () => unknown) => void nodeTest(name, async () => void (await body()))
const declareSuite = (name: string, body: () => unknown) => void suite(name, () => void body())

export const test = Object.assign(declareTest, { each: each(declareTest) })
export const describe = Object.assign(declareSuite, {
  each: each(declareSuite),
  skipIf: (skipped: boolean): typeof declareSuite => (skipped ? () => {} : declareSuite),
})

/** What Bun has beyond Jest: each of them tells of the value alone, or compares it with what it is given. */
const matcher =
  (holds: (received: never, ...given: never[]) => boolean) =>
  (received: unknown, ...given: unknown[]) => ({
    pass: holds(received as never, ...(given as never[])),
    message: () => `Of ${JSON.stringify(received)} this does not hold: ${holds} ${JSON.stringify(given)}`,
  })

jestExpect.extend({
  toBeWithin: matcher((number: number, from: number, to: number) => number >= from && number < to),
  toStartWith: matcher((text: string, beginning: string) => text.startsWith(beginning)),
  toEndWith: matcher((text: string, end: string) => text.endsWith(end)),
  toBeString: matcher(value => typeof value === 'string'),
  toBeNumber: matcher(value => typeof value === 'number'),
  toBeArray: matcher(value => Array.isArray(value)),
})

/** Of `expect` of Bun, which also takes words to show beside a failure. */
export const expect = Object.assign((received: unknown, _words?: string) => jestExpect(received), jestExpect)

/** Puts a function in the place of a method, until it is restored. */
export const spyOn = <Name extends string, Method>(owner: Record<Name, Method>, name: Name) => {
  const original = owner[name]
  return {
    mockImplementation(method: Method) {
      owner[name] = method
      return this
    },
    mockRestore() {
      owner[name] = original
    },
  }
}

/** Here a test takes as long as it takes; whoever runs them bounds them all. */
export const setDefaultTimeout = (_milliseconds: number): void => {}
