/** Tests of `pause`, `resume` and `queues` against a running service. */
import { beforeAll, expect, test } from 'bun:test'
import { type PausableKind, pausableKinds } from '../../../src/queue/pauses/index.ts'
import { makeTemplate } from '../../support/campaigns.ts'
import { runCommand } from '../../support/command.ts'
import { startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { type Asking, eventually, newPhone, unknownId, useWorld } from '../../support/world.ts'

const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
const command = (...args: string[]) => runCommand(args, { DATABASE_URL: world.database.url })
const sql = () => world.database.sql

let channelId: string
let templateId: string
beforeAll(async () => {
  channelId = await world.sandbox()
  templateId = await makeTemplate(sql(), world.workspaceId)
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  await enableWorkflow()
})

/** Creates and enables a workflow that writes to the customer of an order. */
const enableWorkflow = async (as: Asking['as'] = 'owner') => {
  const thanks = { type: 'send_message', text: 'Thank you', next: null }
  const definition = { trigger: { eventType: 'order.created' }, start: 'thanks', steps: { thanks } }
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { as, body: { name: 'T', definition } })
  await world.expect(200, 'POST', `/v1/workflows/${id}/publish`, { as })
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { as, body: { enabled: true } })
}

const record = () =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: newPhone() } })

const startCampaign = async () => {
  const content = { channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body: { name: 'All', ...content } })
  await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: {} })
}

/** Numbers of due rows by queue. */
const due = async () => {
  const [row] = await sql()<[Record<PausableKind, number>]>`
    select (select count(*)::integer from deliveries where due_at is not null) as deliveries,
      (select count(*)::integer from messages where due_at is not null) as messages,
      (select count(*)::integer from workflow_runs where wake_at is not null) as runs,
      (select count(*)::integer from campaigns where due_at is not null) as campaigns`
  return { ...row }
}
const nothingDue = { deliveries: 0, messages: 0, runs: 0, campaigns: 0 }
const allDone = () => eventually('everything is done', async () => Bun.deepEquals(await due(), nothingDue))
const alert = async () => {
  const { data } = await world.expect(200, 'GET', '/v1/attention')
  return data.find(({ kind }: { kind: string }) => kind === 'work_paused')?.title
}

test.each([...pausableKinds])('%s wait while they are paused in all workspaces, and are then done', async kind => {
  expect(await command('pause', kind)).toMatchObject({ status: 0, error: '' })
  await eventually('the process is paused', async () => {
    const { paused } = await world.expect(200, 'GET', '/readyz', { as: 'nobody' })
    return Bun.deepEquals(paused, [kind])
  })
  expect(await alert()).toBe(`The operator of the service has paused ${kind}.`)
  if (kind === 'campaigns') await startCampaign()
  else await record()
  // The other kinds of work go on, up to the paused one.
  await eventually('only this work is left', async () => {
    const { [kind]: paused, ...others } = await due()
    return paused > 0 && Object.values(others).every(count => count === 0)
  })
  const { out } = await command('queues', '--json')
  const queue = JSON.parse(out).find((one: { queue: string }) => one.queue === kind)
  expect(queue).toMatchObject({ depth: (await due())[kind], paused: 'all' })
  expect(await world.answer('GET', '/metrics', { as: 'nobody' })).toBe('200')

  await world.restart()
  expect(await world.expect(200, 'GET', '/readyz', { as: 'nobody' })).toEqual({ status: 'ready', paused: [kind] })
  expect((await due())[kind]).toBeGreaterThan(0)
  expect(await command('resume', kind)).toMatchObject({ status: 0, error: '' })
  await allDone()
  expect(await alert()).toBeUndefined()
})

