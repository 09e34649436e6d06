/** Collects the health of endpoints from their attempts and writes changes once a second. */
import { LRUCache } from 'lru-cache'
import type { Log } from '../../platform/log.ts'
import { createService, type Service } from '../../platform/service.ts'
import type { EndpointHealthSample } from '../../webhooks/endpoints/index.ts'

/**
 * Write interval in milliseconds. An endpoint that keeps succeeding is not written; other changes are written at most
 * this late.
 */
const flushMs = 1000
/** Maximum number of endpoints remembered. The oldest entry is dropped first. */
const maxEndpoints = 10_000
/** Maximum number of endpoints written by one statement. */
const pageSize = 500

/** Result of an attempt. */
interface AttemptResult {
  delivered: boolean
  /** Start time of the attempt. */
  at: Date
  statusCode: number | null
  error: string | null
}

interface EndpointHealth {
  workspaceId: string
  /** Whether the last attempt failed, including changes that are not written yet. */
  failing: boolean
  succeededAt: Date | null
  /** Changes to write, or null if there are none. */
  change: HealthChange | null
}

interface HealthChange {
  succeeded: boolean
  failed: number
  firstFailedAt: Date | null
  lastFailure: { at: Date; statusCode: number | null; error: string | null } | null
}

type SaveHealth = (
  samples: EndpointHealthSample[],
) => PromiseLike<readonly { workspaceId: string; webhookId: string }[]>

export class HealthRecorder {
  readonly #endpoints = new LRUCache<string, EndpointHealth>({
    max: maxEndpoints,
    dispose: (_, id) => this.#changed.delete(id),
  })
  readonly #changed = new Set<string>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(
    private readonly save: SaveHealth,
    private readonly log: Log,
  ) {}

  /** Sets the state that was read from the database. Ignored while this process has newer changes. */
  setInitialHealth(workspaceId: string, id: string, failing: boolean): void {
    const known = this.#getHealth(workspaceId, id)
    if (known.change === null) known.failing = failing
  }

  /** Records the end of an attempt. */
  recordAttempt(workspaceId: string, id: string, { delivered, at, statusCode, error }: AttemptResult): void {
    const known = this.#getHealth(workspaceId, id)
    if (delivered) {
      known.succeededAt = at
      if (!known.failing) return
      known.failing = false
      known.change = { succeeded: true, failed: 0, firstFailedAt: null, lastFailure: known.change?.lastFailure ?? null }
    } else {
      known.failing = true
      known.change ??= { succeeded: false, failed: 0, firstFailedAt: null, lastFailure: null }
      known.change.failed++
      known.change.firstFailedAt ??= at
      known.change.lastFailure = { at, statusCode, error }
    }
    this.#changed.add(id)
  }

  /** Writes pending changes. Changes that could not be written are retried at the next flush. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    const ids = [...this.#changed].slice(0, pageSize)
    const changes = ids.flatMap(id => this.#takeChange(id))
    if (changes.length === 0) return
    try {
      const held = await this.save(changes.map(({ sample }) => sample))
      for (const endpoint of held) this.log.warn(endpoint, 'webhook endpoint put on hold: all attempts failed for days')
    } catch (error) {
      for (const one of changes) this.#restoreChange(one)
      this.log.warn({ error }, 'endpoint health could not be saved; retrying')
    }
  }

  #takeChange(id: string): { id: string; change: HealthChange; sample: EndpointHealthSample }[] {
    this.#changed.delete(id)
    const known = this.#endpoints.get(id)
    const change = known?.change
    if (!known || !change) return []
    known.change = null
    const { workspaceId, succeededAt } = known
    const sample = { workspaceId, webhookId: id, succeededAt, ...change }
    return [{ id, change, sample }]
  }

  /** Merges changes that could not be written with the newer ones. */
  #restoreChange({ id, change }: { id: string; change: HealthChange }): void {
    const known = this.#endpoints.get(id)
    if (!known) return
    const newer = known.change
    if (newer === null) known.change = change
    else if (newer.succeeded) newer.lastFailure ??= change.lastFailure
    else {
      newer.succeeded = change.succeeded
      newer.failed += change.failed
      newer.firstFailedAt = change.firstFailedAt ?? newer.firstFailedAt
    }
    this.#changed.add(id)
  }

  #getHealth(workspaceId: string, id: string): EndpointHealth {
    const known = this.#endpoints.get(id)
    if (known) return known
    const fresh: EndpointHealth = { workspaceId, failing: false, succeededAt: null, change: null }
    this.#endpoints.set(id, fresh)
    return fresh
  }
}

/** Writes health changes once a second while started, and a last time on stop. */
export const healthFlusher = (recorder: HealthRecorder): Service => {
  let timer: ReturnType<typeof setInterval> | undefined
  return createService('endpoint health', {
    start: () => {
      timer = setInterval(() => recorder.flush(), flushMs)
    },
    stop: () => {
      clearInterval(timer)
      return recorder.flush()
    },
  })
}
