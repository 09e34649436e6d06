/** Interface of everything that starts and stops, and two ways to combine such services. */

/**
 * Service that runs until it is stopped. Both methods may be called repeatedly. If `stop` is called first, the service
 * never starts.
 */
export interface Part {
  readonly name: string
  /** Services that it consists of, if any. */
  readonly parts?: readonly Part[]
  /** Resolves when the service works; rejects if it cannot start. */
  start(): Promise<void>
  /** Accepts no new work, and waits for in-flight work until `deadline` aborts. Never throws. */
  stop(deadline: AbortSignal): Promise<void>
}

/**
 * Combines services that depend on the previous ones. They start sequentially and stop sequentially in reverse order.
 */
export const inOrder = (name: string, parts: readonly Part[]): Part => ({
  name,
  parts,
  start: () => startAll(parts),
  stop: async deadline => {
    for (const part of parts.toReversed()) await part.stop(deadline)
  },
})

/** Combines services that start sequentially and stop in parallel, so that none uses up the stop time of another. */
export const sideBySide = (name: string, parts: readonly Part[]): Part => ({
  name,
  parts,
  start: () => startAll(parts),
  stop: async deadline => {
    await Promise.all(parts.map(part => part.stop(deadline)))
  },
})

const startAll = async (parts: readonly Part[]): Promise<void> => {
  for (const part of parts) await part.start()
}

/**
 * Creates a small service from functions. `start` and `stop` each run once, however often they are called. A service
 * that was stopped first never starts. Errors of `stop` are passed to `onTrouble`.
 */
export const simplePart = (
  name: string,
  does: {
    start?: () => void | Promise<void>
    stop?: (deadline: AbortSignal) => void | Promise<void>
    onTrouble?: (error: unknown) => void
  },
): Part => {
  let started: Promise<void> | null = null
  let stopped: Promise<void> | null = null
  const start = async () => does.start?.()
  const stop = async (deadline: AbortSignal) => {
    await started?.catch(() => {})
    await does.stop?.(deadline)
  }
  return {
    name,
    start: () => (stopped ? Promise.resolve() : (started ??= start())),
    stop: deadline => (stopped ??= stop(deadline).catch(error => does.onTrouble?.(error))),
  }
}
