/**
 * The part of `bun:test` that our tests use, built on `node:test`. deno.json maps `bun:test` to this file, so both
 * runtimes run the same test files.
 */
import * as node from 'node:test'
import { format } from 'node:util'
import { expect as jestExpect } from 'expect'

type Body = (...args: never[]) => unknown

/** Declarations at the top level of the file that is being loaded. */
let ofFile: (() => void)[] | null = null

/** Loads a file and declares its tests and hooks as one suite. Hooks at the top level would apply to all files. */
export const declareFile = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  const declarations: (() => void)[] = []
  ofFile = declarations
  await load()
  ofFile = null
  declareSuite(name, () => {
    for (const declare of declarations) declare()
  })
}

const declare = (work: () => void): void => {
  if (ofFile) ofFile.push(work)
  else work()
}

type Hook = (body: () => unknown) => void
const hook =
  (add: (body: () => Promise<void>) => void): Hook =>
  body =>
    declare(() => add(async () => void (await body())))
export const beforeAll = hook(node.before)
export const afterAll = hook(node.after)
export const beforeEach = hook(node.beforeEach)
export const afterEach = hook(node.afterEach)

/** Declares one test for each row. A row that is not an array is the only argument. */
const each =
  (declare: (name: string, body: () => unknown) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: Body) => {
    for (const row of rows) {
      const args = (Array.isArray(row) ? row : [row]) as never[]
      declare(titled(name, args), () => body(...args))
    }
  }

/** Formats at most as many arguments as the name has placeholders. */
const titled = (name: string, args: unknown[]): string =>
  format(name, ...args.slice(0, name.match(/%[sidfjoO]/g)?.length ?? 0))

const declareTest = (name: string, body: () => unknown) =>
  declare(() => void node.test(name, async () => void (await body())))
const declareSuite = (name: string, body: () => unknown) => declare(() => void node.suite(name, () => void body()))

export const test = Object.assign(declareTest, { each: each(declareTest) })
export const describe = Object.assign(declareSuite, {
  each: each(declareSuite),
  skipIf: (skipped: boolean): typeof declareSuite => (skipped ? () => {} : declareSuite),
})

/** Matchers that Bun has and Jest lacks. Each checks the value alone or compares it with its arguments. */
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

/** Accepts the second argument of Bun's `expect`, the words to show with a failure. */
export const expect = Object.assign((received: unknown, _words?: string) => jestExpect(received), jestExpect)

/** Replaces a method with a function until it is restored. */
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

/** Does nothing. Tests have no time limit here; the runner limits the whole run. */
export const setDefaultTimeout = (_milliseconds: number): void => {}
