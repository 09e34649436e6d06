/** Lets a request be routed again when the cell that got it finds that the workspace has moved to another cell. */

const repeatable = new WeakSet<Request>()

/** Allows one repetition of a request. */
export const allowRepetition = (request: Request): void => {
  repeatable.add(request)
}

/** Returns whether a request may still be repeated. */
export const isRepeatable = (request: Request): boolean => repeatable.has(request)

/** Demands the repetition of a request. Returns false if it may not be repeated. */
export const demandRepetition = (request: Request): boolean => repeatable.delete(request)
