/**
 * `bun run bench [--quick] [latency] [outbound] [slow] [delivery] [restart] [ingest] [inbound] [runs] [waits]
 * [campaign] [reads] [filled] [retention] [streams] [dashboard]`: measures the speed of the service on this machine.
 * `bun run bench soak [--minutes 60] [--rate <events/s>]` and `CITUS_PREFIX=<folder> bun run bench citus` run only on
 * request. Each figure is compared with what the machine can do, measured alternately in the same run. Prints a table and
 * writes the same figures to .data/bench.json. Verifies the records after each measurement, and exits with 1 if they differ.
 */
import { mkdir } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { selectWorkspaces } from '../../src/accounts/workspaces/index.ts'
import { type CheckName, checkNames, verifyWorkspace } from '../../src/insights/verify/index.ts'
import { citusPrefix } from '../cells/cluster.ts'
import { aboutCampaign, measureCampaign } from './campaign.ts'
import { aboutCitus, measureCitus } from './citus.ts'
import { aboutDashboard, measureDashboard } from './dashboard.ts'
import { aboutDelivery, measureDelivery } from './delivery.ts'
import { type Environment, startEnvironment } from './environment.ts'
import { type Figure, figure, median, tableOf } from './figures.ts'
import { aboutFilled, measureFilled } from './filled.ts'
import { aboutInbound, measureInbound } from './inbound.ts'
import { aboutIngest, measureGrown, measureIngest, measureLimits } from './ingest.ts'
import { aboutLatency, measureHangingNeighbour, measureMainJobLatency, measureOutboundLatency } from './latency.ts'
import { aboutOutbound, measureOptOuts, measureWholeWay } from './outbound.ts'
import { projectFolder } from './programs.ts'
import { aboutReads, measureReads } from './reads.ts'
import { aboutRestart, measureRestart } from './restart.ts'
import { aboutRetention, measureRetention } from './retention.ts'
import { aboutRuns, measureRuns } from './runs.ts'
import { aboutSlow, measureManyHanging, measureSlowReceivers } from './slow.ts'
import { aboutSoak, measureSoak, type SoakOptions } from './soak/index.ts'
import { aboutStreams, measureStreams } from './streams.ts'
import { aboutWaits, measureDueAtOnce, measureWaiting } from './waits.ts'

type Measure = (environment: Environment, quick: boolean, soak: SoakOptions) => Promise<Figure[]>

const measurements: Record<string, [about: string, ...parts: Measure[]]> = {
  latency: [aboutLatency, measureOutboundLatency, measureMainJobLatency, measureHangingNeighbour],
  outbound: [aboutOutbound, measureOptOuts, measureWholeWay],
  slow: [aboutSlow, measureSlowReceivers, measureManyHanging],
  delivery: [aboutDelivery, measureDelivery],
  restart: [aboutRestart, measureRestart],
  ingest: [aboutIngest, measureIngest, measureLimits, measureGrown],
  inbound: [aboutInbound, measureInbound],
  runs: [aboutRuns, measureRuns],
  waits: [aboutWaits, measureWaiting, measureDueAtOnce],
  campaign: [aboutCampaign, measureCampaign],
  reads: [aboutReads, measureReads],
  filled: [aboutFilled, measureFilled],
  retention: [aboutRetention, measureRetention],
  streams: [aboutStreams, measureStreams],
  dashboard: [aboutDashboard, measureDashboard],
  soak: [aboutSoak, measureSoak],
  citus: [aboutCitus, measureCitus],
}

/** Kinds of records that a measurement inserts without their counters or related records. They are not verified. */
const inserted: Record<string, readonly CheckName[]> = {
  ingest: ['counters'],
  waits: ['runs', 'counters'],
  reads: ['counters'],
  retention: ['counters'],
  dashboard: ['counters'],
}

/** Measurements that run only if they are named: one takes an hour, and one needs a PostgreSQL with Citus. */
const onRequest = ['soak', 'citus']

const note = (line: string) => process.stderr.write(`${line}\n`)

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean' }, minutes: { type: 'string' }, rate: { type: 'string' } },
  })
  const unknown = positionals.find(name => !Object.hasOwn(measurements, name))
  if (unknown !== undefined) {
    note(`There is no measurement "${unknown}"; there are ${Object.keys(measurements).join(', ')}.`)
    return 2
  }
  const all = Object.keys(measurements).filter(name => !onRequest.includes(name))
  const names = positionals.length > 0 ? positionals : all
  if (names.includes('citus') && citusPrefix === null) {
    note('The measurement "citus" needs CITUS_PREFIX, a folder with a PostgreSQL 18 that has Citus 14.')
    return 2
  }
  const soak = {
    minutes: Number(values.minutes ?? 60),
    rate: values.rate === undefined ? null : Number(values.rate),
    note,
  }
  const loadBefore = loadavg()[0] ?? 0
  const environment = await startEnvironment(note)
  const stop = () => void environment.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    const figures = await measureAll(environment, names, values.quick ?? false, soak)
    const isVerified = figures.every(({ measurement, goal }) => measurement !== 'records' || goal?.met)
    const conditions = `${machine()}; load before the run ${loadBefore.toFixed(2)}`
    const notes = names.map(name => `${name}: ${measurements[name]![0]}`)
    process.stdout.write(`\n${conditions}\n\n${tableOf(figures)}\n\n${notes.join('\n')}\n`)
    note(`\nThe figures are in ${await save(figures)}`)
    return isVerified ? 0 : 1
  } finally {
    await environment.close()
  }
}

const measureAll = async (
  environment: Environment,
  names: string[],
  quick: boolean,
  soak: SoakOptions,
): Promise<Figure[]> => {
  const figures: Figure[] = [await memory(environment, 'at the start')]
  const verified = new Set<string>()
  for (const name of names) {
    for (const measure of measurements[name]!.slice(1) as Measure[])
      figures.push(...(await timed(name, () => measure(environment, quick, soak))))
    figures.push(await memory(environment, `after ${name}`), await verifyRecords(environment, name, verified))
  }
  return figures
}

const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const from = performance.now()
  const result = await work()
  note(`${name}: measured in ${((performance.now() - from) / 1000).toFixed(0)} s`)
  return result
}

const memory = async ({ service }: Environment, when: string): Promise<Figure> =>
  figure('memory', `of the service, ${when}`, 'MiB', [await service.residentMiB()])

/** Returns the number of differences in the workspaces that are not verified yet, and lists the first ones. */
const verifyRecords = async ({ sql }: Environment, name: string, verified: Set<string>): Promise<Figure> => {
  let differing = 0
  for (const { id } of await selectWorkspaces(sql)) {
    if (verified.has(id)) continue
    verified.add(id)
    const found = await verifyWorkspace(sql, id)
    for (const check of checkNames.filter(one => !inserted[name]?.includes(one))) {
      differing += found.differing[check]
      for (const { id, problem } of found.differences.filter(one => one.check === check).slice(0, 3))
        note(`${name}: ${check} ${id}: ${problem}`)
    }
  }
  return figure('records', `differences after ${name}`, '', [differing], null, median.atMost(0))
}

const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Bun ${Bun.version}`

const save = async (figures: Figure[]): Promise<string> => {
  const file = join(projectFolder, '.data/bench.json')
  await mkdir(join(projectFolder, '.data'), { recursive: true })
  await Bun.write(file, `${JSON.stringify({ at: new Date().toISOString(), machine: machine(), figures }, null, 2)}\n`)
  return file
}

process.exit(await main())
