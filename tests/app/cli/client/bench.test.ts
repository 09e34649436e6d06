/** Tests of `bench` against a service in this process: its figures, and what it refuses. */
import { beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../support/command.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
let token: string
beforeAll(async () => {
  token = (await world.expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'bench', access: 'write' } })).token
})

const run = (...args: string[]) =>
  runCommand(['bench', ...args], {
    CUSTOMER_ENGAGEMENT_URL: world.url,
    CUSTOMER_ENGAGEMENT_TOKEN: token,
    CUSTOMER_ENGAGEMENT_KEY: world.key.value,
  })

const countEvents = async () => {
  const [row] = await world.database.sql<[{ n: number }]>`select count(*)::integer as n from events`
  return row.n
}

test('refuses a workspace without a sandbox, and measures one with sandboxes only', async () => {
  expect(await run()).toMatchObject({ status: 1, out: '', error: expect.stringContaining('has no sandbox channel.') })
  await world.sandbox()
  const { status, out, error } = await run('--seconds', '1', '--connections', '4', '--json')
  expect([status, error]).toEqual([0, ''])
  const { url, events, outboundEvents, ...rest } = JSON.parse(out)
  expect(url).toBe(world.url)
  expect(rest).toMatchObject({ seconds: 1, connections: 4, workspace: { id: world.workspaceId } })
  expect(events).toMatchObject({ recorded: await countEvents(), rateLimited: 0, failed: 0 })
  expect(events.perSecond).toBeGreaterThan(20)
  expect(outboundEvents.measured).toBe(20)
  for (const { p50Ms, p99Ms } of [events, outboundEvents]) {
    expect(p50Ms).toBeGreaterThan(0)
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
  }
  const table = await run('--seconds', '1')
  expect(table.out).toMatch(/^Events: +[\d.]+\/s \(\d+ recorded\), p50 [\d.]+ ms, p99 [\d.]+ ms$/m)
  expect(table.out).toMatch(/^Outbound events: 20 of 20 arrived, p50 [\d.]+ ms, p99 [\d.]+ ms$/m)
}, 30_000)

test('records nothing where a message could reach a person, or a workflow would start', async () => {
  const before = await countEvents()
  const sorry = { type: 'send_message', text: 'Sorry', next: null }
  const workflow = await world.workflow({ trigger: { eventType: 'bench.measured' }, start: 'sorry', steps: { sorry } })
  expect(await run()).toMatchObject({ status: 1, error: expect.stringContaining('A workflow starts with the type') })
  await world.expect(200, 'PATCH', `/v1/workflows/${workflow}`, { body: { enabled: false } })
  await world.database.sql`
    insert into channels (workspace_id, kind, name) values (${world.workspaceId}, 'twilio_sms', 'Real')`
  expect(await run()).toMatchObject({ status: 1, error: expect.stringContaining('a channel to real people') })
  await world.database.sql`delete from channels where kind = 'twilio_sms'`
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: await world.otherOwner(), body: { name: 'x' } })
  expect(await run('--key', key)).toEqual({
    status: 1,
    out: '',
    error: 'The API key belongs to another workspace than the access token.',
  })
  expect(await countEvents()).toBe(before)
})

test.each([
  ['--seconds 61', '--seconds must be a whole number from 1 to 60, not "61".'],
  ['--connections 0', '--connections must be a whole number from 1 to 256, not "0".'],
])('rejects "bench %s"', async (line, reason) => {
  const { status, error } = await run(...line.split(' '))
  expect([status, error.split('\n')[0]]).toEqual([2, reason])
})
