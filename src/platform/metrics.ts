/** Metrics for Prometheus. Never counts a large table: every query of the database is an index lookup. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { onceASecond } from './once-a-second.ts'

export class Metrics {
  readonly #registry = new Registry()
  readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['method', 'path', 'status'] as const,
    registers: [this.#registry],
  })
  readonly ingestBatch = new Histogram({
    name: 'ingest_batch_events',
    help: 'Events written in one batch.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.#registry],
  })
  readonly refusedBatches = new Counter({
    name: 'refused_batches_total',
    help: 'Batches of events, messages or deliveries that PostgreSQL refused with an unexpected error, by SQLSTATE.',
    labelNames: ['sqlstate'] as const,
    registers: [this.#registry],
  })
  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver, by what became of the delivery.',
    labelNames: ['outcome'] as const,
    registers: [this.#registry],
  })
  readonly notifications = new Counter({
    name: 'notifications_total',
    help: 'Notifications heard from PostgreSQL.',
    registers: [this.#registry],
  })

  constructor() {
    const { memoryUsage } = process
    this.gauge('process_resident_memory_bytes', 'Memory that this process holds.', () => memoryUsage.rss())
    this.gauge('process_heap_bytes', 'Of it, what JavaScript uses.', () => memoryUsage().heapUsed)
    this.gauge('process_uptime_seconds', 'Since this process started.', () => process.uptime())
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Processor time that this process has used.',
      registers: [this.#registry],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1e6)
      },
    })
  }

  /** Registers a gauge whose value is read on each scrape. */
  gauge(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await value())
      },
    })
  }

  /**
   * Registers gauges for the lag of each queue, and of deliveries that wait for their receivers, in seconds.
   *
   * `read` is called at most once per second, and never concurrently. While it fails or is slow, the values are absent
   * instead of old.
   */
  lags<Mailbox extends string>(read: () => Promise<{ due: Record<Mailbox, number>; receivers: number }>): void {
    const latest = onceASecond(read)
    new Gauge({
      name: 'due_lag_seconds',
      help: 'Age in seconds of the oldest due row that waits for this service, by mailbox.',
      labelNames: ['mailbox'] as const,
      registers: [this.#registry],
      async collect() {
        this.reset()
        const lags = await orAbsent(latest())
        if (lags) for (const mailbox in lags.due) this.set({ mailbox }, lags.due[mailbox])
      },
    })
    new Gauge({
      name: 'receiver_lag_seconds',
      help: 'Age in seconds of the oldest due delivery that waits for its receiver, because that is slow, fails or has a limit.',
      registers: [this.#registry],
      async collect() {
        const lags = await orAbsent(latest())
        if (lags) this.set(lags.receivers)
        else this.remove()
      },
    })
  }

  /** Registers gauges for the permits in use and the waiting calls, by kind. */
  lines(lenders: Record<string, { readonly lent: number; readonly waiting: number }>): void {
    const watched = (name: string, help: string, value: 'lent' | 'waiting') =>
      new Gauge({
        name,
        help,
        labelNames: ['kind'] as const,
        registers: [this.#registry],
        collect() {
          for (const kind in lenders) this.set({ kind }, lenders[kind]![value])
        },
      })
    watched('operations_under_way', 'Operations of the API that have a connection, by kind.', 'lent')
    watched('operations_waiting', 'Operations of the API that wait for a connection, by kind.', 'waiting')
  }

  async text(): Promise<{ text: string; contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType }
  }
}

/**
 * Maximum time of a read in milliseconds. A scraper has a short timeout, and needs the other values most while the
 * database does not respond.
 */
const maxReadMs = 2000

const orAbsent = <T>(reading: Promise<T>): Promise<T | null> => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), maxReadMs)
  return Promise.race([promise, reading.catch(() => null)]).finally(() => clearTimeout(timer))
}