test.each([...pausableKinds])('%s of one workspace wait while those of another are done', async kind => {
  const other = await world.otherOwner()
  await world.expect(201, 'POST', '/v1/channels', { as: other, body: { kind: 'sandbox', name: 'S' } })
  expect(await command('pause', kind, '--workspace', world.workspaceId.toUpperCase(), '--json')).toMatchObject({
    status: 0,
    out: expect.stringContaining('"changed":true'),
  })
  expect(await command('pause', kind, '--workspace', world.workspaceId)).toMatchObject({
    out: expect.stringContaining('are paused already'),
  })
  expect((await command('queues')).out).toMatch(new RegExp(`^${kind} .* 1 workspace$`, 'm'))
  await eventually('the process knows the pause', async () => (await alert()) !== undefined)
  expect((await world.expect(200, 'GET', '/readyz', { as: 'nobody' })).paused).toBeUndefined()
  await enableWorkflow(other)
  if (kind === 'campaigns') await startCampaign()
  else await record()
  const body = { type: 'order.created', phone: newPhone() }
  const { event } = await world.expect(201, 'POST', '/v1/events', { as: other, body })
  await eventually('the other workspace has sent its message', async () => {
    const rows = await sql()`select from messages where status = 'delivered' and customer_id = ${event.customerId}`
    return rows.length === 1
  })
  await eventually('only this work is left', async () => {
    const { [kind]: paused, ...others } = await due()
    return paused > 0 && Object.values(others).every(count => count === 0)
  })
  await command('resume', kind, '--workspace', world.workspaceId)
  await allDone()
  const { data } = await world.expect(200, 'GET', '/v1/audit')
  const entries = data.filter(({ action }: { action: string }) => /^(pause|resume)Work$/.test(action))
  expect(entries.slice(0, 2)).toMatchObject([
    { actor: { type: 'operator' }, action: 'resumeWork', detail: { kind, allWorkspaces: false } },
    { action: 'pauseWork', detail: { kind, allWorkspaces: false } },
  ])
})

test('resumed runs of a workspace do not delay a new run of another', async () => {
  const other = await world.otherOwner()
  await enableWorkflow(other)
  await record()
  await allDone()
  await command('pause', 'runs', '--workspace', world.workspaceId)
  await eventually('the process knows the pause', async () => (await alert()) !== undefined)
  // As if set aside during the pause. Each ends without a step, because its customer does not exist.
  await sql()`
    insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, wake_at, paused)
    select workspace_id, workflow_id, version, gen_random_uuid(), gen_random_uuid(), now() - interval '1 day', true
    from (select * from workflow_runs limit 1) r, generate_series(1, 5000)`
  await command('resume', 'runs', '--workspace', world.workspaceId)
  await eventually('the first runs are put back', async () => {
    const [row] = await sql()`select count(*)::integer as count from workflow_runs where paused`
    return row!.count < 5000
  })
  const body = { type: 'order.created', phone: newPhone() }
  const { outcomes } = await world.expect(201, 'POST', '/v1/events', { as: other, body })
  await eventually('the new run has ended', async () => {
    const { endedAt } = await world.expect(200, 'GET', `/v1/runs/${outcomes[0].runId}`, { as: other })
    return endedAt !== null
  })
  const [row] = await sql()`select count(*)::integer as count from workflow_runs where paused`
  // A loop of the worker puts back at most 200.
  expect(row!.count).toBeGreaterThan(4000)
  await allDone()
})

test('lists all queues as a table', async () => {
  const { status, out } = await command('queues')
  expect(status).toBe(0)
  expect(out.split('\n').map(line => line.split(/ {2,}/)[0])).toEqual([
    'QUEUE',
    'deliveries',
    'outbound events',
    'messages',
    'runs',
    'campaigns',
    'mails',
    '',
  ])
})

test('lists a rate for each queue, and the help names what that of campaigns counts', async () => {
  const { out } = await command('queues')
  const [heading = '', ...rows] = out.trimEnd().split('\n')
  const rates = rows.map(row => row.slice(heading.indexOf('PER SECOND'), heading.indexOf('PAUSED')).trim())
  const rate = expect.stringMatching(/^[\d.]+$/)
  expect(rates).toEqual(Array(6).fill(rate))
  expect((await command('queues', '--help')).out).toContain('The rate of campaigns counts recipients')
})

test.each([
  ['pause', 'The work is missing.'],
  ['pause mails', 'There is no work "mails".'],
  ['resume runs --workspace x', '--workspace must be an ID, not "x".'],
])('rejects "%s" with the usage', async (line, reason) => {
  const { status, error } = await command(...line.split(' '))
  expect([status, error.split('\n')[0]]).toEqual([2, reason])
})

test('rejects an unknown workspace', async () => {
  const result = await command('pause', 'runs', '--workspace', unknownId)
  const error = `There is no workspace "${unknownId}". "workspace list" lists all workspaces.`
  expect(result).toEqual({ status: 1, out: '', error })
})

test('rejects a pause above the number that processes read', async () => {
  await sql()`insert into workspace_pauses (workspace_id, kind) select gen_random_uuid(), 'runs' from generate_series(1, 10000)`
  const result = await command('pause', 'runs', '--workspace', world.workspaceId)
  await sql()`delete from workspace_pauses`
  expect(result).toEqual({
    status: 1,
    out: '',
    error: 'There are 10000 pauses of workspaces, which is the maximum. Resume others, or pause all workspaces.',
  })
})
