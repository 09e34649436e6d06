import { readFileSync } from 'node:fs'
import { watchOutput } from './client/output.ts'

/**
 * Milliseconds within which a second signal is ignored. Ctrl-C may arrive twice, from the terminal and from the script
 * runner.
 */
const sameSignalMs = 500

/**
 * Returns a signal that aborts on the first SIGTERM or SIGINT, or when the terminal is closed. A later second signal
 * ends the process immediately with status 1.
 */
export const createStopSignal = (): AbortSignal => {
  const controller = new AbortController()
  let firstAt: number | null = null
  const onSignal = () => {
    firstAt ??= performance.now()
    controller.abort()
    if (performance.now() - firstAt > sameSignalMs) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  if (!ignoresHangup()) process.on('SIGHUP', onSignal)
  return controller.signal
}

/** Returns a signal for a command that prints repeatedly. It also aborts when the output can no longer be written. */
export const createPrintSignal = (): AbortSignal => AbortSignal.any([createStopSignal(), watchOutput()])

/** Returns whether SIGHUP is ignored, because the process was started with `nohup`. It must then stay ignored. */
const ignoresHangup = (): boolean => {
  try {
    const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    // The file only exists on Linux.
    return false
  }
}

/** Resolves once the signal is aborted. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  )
