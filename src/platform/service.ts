/** Interface of everything that starts and stops, two ways to combine such services, and two to create small ones. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Service that runs until it is stopped. Both methods may be called repeatedly. If `stop` is called first, the service
 * never starts.
 */
export interface Service {
  readonly name: string
  /** Services that it consists of, if any. */
  readonly services?: readonly Service[]
  /** Resolves when the service works; rejects if it cannot start. */
  start(): Promise<void>
  /** Accepts no new work, and waits for in-flight work until `deadline` aborts. Never throws. */
  stop(deadline: AbortSignal): Promise<void>
}

/**
 * Combines services that depend on the previous ones. They start sequentially and stop sequentially in reverse order.
 */
export const inSequence = (name: string, services: readonly Service[]): Service => ({
  name,
  services,
  start: () => startAll(services),
  stop: async deadline => {
    for (const service of services.toReversed()) await service.stop(deadline)
  },
})

/** Combines services that start sequentially and stop in parallel, so that none uses up the stop time of another. */
export const inParallel = (name: string, services: readonly Service[]): Service => ({
  name,
  services,
  start: () => startAll(services),
  stop: async deadline => {
    await Promise.all(services.map(service => service.stop(deadline)))
  },
})

const startAll = async (services: readonly Service[]): Promise<void> => {
  for (const service of services) await service.start()
}

/**
 * Creates a small service from functions. `start` and `stop` each run once, however often they are called; a `start` that
 * has failed can be repeated. A service that was stopped first never starts. Errors of `stop` are passed to `onError`.
 */
export const createService = (
  name: string,
  hooks: {
    start?: () => void | Promise<void>
    stop?: (deadline: AbortSignal) => void | Promise<void>
    onError?: (error: unknown) => void
  },
): Service => {
  let started: Promise<void> | null = null
  let stopped: Promise<void> | null = null
  const run = async () => hooks.start?.()
  const start = (): Promise<void> =>
    run().catch(error => {
      started = null
      throw error
    })
  const stop = async (deadline: AbortSignal) => {
    await started?.catch(() => {})
    await hooks.stop?.(deadline)
  }
  return {
    name,
    start: () => (stopped ? Promise.resolve() : (started ??= start())),
    stop: deadline => (stopped ??= stop(deadline).catch(error => hooks.onError?.(error))),
  }
}

/**
 * Creates a service that runs `work` until it is stopped, with a pause of `intervalMs` after each run. An error is
 * passed to `onError`, and the next run tries again.
 */
export const createLoop = (
  name: string,
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Service => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = async () => {
    while (!stopping.signal.aborted) {
      await work().catch(onError)
      await sleep(intervalMs, null, { signal: stopping.signal }).catch(() => {})
    }
  }
  return createService(name, {
    start: () => {
      running = run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  })
}
