/** Lets a request be routed again when the cell that got it finds that its workspace is in another cell. */

const repeatable = new WeakSet<Request>()

/** Allows one repetition of a request. */
export const allowRepetition = (request: Request): void => {
  repeatable.add(request)
}

/** Returns whether a request may still be repeated. */
export const isRepeatable = (request: Request): boolean => repeatable.has(request)

/** Demands the repetition of a request. Returns false if it may not be repeated. */
export const demandRepetition = (request: Request): boolean => repeatable.delete(request)

const routedByWorkspace = new WeakSet<Request>()

/** Notes that a request was routed to the cell of its workspace, and may be answered only there. */
export const noteRoutedByWorkspace = (request: Request): void => {
  routedByWorkspace.add(request)
}

/** Returns whether a request may be answered only in the cell of its workspace. */
export const isRoutedByWorkspace = (request: Request): boolean => routedByWorkspace.has(request)
