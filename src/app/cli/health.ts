/** `health`: checks the service on this machine. It is for containers, whose images contain no curl. */
import type { Config } from '../../config.ts'
import { runtime } from '../../platform/runtime.ts'

const timeoutMs = 2000

/** Returns 0 if the service is alive. Otherwise prints one sentence to standard error and returns 1. */
export const health = async (config: Config): Promise<number> => {
  const problem = await healthProblem(config)
  if (problem === null) return 0
  process.stderr.write(`${problem}\n`)
  return 1
}

/** Returns null if /healthz answers 200 within two seconds, and otherwise the problem in one sentence. */
export const healthProblem = async ({ host, port }: Config): Promise<string | null> => {
  const localHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}/healthz`
  try {
    const { ok, status } = await runtime.fetchDirectly(url, { signal: AbortSignal.timeout(timeoutMs) })
    return ok ? null : `${url} responded with status ${status}.`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return `${url} did not respond within ${timeoutMs / 1000} seconds.`
    return `${url} is not reachable. Check HOST and PORT.`
  }
}
