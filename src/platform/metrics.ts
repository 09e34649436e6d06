/** Metrics for Prometheus. Never counts a large table: every query of the database is an index lookup. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { cacheForSecond } from './cache-for-second.ts'

export class Metrics {
  readonly #registry = new Registry()
  readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Number of answered requests, by operation and status.',
    labelNames: ['method', 'path', 'status'] as const,
    registers: [this.#registry],
  })
  readonly ingestBatch = new Histogram({
    name: 'ingest_batch_events',
    help: 'Number of events per batch.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.#registry],
  })
  readonly rejectedBatches = new Counter({
    name: 'refused_batches_total',
    help: 'Number of batches of events, messages or deliveries that PostgreSQL rejected with an unexpected error, by SQLSTATE.',
    labelNames: ['sqlstate'] as const,
    registers: [this.#registry],
  })
  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Number of delivery attempts, by resulting status of the delivery.',
    labelNames: ['outcome'] as const,
    registers: [this.#registry],
  })
  readonly notifications = new Counter({
    name: 'notifications_total',
    help: 'Number of notifications received from PostgreSQL.',
    registers: [this.#registry],
  })

  constructor() {
    const { memoryUsage } = process
    this.gauge('process_resident_memory_bytes', 'Resident memory of this process.', () => memoryUsage.rss())
    this.gauge('process_heap_bytes', 'Heap memory used by JavaScript.', () => memoryUsage().heapUsed)
    this.gauge('process_uptime_seconds', 'Time since the start of this process.', () => process.uptime())
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'CPU time used by this process.',
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
  lags<Queue extends string>(read: () => Promise<{ due: Record<Queue, number>; receivers: number }>): void {
    const latest = cacheForSecond(read)
    new Gauge({
      name: 'due_lag_seconds',
      help: 'Age in seconds of the oldest due row that this service has not handled, by queue.',
      labelNames: ['queue'] as const,
      registers: [this.#registry],
      async collect() {
        this.reset()
        const lags = await orNull(latest())
        if (lags) for (const queue in lags.due) this.set({ queue }, lags.due[queue])
      },
    })
    new Gauge({
      name: 'receiver_lag_seconds',
      help: 'Age in seconds of the oldest due delivery whose receiver is slow, fails or has a limit.',
      registers: [this.#registry],
      async collect() {
        const lags = await orNull(latest())
        if (lags) this.set(lags.receivers)
        else this.remove()
      },
    })
  }

  /** Registers gauges for the permits in use and the waiting calls, by kind. */
  limiters(limiters: Record<string, { readonly held: number; readonly waiting: number }>): void {
    const register = (name: string, help: string, value: 'held' | 'waiting') =>
      new Gauge({
        name,
        help,
        labelNames: ['kind'] as const,
        registers: [this.#registry],
        collect() {
          for (const kind in limiters) this.set({ kind }, limiters[kind]![value])
        },
      })
    register('operations_in_progress', 'Number of API operations that have a connection, by kind.', 'held')
    register('operations_waiting', 'Number of API operations that wait for a connection, by kind.', 'waiting')
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

const orNull = <T>(reading: Promise<T>): Promise<T | null> => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), maxReadMs)
  return Promise.race([promise, reading.catch(() => null)]).finally(() => clearTimeout(timer))
}
