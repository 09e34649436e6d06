/**
 * Measures waiting runs: their cost for recording, their cost while idle, and how fast many of them start together.
 */
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { BenchWorkspace, Environment } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import { rateOf } from './ingest.ts'
import { inRounds } from './latency.ts'

export const aboutWaits =
  '100,000 runs are parked in a wait_for; whoever sends is known, of 100,000 customers. Others: they wait for the type that is sent, of customers who send nothing. The same: those who send wait, for another type. Woken: they wait for the type that is sent, with a match that does not hold, so that each event has the run of its customer visited, and parked again. Due in one second: from the first that is due until none is left that was not begun.'

const parkedRuns = 100_000
/** Rows per statement. The statement timeout applies here too. */
const atOnce = 10_000
const senders = 100_000
const connections = 64

/** Measures recording with and without waiting runs, and the processor time of waiting runs while idle. */
export const measureWaiting = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql } = environment
  const nobody = await shopOf(environment, 'nobody')
  const idleSeconds = quick ? 4 : 10
  const idleBefore = await idleShare(environment, idleSeconds)
  const cases = {
    others: await shopOf(environment, 'others'),
    'the same': await shopOf(environment, 'the same'),
    woken: await shopOf(environment, 'woken'),
  }
  await cases.others.park(sent, senders)
  await cases['the same'].park(neverSent, 0)
  await sql`vacuum analyze`
  await sql`checkpoint`
  await Bun.sleep(1000)
  const idleAfter = await idleShare(environment, idleSeconds)
  await cases.woken.park(sent, 0)
  await sql`vacuum analyze`

  const goals = { others: ratio.atLeast(0.95), 'the same': ratio.atLeast(0.9), woken: null }
  const seconds = quick ? 3 : 6
  for (const shop of [nobody, ...Object.values(cases)]) await shop.load(1)
  const figures: Figure[] = []
  for (const [name, shop] of Object.entries(cases)) {
    const rounds = await inRounds(quick ? 2 : 3, async () => {
      const besideRate = await nobody.load(seconds)
      return { besideRate, rate: await shop.load(seconds) }
    })
    const beside = { name: 'nobody waits:', rounds: each(rounds, 'besideRate') }
    const goal = goals[name as keyof typeof goals]
    figures.push(figure('waits', `recording, 100,000 wait: ${name}`, 'events/s', each(rounds, 'rate'), beside, goal))
  }
  const none = { name: 'none parked:', rounds: [idleBefore] }
  return [...figures, figure('waits', 'processor of an idle service, 200,000 parked', '% of a core', [idleAfter], none)]
}

const dueRuns = 10_000

/** Measures many runs whose wait ends within one second. */
export const measureDueAtOnce = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const { sql } = environment
  const shop = await shopOf(environment, 'due')
  const rounds = await inRounds(quick ? 1 : 3, async () => {
    const dueInMs = 3000
    const from = performance.now() + dueInMs
    await shop.park(neverSent, 0, dueRuns, dueInMs)
    while (await anyIsLeft(sql, shop.id)) await Bun.sleep(20)
    return (performance.now() - from) / 1000
  })
  const name = `${dueRuns.toLocaleString('en-US')} due in one second, until all are begun`
  return [figure('waits', name, 's', rounds, null, median.atMost(5))]
}

const anyIsLeft = async (sql: Sql, workspaceId: string): Promise<boolean> => {
  const [row] = await sql<{ left: boolean }[]>`
    select exists (select from workflow_runs where workspace_id = ${workspaceId} and status = 'active') as left`
  return row!.left
}

/** Returns the processor time of the idle service, in % of one core. */
const idleShare = async ({ service }: Environment, seconds: number): Promise<number> => {
  const from = [await service.cpuMs(), performance.now()] as const
  await Bun.sleep(seconds * 1000)
  return (100 * ((await service.cpuMs()) - from[0])) / (performance.now() - from[1])
}

