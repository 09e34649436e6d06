/** Tests of tasks at the start and the stop of the service, and of the task that cleans up. */
import { expect, test } from 'bun:test'
import pino from 'pino'
import { prune } from '../../../src/app/tasks/prune.ts'
import { enqueue } from '../../../src/queue/tasks.ts'
import { eventually, startWorld, useWorld } from '../../support/world.ts'

const world = useWorld()

test('the start logs no warning', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: line => lines.push(line) })
  await using _ = await startWorld({}, { log })
  expect(lines).toEqual([])
})

test('tasks that end while the service stops are not left locked', async () => {
  const { sql } = world.database
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 8; i++)
      await enqueue(sql, 'drop_deliveries', { workspaceId: world.workspaceId, webhookId: world.key.id }, `${i}`)
    await world.service.stop()
    expect(await sql`select key from graphile_worker.jobs where locked_by is not null`).toHaveLength(0)
    await world.restart()
  }
})

test('the task of a dead process runs after the next prune, which does not release a task in progress', async () => {
  const { sql } = world.database
  await enqueue(sql, 'wake_channel', { workspaceId: world.workspaceId, channelId: world.workspaceId }, 'attended', 1e6)
  await sql`update graphile_worker._private_jobs
    set locked_by = 'a worker that lives', locked_at = now() - interval '1 minute' where key = 'attended'`
  const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+491511234567' } })
  await enqueue(sql, 'erase_traces', { workspaceId: world.workspaceId, customerId: id }, 'held', 1e6)
  await sql`update graphile_worker._private_jobs
    set locked_by = 'a worker that died', locked_at = now() - interval '11 minutes', run_at = now(), attempts = 1 where key = 'held'`
  await prune(sql)
  await eventually('the task has run', async () => {
    const held = await sql`select 1 from graphile_worker.jobs where key = 'held'`
    return held.length === 0
  })
  const attended = await sql`select 1 from graphile_worker.jobs where key = 'attended' and locked_by is not null`
  expect(attended).toHaveLength(1)
})

test('drops a delivery that was created while its endpoint was removed', async () => {
  const { sql } = world.database
  const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: 'https://example.com/hook', events: ['message.status'] },
  })
  await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  await sql`insert into deliveries (workspace_id, webhook_id, event_id, due_at) values (${world.workspaceId}, ${id}, uuidv7(), now())`
  await prune(sql)
  const [delivery] = await sql`select status, due_at from deliveries where webhook_id = ${id}`
  expect(delivery).toEqual({ status: 'dropped', due_at: null })
})
