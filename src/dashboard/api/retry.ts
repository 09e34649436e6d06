/** Repeats requests that the API asks to send later. */
import { Failure } from './client.ts'

/** Maximum number of times that a request is sent. */
const maxTries = 5

/** Waits, or returns early if the signal is aborted. */
const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })

/**
 * Sends a request. If the response has `Retry-After`, sends it again after that time, at most 5 times in total. Throws
 * the last error, immediately if the signal is aborted.
 */
export const withRetryAfter = async <Result>(
  request: () => Promise<Result>,
  signal?: AbortSignal | undefined,
): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await request()
    } catch (error) {
      const retryAfter = error instanceof Failure ? error.retryAfter : null
      if (retryAfter === null || tries === maxTries || signal?.aborted) throw error
      await wait(retryAfter * 1000, signal)
      if (signal?.aborted) throw error
    }
  }
}
