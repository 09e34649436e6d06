import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scenarios } from '../../../../src/app/cli/client/scenarios.ts'
import { outboundEventTypes } from '../../../../src/webhooks/outbound-events/index.ts'
import { runCommand } from '../../../support/command.ts'
import { eventually, useWorld } from '../../../support/world.ts'
import { endPrograms, startListening } from './program.ts'

setDefaultTimeout(60_000)
afterEach(endPrograms)

// No host name exists, so that an attempt to reach one ends immediately.
const world = useWorld({}, { resolve: () => ({ ok: false, reason: 'dns' }) })
const tokens = { read: '', write: '' }
beforeAll(async () => {
  for (const access of ['read', 'write'] as const)
    tokens[access] = (await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: access, access } })).token
})

/** Runs a command of this process. The settings are those of no service, because the command needs none. */
const run = (args: string[], token = tokens.write) =>
  runCommand(args, {
    CUSTOMER_ENGAGEMENT_URL: world.url,
    CUSTOMER_ENGAGEMENT_TOKEN: token,
    DATABASE_URL: 'nonsense',
    PORT: 'http',
  })

/** Counts steps of the waiting run, so that the test does not wait for each of them. */
const takeSteps = (count: number) =>
  eventually('a run waits', async () => {
    const { sql } = world.database
    return (await sql`update workflow_runs set steps_taken = ${count} where waiting`).count === 1
  })

/** Gives the workspace a plan with a number of monthly events. */
const limitEvents = async (limit: number | null) => {
  const { sql } = world.database
  const planId = `limit-${limit}`
  await sql`insert into plans (id, name, features, allowances)
    select ${planId}, 'Small', features, allowances || ${sql.json({ monthlyEvents: limit })} from plans where id = 'unlimited'
    on conflict do nothing`
  await sql`update workspaces set plan_id = ${planId} where id = ${world.workspaceId}`
}

/** Checks the used events of the month now, so that the test does not wait up to 15 seconds. */
const checkAllowances = async () => {
  const { sql } = world.database
  await eventually('the events are recorded', async () => {
    const [row] = await sql<
      { recorded: number }[]
    >`select coalesce(sum(recorded), 0)::integer as recorded from event_usage`
    return row!.recorded >= 540
  })
  await sql`update graphile_worker._private_jobs set run_at = now() where key = 'allowances'`
}

const dataFile = (data: object): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'trigger-')), 'data.json')
  writeFileSync(path, JSON.stringify(data))
  return path
}

