/** Tests of a cell that is away while 64 callers continue to call it: callers of the other cell do not notice. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type startProxy, startSilentServer } from '../platform/postgres/proxy.ts'
import { endProcesses } from '../support/process.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone } from '../support/world.ts'
import { startCells } from './process.ts'

setDefaultTimeout(180_000)
afterAll(endProcesses)

/** Callers of the cell that goes away, and milliseconds between two calls of one of them unless an answer takes longer. */
const [callersOfAway, betweenCallsMs] = [64, 50]

/** Callers of the other cell. Each sends its next call after the answer. */
const callersOfOther = 4

/** Minimum milliseconds that are measured before an outage, in its first wait, and after that. */
const spellMs = 1000

/** Number of calls from which a 99th percentile means something. Each measurement continues until it has more. */
const minCalls = 500

/** Milliseconds until a cell is known to be away, and within which it must work again. */
const [maxFirstWaitMs, recoveryMs] = [10_000, 10_000]

/** Milliseconds that half of the calls, and almost all calls, of a cell that is known to be away may take. */
const maxRejectionMs = { half: 100, almostAll: 500 }

type DatabaseProxy = Awaited<ReturnType<typeof startProxy>>

interface Outage {
  begin(proxy: DatabaseProxy): Promise<void> | void
  end(proxy: DatabaseProxy, url: string): Promise<void> | void
}

const silent = use(startSilentServer)

const refusal: Outage = { begin: proxy => proxy.refuse(), end: proxy => proxy.accept() }
const outages: Record<string, Outage> = {
  'refuses connections': refusal,
  'does not answer': {
    begin: proxy => {
      proxy.lead(silent.url)
      proxy.freeze()
    },
    end: (proxy, url) => {
      proxy.lead(url)
      proxy.reset()
    },
  },
  'pauses in the middle of answers': { begin: proxy => proxy.pause(), end: proxy => proxy.resume() },
}

interface Call {
  status: number
  retryAfter: string | null
  ms: number
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)

