/**
 * Maintains stored secrets: encrypts those in plain text, deletes expired ones, and resumes channels whose credentials
 * can be decrypted again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import { goOnWithReadable } from '../domain/channels/index.ts'
import { forgetLapsedSecrets, forgetSecretsOfRemoved, sealClearSecrets } from '../domain/endpoints/index.ts'
import type { Seals } from '../domain/sealing.ts'
import type { Log } from '../platform/log.ts'
import { type Part, simplePart } from '../platform/part.ts'
import { inPages } from './prune.ts'

/** Milliseconds between two runs. Each run makes a few lookups in small indexes. */
const lookMs = 2000
const pageSize = 50

export interface SecretsDeps {
  sql: Database
  /** Null if there is no key. */
  seals: Seals | null
  log: Log
}

/** Runs from start to stop. */
export const lookingAfterSecrets = ({ sql, seals, log }: SecretsDeps): Part => {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let saidThatItWaits = false
  const look = async () => {
    await inPages(() => forgetLapsedSecrets(sql, pageSize))
    await inPages(() => forgetSecretsOfRemoved(sql, pageSize))
    if (seals === null) return
    const { sealed, left } = await sealClearSecrets(sql, seals)
    if (sealed > 0) log.info({ endpoints: sealed }, 'webhook secrets that were stored in clear are encrypted now')
    const waits = left === 'waiting'
    if (waits && !saidThatItWaits)
      log.warn(
        {},
        'webhook secrets stay in clear while a process of an older release, or without SECRETS_KEY, is running',
      )
    saidThatItWaits = waits
    const channels = await goOnWithReadable(sql, seals)
    if (channels > 0) log.info({ channels }, 'channels go on, as their credentials can be read again')
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A database error is ignored, because the next run tries again.
      await look().catch(error => log.debug({ error }, 'secrets could not be looked after'))
      await sleep(lookMs, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  return simplePart('what is kept sealed', {
    start: () => {
      running ??= run()
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  })
}
