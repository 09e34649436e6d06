/** Ends a command on Ctrl-C. */
import { watchOutput } from './output.ts'

export interface Interruption {
  signal: AbortSignal
  /** Stops listening for signals. */
  release(): void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Returns a signal that aborts on SIGINT, SIGTERM and SIGHUP, and if the output can no longer be written. */
export const createInterruption = (): Interruption => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const name of signals) process.on(name, abort)
  return {
    signal: AbortSignal.any([controller.signal, watchOutput()]),
    release: () => {
      for (const name of signals) process.off(name, abort)
    },
  }
}

/** Waits, or returns early if the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish, { once: true })
  })