const sent = 'order.created'
const neverSent = 'parcel.delivered'
type EventType = typeof sent | typeof neverSent

interface Shop extends BenchWorkspace {
  /**
   * Creates `count` runs that wait for such events, for customers from `firstCustomer` on. Their due times are spread
   * over one second, which starts after `dueInMs`. Defaults to 30 days.
   */
  park(eventType: EventType, firstCustomer: number, count?: number, dueInMs?: number): Promise<void>
  /** Returns events recorded per second. None of them starts a run. */
  load(seconds: number): Promise<number>
}

/**
 * Creates a workspace with as many customers who send as customers who do not. Its workflows wait for events that are
 * sent and for events that are not.
 */
const shopOf = async ({ sql, service, workspace: newWorkspace }: Environment, name: string): Promise<Shop> => {
  const workspace = await newWorkspace(`waits ${name}`)
  for (let first = 0; first < 2 * senders; first += atOnce)
    await sql`
      insert into customers (workspace_id, phone, name)
      select ${workspace.id}, '+49151' || lpad(n::text, 8, '0'), 'Ana'
      from generate_series(${first}::integer, ${first + atOnce - 1}::integer) n`
  const workflows = {
    [sent]: await workspace.workflow(`Waits for ${sent}`, waitFor(sent)),
    [neverSent]: await workspace.workflow(`Waits for ${neverSent}`, waitFor(neverSent)),
  }
  return {
    ...workspace,
    park: async (eventType, firstCustomer, count = parkedRuns, dueInMs = 30 * 86_400_000) => {
      const parked = { workspaceId: workspace.id, workflowId: workflows[eventType], eventType, dueInMs }
      for (let done = 0; done < count; done += atOnce)
        await parkRuns(sql, { ...parked, firstCustomer: firstCustomer + done, count: Math.min(atOnce, count - done) })
    },
    load: async seconds =>
      rateOf(await workspace.record(service.port, { connections, seconds, knownCustomers: senders, newShare: 0 })),
  }
}

const waitFor = (event: EventType) => ({
  trigger: { eventType: 'cart.left' },
  start: 'wait',
  steps: {
    wait: {
      type: 'wait_for',
      timeout: 'P30D',
      onTimeout: null,
      any: [{ event, match: { 'data.orderId': 'trigger.data.orderId' }, next: null }],
    },
  },
})

interface Parked {
  workspaceId: string
  workflowId: string
  eventType: string
  firstCustomer: number
  count: number
  dueInMs: number
}

/** Inserts the rows of `count` events, each with a run that has reached its wait. */
const parkRuns = (sql: Sql, { workspaceId, workflowId, eventType, firstCustomer, count, dueInMs }: Parked) => sql`
  with started as materialized (
    select c.id as customer_id, uuidv7() as event_id, uuidv7() as run_id,
      now() + (${dueInMs} + 1000.0 * n / ${count}) * interval '1 millisecond' as wake_at
    from generate_series(0, ${count - 1}::integer) n
    join customers c on c.workspace_id = ${workspaceId} and c.phone = '+49151' || lpad((${firstCustomer}::integer + n)::text, 8, '0')
  ), happened as (
    insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows)
    select ${workspaceId}, event_id, 'cart.left', 'api', 'custom', customer_id, '{"orderId": "B-00000000"}',
      'left-' || event_id, 1
    from started
  ), parked as (
    insert into workflow_runs (workspace_id, id, workflow_id, version, customer_id, event_id, status, step_id, waiting,
      wake_at, wait_until, steps_taken)
    select ${workspaceId}, run_id, ${workflowId}, 1, customer_id, event_id, 'active', 'wait', true, wake_at, wake_at, 1
    from started
  )
  insert into run_waits (workspace_id, customer_id, kind, event_type, run_id)
  select ${workspaceId}, customer_id, 'event', ${eventType}, run_id from started`
