/** `health`: asks the service of this machine whether it lives; for containers, whose images hold no curl. */
import type { Config } from '../config.ts'

/** 0 when /healthz answers 200 within two seconds. */
export const health = async ({ host, port }: Config): Promise<number> => {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const named = local.includes(':') ? `[${local}]` : local
  try {
    const { ok } = await fetch(`http://${named}:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
    return ok ? 0 : 1
  } catch {
    return 1
  }
}
