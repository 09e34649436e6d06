import { readFileSync } from 'node:fs'

/** Ctrl-C may arrive twice, from the terminal and from the script runner between; so near together they are one. */
const sameSignalMs = 500

/**
 * Aborts at the first SIGTERM or SIGINT, or when the terminal is closed; a second one, later, ends the process at once with
 * status 1.
 */
export const stopRequested = (): AbortSignal => {
  const controller = new AbortController()
  let firstAt: number | null = null
  const onSignal = () => {
    firstAt ??= performance.now()
    controller.abort()
    if (performance.now() - firstAt > sameSignalMs) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  if (!outlivesTerminal()) process.on('SIGHUP', onSignal)
  return controller.signal
}

/** Started with `nohup`: the signal of a closed terminal is ignored, and is to stay so. */
const outlivesTerminal = (): boolean => {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    // No such file outside of Linux.
    return false
  }
}

/** Resolves once the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  )
