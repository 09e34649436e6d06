/** Metrics for Prometheus. No query of the database counts a large table. docs/metrics.md lists all metrics. */
import { Counter, Gauge, Registry } from 'prom-client'
import { cacheForSecond } from './cache-for-second.ts'
import { Counters, type Distribution, Histograms, secondsBounds } from './distribution.ts'

/** Prefix of all names except the standard ones of a process. */
const prefix = 'engagement_'

const bounds = { ...secondsBounds, events: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] }

/** Methods that are counted by name. A client can send any other. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A pool of connections, for the metrics. */
export interface MeasuredPool {
  /** Waits for a connection in seconds. Missing if the pool does not measure them. */
  readonly waits?: Distribution
  /** Returns the number of connections in use and of idle ones. */
  counts(): { active: number; idle: number }
}

/** Metrics of the answers of an operation with one status. */
interface Answer {
  requests: { count: number }
  durations: Distribution
}

/** Version of the service, and the runtime. */
interface Build {
  version: string
  runtime: string
}

const outcomes = ['delivered', 'retrying', 'failed'] as const

export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.#counters<'method' | 'route' | 'status'>(
    'http_requests_total',
    'Number of answered requests, by operation or page, and status.',
  )
  readonly #durations = this.#histograms<'method' | 'route' | 'status'>(
    'http_request_duration_seconds',
    'Time from the arrival of a request to its answer, by operation or page, and class of the status.',
    bounds.short,
  )
  /** Metrics of answers by operation and status. */
  readonly #answers = new Map<string, Map<number, Answer>>()
  /** Seconds from the acceptance of an event to its commit. */
  readonly eventRecording = this.#histogram(
    'event_recording_seconds',
    'Time from the acceptance of an event to its commit.',
    bounds.short,
  )
  readonly ingestBatch = this.#histogram('ingest_batch_events', 'Number of events per batch.', bounds.events)
  readonly runLateness = this.#histogram(
    'run_lateness_seconds',
    'Time from when a run was due to when its next steps began.',
    bounds.long,
  )
  readonly firstAttemptDelay = this.#histogram(
    'first_attempt_delay_seconds',
    'Time from an outbound event to the first attempt of each of its deliveries.',
    bounds.long,
  )
  readonly #attemptDurations = this.#histograms<'outcome'>(
    'delivery_attempt_duration_seconds',
    'Duration of a delivery attempt, by resulting status of the delivery.',
    bounds.short,
  )
  readonly messageHandover = this.#histogram(
    'message_handover_seconds',
    'Time from when a message was queued to when it was handed to the provider that accepted it.',
    bounds.long,
  )
  readonly #connectionWaits = this.#histograms<'pool'>(
    'connection_wait_seconds',
    'Time that a query or an operation waited for a connection, by pool.',
    bounds.short,
  )
  readonly #deliveries = this.#counters<'outcome'>('deliveries_total', 'Number of ended deliveries, by outcome.')
  readonly retries = this.#counter('delivery_retries_total', 'Number of delivery attempts after the first.')
  readonly #rejectedEvents = this.#counters<'code'>(
    'rejected_events_total',
    'Number of rejected events, by error code.',
  )
  readonly #rejectedBatches = this.#counters<'sqlstate'>(
    'rejected_batches_total',
    'Number of batches of events, messages or deliveries that PostgreSQL rejected with an unexpected error, by SQLSTATE.',
  )
  readonly rateLimited = this.#counter('rate_limited_calls_total', 'Number of calls rejected by a rate limit.')
  readonly notifications = this.#counter('notifications_total', 'Number of notifications received from PostgreSQL.')

  /**
   * `cell` is a label of all metrics, or null for none. Without `build`, they lack those of the process, which another
   * cell reports.
   */
  constructor({ build, cell = null }: { build: Build | null; cell?: string | null }) {
    if (cell !== null) this.#registry.setDefaultLabels({ cell })
    if (build !== null) this.#addProcess(build)
    // A series that exists from the start has a rate as soon as its first value is counted.
    for (const outcome of outcomes) this.#attempts(outcome)
    for (const outcome of ['delivered', 'failed', 'dropped']) this.#deliveriesOf(outcome)
  }

  #addProcess({ version, runtime }: Build): void {
    const { memoryUsage } = process
    this.#gauge('process_resident_memory_bytes', 'Resident memory of this process.', () => memoryUsage.rss())
    this.#gauge('process_heap_bytes', 'Heap memory used by JavaScript.', () => memoryUsage().heapUsed)
    this.#gauge('process_uptime_seconds', 'Time since the start of this process.', () => process.uptime())
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
    const build = new Gauge({
      name: `${prefix}build_info`,
      help: 'Always 1. The labels are the version of the service and the runtime.',
      labelNames: ['version', 'runtime'] as const,
      registers: [this.#registry],
    })
    build.set({ version, runtime }, 1)
  }

  /** Records an answered request. `route` is null without an operation or a page. `ms` is the duration. */
  recordRequest(method: string, route: string | null, status: number, ms: number): void {
    const name = methods.has(method) ? method : 'other'
    const answers = this.#answersOf(name, route ?? 'none')
    let answer = answers.get(status)
    if (answer === undefined) {
      answer = this.#newAnswer(name, route ?? 'none', status)
      answers.set(status, answer)
    }
    answer.requests.count++
    answer.durations.observe(ms / 1000)
  }

  #answersOf(method: string, route: string): Map<number, Answer> {
    const key = `${method} ${route}`
    const known = this.#answers.get(key)
    if (known) return known
    const answers = new Map<number, Answer>()
    this.#answers.set(key, answers)
    return answers
  }

  #newAnswer(method: string, route: string, status: number): Answer {
    const kind = `${Math.floor(status / 100)}xx`
    return {
      requests: this.#requests.of(`${method} ${route} ${status}`, () => ({ method, route, status: `${status}` })),
      durations: this.#durations.of(`${method} ${route} ${kind}`, () => ({ method, route, status: kind })),
    }
  }

  /** Records an attempt with the new status of its delivery: delivered, retrying or failed. `number` starts at 1. */
  recordAttempt({ status, number, durationMs }: { status: string; number: number; durationMs: number }): void {
    this.#attempts(status).observe(durationMs / 1000)
    if (number > 1) this.retries.count++
    if (status !== 'retrying') this.#deliveriesOf(status).count++
  }

  /** Records deliveries that ended because their endpoint was deleted. */
  recordDropped(count: number): void {
    this.#deliveriesOf('dropped').count += count
  }

  recordRejectedEvent(code: string): void {
    this.#rejectedEvents.of(code, () => ({ code })).count++
  }

  recordRejectedBatch(sqlstate: string): void {
    this.#rejectedBatches.of(sqlstate, () => ({ sqlstate })).count++
  }

  #attempts(outcome: string): Distribution {
    return this.#attemptDurations.of(outcome, () => ({ outcome }))
  }

  #deliveriesOf(outcome: string): { count: number } {
    return this.#deliveries.of(outcome, () => ({ outcome }))
  }

  /** Registers a gauge whose value is read on each scrape. It is absent while the value is null. `name` has no prefix. */
  gauge(name: string, help: string, value: () => number | null | Promise<number>): void {
    this.#gauge(`${prefix}${name}`, help, value)
  }

  #gauge(name: string, help: string, value: () => number | null | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        const now = await value()
        if (now === null) this.remove()
        else this.set(now)
      },
    })
  }

  /** Registers a gauge with one label. `read` returns the value of each label value. */
  gaugeBy(name: string, help: string, label: string, read: () => Record<string, number>): void {
    new Gauge({
      name: `${prefix}${name}`,
      help,
      labelNames: [label],
      registers: [this.#registry],
      collect() {
        for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value)
      },
    })
  }

  /**
   * Registers gauges for the depth and the age of each queue, and for the age of rows that wait for their receivers, in
   * seconds.
   *
   * Both are read at most once per second, and never concurrently. While a read fails or is slow, its values are absent
   * instead of old.
   */
  queues({ ages, depths }: QueueReads): void {
    const latestAges = cacheForSecond(ages)
    this.#queueGauge(
      'queue_oldest_age_seconds',
      'Age in seconds of the oldest due row that this service has not handled, by queue.',
      async () => (await latestAges()).due,
    )
    this.#queueGauge(
      'queue_depth',
      'Number of rows that wait in a queue, also those due later. Counted up to 10000.',
      cacheForSecond(depths),
    )
    this.#queueGauge(
      'receiver_oldest_age_seconds',
      'Age in seconds of the oldest due row whose receiver is slow, fails, pauses or has a limit, by queue.',
      async () => (await latestAges()).receivers,
    )
  }

  #queueGauge(name: string, help: string, read: () => Promise<object>): void {
    new Gauge({
      name: `${prefix}${name}`,
      help,
      labelNames: ['queue'] as const,
      registers: [this.#registry],
      async collect() {
        this.reset()
        const values = await orNull(read())
        if (values) for (const [queue, value] of Object.entries(values)) this.set({ queue }, value)
      },
    })
  }

  /** Registers the connections of each pool and the waits for them. */
  connections(pools: Readonly<Record<string, MeasuredPool>>): void {
    for (const [pool, { waits }] of Object.entries(pools)) if (waits) this.#connectionWaits.add({ pool }, waits)
    new Gauge({
      name: `${prefix}connections`,
      help: 'Number of open connections to PostgreSQL, by pool and state.',
      labelNames: ['pool', 'state'] as const,
      registers: [this.#registry],
      collect() {
        for (const [pool, { counts }] of Object.entries(pools))
          for (const [state, count] of Object.entries(counts())) this.set({ pool, state }, count)
      },
    })
  }

  /** Registers gauges for the permits in use and the waiting calls, by kind. */
  limiters(limiters: Record<string, { readonly held: number; readonly waiting: number }>): void {
    const read = (value: 'held' | 'waiting') => () =>
      Object.fromEntries(Object.entries(limiters).map(([kind, limiter]) => [kind, limiter[value]]))
    const help = (what: string) => `Number of API operations that ${what} a connection, by kind.`
    this.gaugeBy('operations_in_progress', help('have'), 'kind', read('held'))
    this.gaugeBy('operations_waiting', help('wait for'), 'kind', read('waiting'))
  }

  async text(): Promise<{ text: string; contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType }
  }

  #histogram(name: string, help: string, buckets: readonly number[]): Distribution {
    return this.#histograms<never>(name, help, buckets).of('', () => ({}) as Record<never, string>)
  }

  #histograms<Label extends string>(name: string, help: string, buckets: readonly number[]): Histograms<Label> {
    const family = new Histograms<Label>(`${prefix}${name}`, help, buckets)
    this.#registry.registerMetric(family.metric)
    return family
  }

  #counter(name: string, help: string): { count: number } {
    return this.#counters<never>(name, help).of('', () => ({}) as Record<never, string>)
  }

  #counters<Label extends string>(name: string, help: string): Counters<Label> {
    const family = new Counters<Label>(`${prefix}${name}`, help)
    this.#registry.registerMetric(family.metric)
    return family
  }
}

/** Returns the metrics of several cells as one page: each metric once, with the values of all cells below it. */
export const mergeMetrics = async (all: readonly Metrics[]): Promise<{ text: string; contentType: string }> => {
  const [first, ...others] = await Promise.all(all.map(metrics => metrics.text()))
  if (others.length === 0) return first!
  const families = new Map<string, string>()
  for (const { text } of [first!, ...others])
    for (const family of text.trimEnd().split('\n\n')) {
      // The first line is "# HELP name text".
      const name = family.split(' ', 3)[2]!
      const known = families.get(name)
      families.set(name, known === undefined ? family : `${known}\n${valuesOf(family)}`)
    }
  return { text: `${[...families.values()].join('\n\n')}\n`, contentType: first!.contentType }
}

const valuesOf = (family: string): string =>
  family
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')

/** Reads of the queues. `due`, `receivers` and the depths are by queue. */
interface QueueReads {
  ages: () => Promise<{ due: object; receivers: object }>
  depths: () => Promise<object>
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
