/** Ctrl-C may arrive twice, from the terminal and from the script runner between; so near together they are one. */
const sameSignalMs = 500

/** Aborts at the first SIGTERM or SIGINT; a second one, later, ends the process at once with status 1. */
export const stopRequested = (): AbortSignal => {
  const controller = new AbortController()
  let firstAt: number | null = null
  const onSignal = () => {
    firstAt ??= performance.now()
    controller.abort()
    if (performance.now() - firstAt > sameSignalMs) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  return controller.signal
}

/** Resolves once the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  )