/** Summarizes the durations. A stalled caller sends few calls, which shows in the mean only. */
const summarize = (calls: readonly Call[]) => {
  const times = sorted(calls.map(({ ms }) => ms))
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  return { count: times.length, mean, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

type Phase = 'healthy' | 'first wait' | 'known'

/**
 * Calls both cells while one of them goes away and returns. The numbers of callers, and of the calls that those of `away`
 * send, are the same all the time.
 */
const measure = async (away: 'main' | 'b', { begin, end }: Outage) => {
  await using cells = await startCells()
  const { send, proxies, databases, callers } = cells
  const other = away === 'main' ? 'b' : 'main'
  let phase: Phase | null = null
  let isOver = false
  const acknowledged = { main: new Set<string>(), b: new Set<string>() }
  const calls: { cell: 'main' | 'b'; phase: Phase | null; call: Call }[] = []
  const measured = (cell: 'main' | 'b', wanted: Phase) =>
    calls.flatMap(one => (one.cell === cell && one.phase === wanted ? [one.call] : []))
  const call = async (cell: 'main' | 'b', ask: () => Promise<Response>): Promise<number> => {
    const [during, startedAt] = [phase, performance.now()]
    const response = await ask()
    await response.text()
    const { status, headers } = response
    const one = { status, retryAfter: headers.get('retry-after'), ms: performance.now() - startedAt }
    // A call that the outage has interrupted belongs to it.
    calls.push({ cell, phase: during === 'healthy' && phase === 'first wait' ? phase : during, call: one })
    return status
  }
  const record = async (cell: 'main' | 'b') => {
    const idempotencyKey = crypto.randomUUID()
    const body = { type: 'order.placed', phone: newPhone(), idempotencyKey }
    const status = await call(cell, () => send('POST', '/v1/events', callers[cell].key, body))
    if (status === 201) acknowledged[cell].add(idempotencyKey)
    return status
  }
  const callAway = async () => {
    while (!isOver) {
      const next = sleep(betweenCallsMs)
      await record(away)
      await next
    }
  }
  const callOther = async () => {
    while (!isOver) {
      await record(other)
      // People need the directory.
      if (other === 'main') await call(other, () => send('GET', '/v1/workspace', callers.main.owner))
    }
  }
  const calling = Promise.all([
    ...Array.from({ length: callersOfAway }, callAway),
    ...Array.from({ length: callersOfOther }, callOther),
  ])
  const untilAnswered = (status: number) => {
    const from = calls.length
    const count = () =>
      calls.slice(from).filter(one => one.cell === away && one.phase === phase && one.call.status === status).length
    return eventually(`the callers get ${status}`, () => count() > 2 * callersOfAway, maxFirstWaitMs)
  }
  const untilMeasured = async (wanted: Phase) => {
    await sleep(spellMs)
    await eventually('there are enough calls', () => measured(other, wanted).length > minCalls)
  }
  const isKnown = async () => {
    const { cells: states } = await (await send('GET', '/readyz?verbose', {})).json()
    return states.find(({ cell }: { cell: string }) => cell === away).problem === 'The database does not respond.'
  }
  try {
    await untilAnswered(201)
    phase = 'healthy'
    await untilMeasured(phase)
    await begin(proxies[away])
    phase = 'first wait'
    await untilMeasured(phase)
    await eventually('the cell is known to be away', isKnown, maxFirstWaitMs)
    phase = 'known'
    await untilAnswered(503)
    await untilMeasured(phase)
    phase = null
    await end(proxies[away], databases[away].url)
    await eventually('the cell works again', async () => (await record(away)) === 201, recoveryMs)
  } finally {
    isOver = true
    await calling
  }
  const lost: string[] = []
  for (const cell of ['main', 'b'] as const) {
    const rows = await databases[cell].sql<{ key: string }[]>`select idempotency_key as key from events`
    const stored = new Set(rows.map(({ key }) => key))
    lost.push(...[...acknowledged[cell]].filter(key => !stored.has(key)))
  }
  const ofOther = Object.fromEntries(
    (['healthy', 'first wait', 'known'] as const).map(one => [one, summarize(measured(other, one))]),
  )
  return {
    calls,
    other: ofOther as Record<Phase, ReturnType<typeof summarize>>,
    rejections: measured(away, 'known'),
    lost,
  }
}

const cases = [
  ...Object.keys(outages).map(name => ['b', name, outages[name]!] as const),
  ...(['refuses connections', 'does not answer'] as const).map(name => ['main', name, outages[name]!] as const),
]

test.each(cases)(
  'while the database of %s %s, callers of the other cell do not notice',
  async (away, _name, outage) => {
    const { calls, other, rejections, lost } = await measure(away, outage)
    const { p50, p99 } = summarize(rejections)
    for (const phase of ['first wait', 'known'] as const) {
      expect(Math.min(other[phase].count, other.healthy.count), phase).toBeGreaterThan(minCalls)
      for (const figure of ['mean', 'p50', 'p99'] as const)
        expect(
          other[phase][figure] / other.healthy[figure],
          `${phase}: ${figure} of ${JSON.stringify(other)}`,
        ).toBeLessThan(2)
    }
    const ofOther = calls.filter(({ cell }) => cell !== away).map(({ call }) => call.status)
    expect([...new Set(ofOther)].filter(status => status !== 200 && status !== 201)).toEqual([])
    const ofAway = calls.filter(({ cell, call }) => cell === away && call.status !== 201).map(({ call }) => call)
    expect(new Set(ofAway.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(['503 1']))
    expect(new Set(rejections.map(({ status }) => status))).toEqual(new Set([503]))
    expect(p50).toBeLessThan(maxRejectionMs.half)
    expect(p99).toBeLessThan(maxRejectionMs.almostAll)
    expect(lost).toEqual([])
  },
)
