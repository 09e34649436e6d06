/** Resources that tests share, such as a world or a receiver. */
import { afterAll, beforeAll } from 'bun:test'

/** Stops the resources in use. The newest is last. */
const stops: (() => Promise<unknown>)[] = []

type Resource = { stop(): Promise<unknown> } | { drop(): Promise<unknown> }

/**
 * Starts a resource before the tests of the file or `describe` that calls this, and stops it after them. The resource
 * that started last stops first. The returned object stands for the resource and throws before it has started.
 */
export const use = <R extends Resource>(start: () => Promise<R>): R => {
  let resource: R | undefined
  beforeAll(async () => {
    stops.push(async () => resource && stop(resource))
    resource = await start()
  })
  afterAll(() => stops.pop()?.())
  const started = (): R => {
    if (!resource) throw new Error('The resource starts before the first test, not while the file is loaded.')
    return resource
  }
  return new Proxy({} as R, {
    get: (_, name) => {
      const value: unknown = Reflect.get(started(), name)
      // A method of a class needs its instance. A function that is a field, such as `sql`, keeps its identity.
      return typeof value === 'function' && !Object.hasOwn(started(), name) ? value.bind(started()) : value
    },
    set: (_, name, value) => Reflect.set(started(), name, value),
  })
}

const stop = (resource: Resource): Promise<unknown> => ('stop' in resource ? resource.stop() : resource.drop())

const ends: (() => Promise<unknown>)[] = []

/** Ends a resource that all test files of a process share, after the last test. */
export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end)

/** Called by `preload.ts` after the last test. */
export const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end()
}
