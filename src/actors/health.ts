/** How endpoints do, gathered from what their attempts came to and written down once a second, where there is anything to say. */
import type { Conduct } from '../domain/endpoints/index.ts'
import type { Log } from '../platform/log.ts'
import { type Part, simplePart } from '../platform/part.ts'

/** One that answers again and again needs no writing down; of any other this is how late it may be. */
const flushMs = 1000
/** Endpoints that are kept in mind; beyond them the one that was told of longest ago is forgotten. */
const maxKnown = 10_000
/** Most of them written down by one statement. */
const maxAtOnce = 500

/** What became of an attempt. */
interface Told {
  delivered: boolean
  /** When it began. */
  at: Date
  statusCode: number | null
  error: string | null
}

interface Known {
  workspaceId: string
  /** Its last attempt failed, by what is written down or is about to be. */
  failing: boolean
  succeededAt: Date | null
  /** To be written down; null where nothing is. */
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

  /** What was read of the endpoint. It counts unless this process knows better. */
  learn(workspaceId: string, id: string, failing: boolean): void {
    const known = this.#of(workspaceId, id)
    if (known.news === null) known.failing = failing
  }

  /** An attempt has ended. */
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

  /** Writes down what there is to say; what could not be written is tried again the next time. */
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

  /** In front of what was told since. */
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

/** Writes it down for as long as it is started, and once more as it stops. */
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
