/** Collects the health of endpoints from their attempts and writes changes once a second. */
import type { Conduct } from '../domain/endpoints/index.ts'
import type { Log } from '../platform/log.ts'
import { type Part, simplePart } from '../platform/part.ts'

/**
 * Write interval in milliseconds. An endpoint that keeps succeeding is not written; other changes are written at most
 * this late.
 */
const flushMs = 1000
/** Maximum number of endpoints remembered. The oldest entry is dropped first. */
const maxKnown = 10_000
/** Maximum number of endpoints written by one statement. */
const maxAtOnce = 500

/** Result of an attempt. */
interface Told {
  delivered: boolean
  /** Start time of the attempt. */
  at: Date
  statusCode: number | null
  error: string | null
}

interface Known {
  workspaceId: string
  /** Whether the last attempt failed, including changes that are not written yet. */
  failing: boolean
  succeededAt: Date | null
  /** Changes to write, or null if there are none. */
  news: News | null
}

interface News {
  succeeded: boolean
  failed: number
  firstFailedAt: Date | null
  lastFailure: { at: Date; statusCode: number | null; error: string | null } | null
}

type Record = (conducts: Conduct[]) => PromiseLike<readonly { workspaceId: string; webhookId: string }[]>

export class HealthLedger {
  readonly #known = new Map<string, Known>()
  readonly #news = new Set<string>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(
    private readonly record: Record,
    private readonly log: Log,
  ) {}

  /** Sets the state that was read from the database. Ignored while this process has newer changes. */
  learn(workspaceId: string, id: string, failing: boolean): void {
    const known = this.#of(workspaceId, id)
    if (known.news === null) known.failing = failing
  }

  /** Records the end of an attempt. */
  tell(workspaceId: string, id: string, { delivered, at, statusCode, error }: Told): void {
    const known = this.#of(workspaceId, id)
    if (delivered) {
      known.succeededAt = at
      if (!known.failing) return
      known.failing = false
      known.news = { succeeded: true, failed: 0, firstFailedAt: null, lastFailure: known.news?.lastFailure ?? null }
    } else {
      known.failing = true
      known.news ??= { succeeded: false, failed: 0, firstFailedAt: null, lastFailure: null }
      known.news.failed++
      known.news.firstFailedAt ??= at
      known.news.lastFailure = { at, statusCode, error }
    }
    this.#news.add(id)
  }

  /** Writes pending changes. Changes that could not be written are retried at the next flush. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    const ids = [...this.#news].slice(0, maxAtOnce)
    const taken = ids.flatMap(id => this.#take(id))
    if (taken.length === 0) return
    try {
      const held = await this.record(taken.map(({ conduct }) => conduct))
      for (const endpoint of held)
        this.log.warn(endpoint, 'every attempt of a webhook endpoint has failed for days; its deliveries wait')
    } catch (error) {
      for (const one of taken) this.#giveBack(one)
      this.log.warn({ error }, 'how endpoints do could not be written down; it is tried again')
    }
  }

  #take(id: string): { id: string; news: News; conduct: Conduct }[] {
    this.#news.delete(id)
    const known = this.#known.get(id)
    const news = known?.news
    if (!known || !news) return []
    known.news = null
    const { workspaceId, succeededAt } = known
    const conduct = { workspaceId, webhookId: id, succeededAt, ...news }
    return [{ id, news, conduct }]
  }

  /** Merges changes that could not be written with the newer ones. */
  #giveBack({ id, news }: { id: string; news: News }): void {
    const known = this.#known.get(id)
    if (!known) return
    const since = known.news
    if (since === null) known.news = news
    else if (since.succeeded) since.lastFailure ??= news.lastFailure
    else {
      since.succeeded = news.succeeded
      since.failed += news.failed
      since.firstFailedAt = news.firstFailedAt ?? since.firstFailedAt
    }
    this.#news.add(id)
  }

  #of(workspaceId: string, id: string): Known {
    const known = this.#known.get(id)
    if (known) return known
    if (this.#known.size >= maxKnown) this.#forgetOne()
    const fresh: Known = { workspaceId, failing: false, succeededAt: null, news: null }
    this.#known.set(id, fresh)
    return fresh
  }

  #forgetOne(): void {
    const oldest = this.#known.keys().next().value!
    this.#known.delete(oldest)
    this.#news.delete(oldest)
  }
}

/** Writes health changes once a second while started, and a last time on stop. */
export const keepingHealth = (ledger: HealthLedger): Part => {
  let timer: ReturnType<typeof setInterval> | undefined
  return simplePart('health of endpoints', {
    start: () => {
      timer = setInterval(() => ledger.flush(), flushMs)
    },
    stop: () => {
      clearInterval(timer)
      return ledger.flush()
    },
  })
}
