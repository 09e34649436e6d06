/** `health`: asks the service of this machine whether it lives; for containers, whose images hold no curl. */
import type { Config } from '../config.ts'
import { runtime } from '../platform/runtime.ts'

const maxAnswerMs = 2000

/** 0 when the service lives; otherwise 1, and one sentence on standard error. */
export const health = async (config: Config): Promise<number> => {
  const problem = await healthProblem(config)
  if (problem === null) return 0
  process.stderr.write(`${problem}\n`)
  return 1
}

/** Why the service cannot be said to live, in one sentence; null when /healthz answers 200 within two seconds. */
export const healthProblem = async ({ host, port }: Config): Promise<string | null> => {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}/healthz`
  try {
    const { ok, status } = await runtime.fetchDirectly(url, { signal: AbortSignal.timeout(maxAnswerMs) })
    return ok ? null : `${url} was answered with ${status}.`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return `${url} was not answered within ${maxAnswerMs / 1000} seconds.`
    return `${url} was not answered: no service can be reached there (HOST, PORT).`
  }
}