describe('trigger', () => {
  test('knows every type of event', () => {
    expect(Object.keys(scenarios).sort()).toEqual(outboundEventTypes.toSorted())
  })

  test.each(Object.keys(scenarios))('causes %s, which listen receives', async type => {
    if (type === 'allowance.reached') await limitEvents(600)
    const program = await startListening(world.url, tokens.read, ['--events', type])
    const [{ status, out, error }] = await Promise.all([
      run(['trigger', type]),
      type === 'run.failed' && takeSteps(900),
      type === 'allowance.reached' && checkAllowances(),
    ])
    expect({ status, error }).toEqual({ status: 0, error: '' })
    const [, id] = /The event ([0-9a-f-]{36}) \((.*)\) is in the stream of outbound events\.\n$/.exec(out)!
    await program.until('the event', ({ events }) => events.some(event => event.id === id))
    expect(program.events.find(event => event.id === id)).toMatchObject({ type, verified: true })
  })

  test('leaves no endpoint, template or workflow and one channel, and takes values from a file', async () => {
    for (const path of ['/v1/webhooks', '/v1/templates', '/v1/workflows'])
      expect((await world.expect(200, 'GET', path)).data).toEqual([])
    const channels = (await world.expect(200, 'GET', '/v1/channels')).data
    expect(channels.filter(({ status }: { status: string }) => status !== 'disconnected')).toHaveLength(1)
    const file = dataFile({ amount: 1.25, currency: 'KWD', from: '+15550100001' })
    expect(await run(['trigger', 'sale.created', '--data', file])).toMatchObject({ status: 0 })
    const [sale] = (await world.expect(200, 'GET', '/v1/sales')).data
    expect(sale).toMatchObject({ amount: 1.25, currency: 'KWD' })
  })

  test('explains a wrong type, wrong values, a missing permission and an unreachable service', async () => {
    expect(await run(['trigger', 'mesage.status'])).toMatchObject({
      status: 2,
      error: expect.stringContaining('Unknown type "mesage.status". Did you mean message.status?'),
    })
    for (const [limit, says] of [
      [null, 'The plan of this workspace has no limit of monthly events.'],
      [2000, /^90 per cent of the monthly events need 12\d\d more events\. To record them, set "atMost" in --data\./],
      [100, 'All 100 events of this month are used.'],
    ] as const) {
      await limitEvents(limit)
      const error = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says)
      expect(await run(['trigger', 'allowance.reached'])).toMatchObject({ status: 1, error })
    }
    await limitEvents(null)
    expect(await run(['trigger', 'ping', '--data', dataFile({ from: 1 })])).toMatchObject({
      status: 2,
      error: expect.stringContaining('--data has "from". The values of ping are: none.'),
    })
    expect(await run(['trigger', 'sale.created', '--data', dataFile({ currency: 'XXX' })])).toMatchObject({
      status: 1,
      error: expect.stringMatching(/^currency: /),
    })
    expect(await run(['trigger', 'message.received'], tokens.read)).toMatchObject({
      status: 1,
      error: expect.stringContaining('read'),
    })
    expect(await run(['trigger', 'ping', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      status: 1,
      error: 'http://127.0.0.1:1 is not reachable (refused). Check the address, and that the program there is running.',
    })
    expect(await run(['trigger', 'ping'], '')).toMatchObject({
      status: 2,
      error: expect.stringMatching(/^The access token is missing\..*\nUsage: trigger TYPE/),
    })
    expect(await run(['trigger', 'ping'], 'ces_key')).toMatchObject({
      status: 2,
      error: expect.stringContaining('This is an API key, not an access token.'),
    })
  })
})

describe('send-event', () => {
  test('records an event, and a repeated key only once', async () => {
    const args = ['send-event', 'order.created', '--phone', '+4915112345679', '--name', 'Ana', '--key', 'cli-1']
    const first = await run([...args, '--data', '{"total": 129.9}'])
    expect(first).toMatchObject({ status: 0, error: '' })
    expect(first.out).toMatch(/^Recorded the event [0-9a-f-]{36} \(order\.created\) of the customer [0-9a-f-]{36}\.\n/)
    expect(first.out).toContain('No active workflow starts with this type.')
    const again = await run([...args, '--data', `@${dataFile({ total: 129.9 })}`])
    expect(again.out).toStartWith('The idempotency key was used before. It belongs to the event ')
    const { data } = await world.expect(200, 'GET', '/v1/events?type=order.created')
    expect(data).toEqual([expect.objectContaining({ idempotencyKey: 'cli-1', data: { total: 129.9 } })])
  })

  test('names the workflow that an event starts', async () => {
    const steps = { end: { type: 'delay', for: '1d', next: null } }
    await world.workflow({ trigger: { eventType: 'cart.left' }, start: 'end', steps }, 'Remind')
    const { out } = await run(['send-event', 'cart.left', '--phone', '+4915112345679'])
    expect(out).toContain('1 active workflow starts with this type.\n  “Remind” (version 1) started.\n')
  })

  test.each([
    [['order.created'], 'The customer is missing. Use --phone, --external-id or --customer-id.'],
    [['--phone', '+4915112345679'], 'The command needs one event type, such as order.created.'],
    [['a', '--phone', '+49', '--data', '[1]'], '--data must be a JSON object'],
    [['a', '--phone', '+49', '--data', '@/missing.json'], 'The file /missing.json of --data cannot be read.'],
    [['a', '--fone', '+49'], "Unknown option '--fone'"],
  ])('explains %p', async (args, reason) => {
    expect(await run(['send-event', ...args])).toMatchObject({ status: 2, error: expect.stringContaining(reason) })
  })
})
