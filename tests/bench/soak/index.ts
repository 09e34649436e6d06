/**
 * Measures a long run at half of the capacity, with faulty receivers, restarts of the service and of PostgreSQL, and a
 * failover to a standby in it. Writes the samples to `.data/soak.csv` and their chart to `docs/soak.svg`.
 */
import { join } from 'node:path'
import { verifyAll } from '../../../src/app/cli/verify.ts'
import { connect, type Database, withRetry } from '../../../src/platform/postgres/client.ts'
import { startPair } from '../../faults/standby.ts'
import { startProxy } from '../../platform/postgres/proxy.ts'
import { hang, respond, startReceiver } from '../../support/receiver.ts'
import { type BenchService, type Environment, newWorkspace } from '../environment.ts'
import { type Figure, figure, median, percentile } from '../figures.ts'
import { addSendingWorkflow } from '../latency.ts'
import { clock, projectFolder } from '../programs.ts'
import { chartOf, type Mark, type Sample, slopePerHour } from './chart.ts'

export const aboutSoak =
  'half of the capacity, which is measured first or given (`--rate`): events whose workflow writes, to a fast, a slow and a flapping endpoint, and one sale in 50 events to an endpoint that hangs and one that resets. The service restarts after each quarter, PostgreSQL after three eighths, and a standby takes over after five. Slopes are those of the second half of the time between two restarts.'

export interface SoakOptions {
  minutes: number
  /** Events per second. Null = half of the measured capacity. */
  rate: number | null
  note: (line: string) => void
}

const database = 'soak'
const settings = {
  ROLES: 'http,worker',
  WEBHOOK_RETRY_WAITS: '5s,10s,20s,30s,30s,30s,30s',
  WEBHOOK_TIMEOUT: '5s',
}
/** Time between two samples. Shorter in a short run. */
const sampleMs = 10_000
/** One of this number of events creates a sale instead of a message. */
const saleEvery = 50
const customers = 50_000
/** Maximum requests without an answer. The load pauses above it. */
const maxInFlight = 4000
/** Maximum time until everything is out at the end. */
const endMs = 900_000

/** Runs the soak and returns its figures. */
export const measureSoak = async (
  environment: Environment,
  _quick: boolean,
  { minutes, rate, note }: SoakOptions,
): Promise<Figure[]> => {
  await using soak = await startSoak(environment)
  const perSecond = rate ?? (await capacity(soak, minutes)) / 2
  note(`soak: ${perSecond.toFixed(0)} events/s for ${minutes} minutes`)
  await soak.misbehave()
  const load = startLoad(soak, perSecond)
  const from = performance.now()
  const seconds = () => (performance.now() - from) / 1000
  const samples: Sample[] = []
  const marks: Mark[] = []
  const every = Math.min(sampleMs, minutes * 1000)
  const sampling = setInterval(() => void sample(soak, load, seconds()).then(one => samples.push(one)), every)
  const actions: [part: number, name: string, act: () => Promise<unknown>][] = [
    [2, 'service restarts', soak.restartService],
    [3, 'PostgreSQL restarts', soak.restartPostgres],
    [4, 'service restarts', soak.restartService],
    [5, 'failover', soak.failOver],
    [6, 'service restarts', soak.restartService],
  ]
  try {
    for (const [part, name, act] of actions) {
      await untilSecond((part * minutes * 60) / 8, seconds)
      marks.push({ seconds: seconds(), name })
      await act()
      note(`soak: ${name} after ${marks.at(-1)!.seconds.toFixed(0)} s`)
    }
    await untilSecond(minutes * 60, seconds)
  } finally {
    clearInterval(sampling)
    await load.stop()
  }
  await soak.behave()
  const outFrom = performance.now()
  await untilAllIsOut(soak.sql)
  const outSeconds = (performance.now() - outFrom) / 1000
  await save(samples, marks)
  return figuresOf(samples, marks, await booksOf(soak.sql, load.recorded()), outSeconds, load.repeated(), perSecond)
}

