/** The one contract of everything that starts and stops, and the two ways in which such parts make a larger one. */

/** Anything that runs until told to stop. Both calls may be repeated, and stop() may come first: then nothing starts any more. */
export interface Part {
  readonly name: string
  /** What it is made of, where it is made of parts. */
  readonly parts?: readonly Part[]
  /** Returns once it works; throws when it cannot. */
  start(): Promise<void>
  /** Takes no new work and lets what is under way finish, until `deadline` aborts. Never throws. */
  stop(deadline: AbortSignal): Promise<void>
}

/** Parts that rest on those before them: started in their order, and stopped in the reverse one, each after the other. */
export const inOrder = (name: string, parts: readonly Part[]): Part => ({
  name,
  parts,
  start: () => startAll(parts),
  stop: async deadline => {
    for (const part of parts.toReversed()) await part.stop(deadline)
  },
})

/** Parts that are started in their order and stopped beside each other: none takes the time of another. */
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
 * A part made of what it does: for what is too small for a class. `start` runs once however often it is called, and so
 * does `stop`; a part that was stopped first never starts, and what `stop` throws is told to `onTrouble`.
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