const untilSecond = async (second: number, now: () => number): Promise<void> => {
  while (now() < second) await Bun.sleep(Math.min(1000, (second - now()) * 1000))
}

type Soak = Awaited<ReturnType<typeof startSoak>>

/** Starts two servers, the service and the receivers. */
const startSoak = async (environment: Environment) => {
  const pair = await startPair()
  const proxy = await startProxy(await pair.ensureDatabase(database))
  const [hanging, resetting] = await Promise.all([startReceiver(), startReceiver()])
  const fast = new URL(environment.receiver.url('/')).host
  const start = () =>
    environment.serviceWith({
      ...settings,
      DATABASE_URL: proxy.url,
      WEBHOOK_ALLOWED_PRIVATE_TARGETS: [fast, hanging.target, resetting.target].join(','),
    })
  let service: (BenchService & { stop(): Promise<void> }) | null = await start()
  const sql = connect({ url: proxy.url, applicationName: 'bench', maxStatementMs: 120_000 })
  const workspace = await newWorkspace(sql, service.url, 'soak')
  await addSendingWorkflow(workspace)
  await workspace.workflow('Sales', {
    trigger: { eventType: 'order.sold' },
    start: 'sold',
    steps: { sold: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', note: 'order', next: null } },
  })
  const subscribe = (url: string, type: string): Promise<{ id: string }> =>
    workspace.call('POST', '/v1/webhooks', { url, events: [type] })
  const main = await subscribe(environment.receiver.url('/fast'), 'message.status')
  await subscribe(environment.receiver.url('/slow/200'), 'message.status')
  const flapping = await subscribe(environment.receiver.url('/steady'), 'message.status')
  await subscribe(hanging.url, 'sale.created')
  await subscribe(resetting.url, 'sale.created')
  /** The service may have restarted at another port, so the owner's calls go to the current one. */
  const setFlapping = (path: string) => sql`
    update webhooks set url = ${environment.receiver.url(path)} where workspace_id = ${workspace.id} and id = ${flapping.id}`
  return {
    sql,
    workspace,
    main: main.id,
    service: () => service,
    misbehave: async () => {
      hanging.behave(hang())
      resetting.behave(socket => void socket.resetAndDestroy())
      await setFlapping('/flap')
    },
    behave: async () => {
      hanging.behave(respond())
      resetting.behave(respond())
      await setFlapping('/steady')
    },
    restartService: async () => {
      const stopping = service
      service = null
      await stopping?.stop()
      service = await start()
    },
    restartPostgres: () => pair.restart('fast'),
    failOver: async () => proxy.lead(await pair.failOver(database)),
    [Symbol.asyncDispose]: async () => {
      await service?.stop()
      await sql.end({ timeout: 1 })
      await Promise.all([hanging.stop(), resetting.stop(), proxy.stop()])
      await pair.stop()
    },
  }
}

/** Returns the events per second that the service handles to the end, with every receiver well. */
const capacity = async ({ workspace, service, sql }: Soak, minutes: number): Promise<number> => {
  const seconds = Math.min(60, Math.max(5, minutes * 4))
  const { answeredInAll, beganAt } = await workspace.record(service()!.port, { connections: 64, seconds })
  await untilAllIsOut(sql)
  return (answeredInAll * 1000) / (clock() - beganAt)
}

type Load = ReturnType<typeof startLoad>

/** Sends orders at this rate, each until it is recorded. */
const startLoad = ({ service, workspace }: Soak, perSecond: number) => {
  const tickMs = 10
  const headers = { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' }
  let [going, number, recorded, repeated] = [true, 0, 0, 0]
  let giveUpAt = Number.POSITIVE_INFINITY
  let waits: number[] = []
  const inFlight = new Set<Promise<void>>()
  const post = async (body: string): Promise<number | null> => {
    const url = service()?.url
    if (url === undefined) return null
    const response = await fetch(`${url}/v1/events`, { method: 'POST', headers, body }).catch(() => null)
    await response?.arrayBuffer().catch(() => null)
    return response?.status ?? null
  }
  const send = async (n: number): Promise<void> => {
    const type = n % saleEvery === 0 ? 'order.sold' : 'order.created'
    const phone = `+49152${String(n % customers).padStart(8, '0')}`
    const body = JSON.stringify({ type, phone, name: 'Ana', data: { total: 12.5 }, idempotencyKey: `soak-${n}` })
    for (;;) {
      const from = performance.now()
      const status = await post(body)
      if (status === 201 || status === 200) {
        waits.push(performance.now() - from)
        recorded++
        return
      }
      if (status !== null && status !== 503) throw new Error(`an event was answered with ${status}`)
      if (performance.now() > giveUpAt) throw new Error('an event was not recorded within 15 minutes after the end')
      repeated++
      await Bun.sleep(500)
    }
  }
  const run = async () => {
    const from = performance.now()
    let skipped = 0
    while (going) {
      const due = Math.floor(((performance.now() - from) * perSecond) / 1000) - skipped
      for (; number < due && inFlight.size < maxInFlight; ) {
        const sent: Promise<void> = send(++number).finally(() => inFlight.delete(sent))
        inFlight.add(sent)
      }
      skipped += Math.max(0, due - number)
      await Bun.sleep(tickMs)
    }
    await Promise.all(inFlight)
  }
  const done = run()
  return {
    recorded: () => recorded,
    repeated: () => repeated,
    /** Returns the waits of the calls since the last time. */
    takeWaits: () => {
      const taken = waits
      waits = []
      return taken
    },
    stop: () => {
      going = false
      giveUpAt = performance.now() + endMs
      return done
    },
  }
}

/** Values that cannot be read during a restart are null. */
const sample = async (soak: Soak, load: Load, seconds: number): Promise<Sample> => {
  const service = soak.service()
  const waits = load.takeWaits()
  const [metrics, firsts, sizes] = await Promise.all([
    service ? metricsOf(service) : null,
    firstAttempts(soak).catch(() => null),
    sizesOf(soak.sql).catch(() => null),
  ])
  const part = (values: number[] | null, share: number) =>
    values && values.length > 0 ? percentile(values, share) : null
  return {
    seconds,
    'resident memory, MiB': service && metrics ? await service.residentMiB() : null,
    'heap, MiB': metrics?.heapMiB ?? null,
    'call p50, ms': part(waits, 0.5),
    'call p99, ms': part(waits, 0.99),
    'event to first attempt p50, ms': part(firsts, 0.5),
    'event to first attempt p99, ms': part(firsts, 0.99),
    'oldest due row, s': metrics?.oldestSeconds ?? null,
    'write-ahead log, MiB': sizes?.walMiB ?? null,
    'database, MiB': sizes?.databaseMiB ?? null,
    'recorded events': load.recorded(),
  }
}

const metricsOf = async ({ url }: BenchService) => {
  const text = await fetch(`${url}/metrics`)
    .then(response => response.text())
    .catch(() => null)
  if (text === null) return null
  const valuesOf = (name: string) =>
    [...text.matchAll(new RegExp(`^\\w*${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  return {
    heapMiB: Math.max(...valuesOf('process_heap_bytes')) / 2 ** 20,
    oldestSeconds: Math.max(0, ...valuesOf('queue_oldest_age_seconds')),
  }
}

/** Returns the milliseconds from recent events to the first attempts at the fast endpoint. */
const firstAttempts = async ({ sql, workspace, main }: Soak): Promise<number[]> => {
  const rows = await sql<{ ms: number }[]>`
    select (1000 * extract(epoch from a.at - e.created_at))::double precision as ms
    from (select * from deliveries where workspace_id = ${workspace.id} and webhook_id = ${main}
      and id > uuidv7(interval '-10 seconds') order by id desc limit 2000) d
    join outbound_events o on o.workspace_id = d.workspace_id and o.id = d.event_id
    join events e on e.workspace_id = d.workspace_id and e.id = (o.data ->> 'eventId')::uuid
    join delivery_attempts a on a.workspace_id = d.workspace_id and a.delivery_id = d.id and a.number = 1`
  return rows.map(({ ms }) => ms)
}

const sizesOf = async (sql: Database) => {
  const [row] = await sql<{ walMiB: number; databaseMiB: number }[]>`
    select (pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1048576)::double precision as "walMiB",
      (pg_database_size(current_database()) / 1048576)::double precision as "databaseMiB"`
  return row!
}

const untilAllIsOut = async (sql: Database): Promise<void> => {
  const isOut = async () => {
    const [row] = await withRetry(
      async () => sql<{ out: boolean }[]>`
        select not exists (select from outbound_events where fanned_out_at is null)
          and not exists (select from deliveries where due_at is not null)
          and not exists (select from messages where due_at is not null)
          and not exists (select from workflow_runs where wake_at is not null) as out`,
    )
    return row!.out
  }
  for (const until = performance.now() + endMs; !(await isOut()); await Bun.sleep(200))
    if (performance.now() > until) throw new Error('not all is out after 15 minutes')
}

/** Returns the number of events that were confirmed and are missing, and the differences that `verify` finds. */
const booksOf = async (sql: Database, recorded: number) => {
  const [row] = await sql<{ events: number }[]>`
    select count(*)::integer as events from events where idempotency_key like 'soak-%'`
  const { differing } = await verifyAll(sql)
  const differences = Object.values(differing).reduce((sum, count) => sum + count, 0)
  return { recorded, lost: recorded - row!.events, differences }
}

const figuresOf = (
  samples: Sample[],
  marks: Mark[],
  books: Awaited<ReturnType<typeof booksOf>>,
  outSeconds: number,
  repeated: number,
  perSecond: number,
): Figure[] => {
  const starts = [0, ...marks.filter(({ name }) => name === 'service restarts').map(({ seconds }) => seconds)]
  const slope = (name: keyof Sample) => starts.map((from, life) => slopePerHour(samples, name, from, starts[life + 1]))
  const values = (name: keyof Sample) => samples.flatMap(one => one[name] ?? [])
  return [
    figure('soak', 'rate', 'events/s', [perSecond]),
    figure('soak', 'recorded', 'events', [books.recorded]),
    figure('soak', 'lost', 'events', [books.lost], null, median.atMost(0)),
    figure('soak', 'differences in the books', 'records', [books.differences], null, median.atMost(0)),
    figure('soak', 'requests that were sent again', 'requests', [repeated]),
    figure('soak', 'until all was out at the end', 's', [outSeconds]),
    figure('soak', 'p99 of the call', 'ms', values('call p99, ms')),
    figure('soak', 'p99 from event to first attempt', 'ms', values('event to first attempt p99, ms')),
    figure('soak', 'slope of the p99 of the call', 'ms/h', slope('call p99, ms')),
    figure('soak', 'slope of the resident memory', 'MiB/h', slope('resident memory, MiB')),
    figure('soak', 'slope of the heap', 'MiB/h', slope('heap, MiB')),
  ]
}

const save = async (samples: Sample[], marks: Mark[]): Promise<void> => {
  const names = Object.keys(samples[0] ?? {}) as (keyof Sample)[]
  const rows = samples.map(one => names.map(name => one[name] ?? '').join(','))
  const head = names.map(name => JSON.stringify(name)).join(',')
  await Bun.write(join(projectFolder, '.data/soak.csv'), `${[head, ...rows].join('\n')}\n`)
  await Bun.write(join(projectFolder, 'docs/soak.svg'), chartOf(samples, marks))
}
