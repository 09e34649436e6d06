/** Tests publishing while others change referenced objects, and the time at which a workflow was switched off. */
import { expect, test } from 'bun:test'
import { openTransaction } from '../support/database.ts'
import { play } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

const world = useWorld()
const { workflow, event, phone } = play(() => world)

const template = {
  name: 'Hello',
  category: 'utility',
  body: 'Hello {{name}}',
  variables: [{ name: 'name', sample: 'Ana' }],
}

test('rejects the later one of publishing a workflow and removing its template', async () => {
  const { sql } = world.database
  const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body: template })
  const definition = {
    trigger: { eventType: 'named' },
    start: 'say',
    steps: { say: { type: 'send_template', templateId, variables: { name: 'x' }, next: null } },
  }
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Named', definition } })
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  const commit = await openTransaction(sql, async tx => {
    await tx`select 1 from workspaces where id = ${world.workspaceId} for no key update`
    await tx`delete from templates where id = ${templateId}`
  })
  const published = world.call('POST', `/v1/workflows/${id}/publish`)
  await eventually('it waits for the removal of the template', async () => {
    const [row] = await sql`select count(*)::integer as waiting from pg_locks where not granted`
    return row!.waiting > 0
  })
  await commit()
  const { status, body } = await published
  expect([status, Object.keys(body.error.details)]).toEqual([400, ['definition.steps.say.templateId']])
})

test('an event for a switched-off workflow reports since when it is off and who switched it off', async () => {
  const id = await workflow(
    { trigger: { eventType: 'quiet' }, start: 'say', steps: { say: { type: 'exit', reason: 'x' } } },
    'Quiet',
  )
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
  const session = await world.expect(200, 'GET', '/v1/auth/session')
  // Switching it off a second time changes nothing.
  const { updatedAt } = await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
  const { outcomes, event: recorded } = await event('quiet', phone())
  const [{ verdict, detail, explanation }] = outcomes
  expect([verdict, detail.by]).toEqual(['switched_off', session.user.id])
  expect(detail.since < updatedAt).toBe(true)
  expect(explanation).toBe(
    `"Quiet" listens for quiet but is switched off since ${detail.since} (by user ${session.user.id}).`,
  )
  const { data } = await world.expect(200, 'GET', '/v1/activity/events?type=quiet')
  expect(data[0]).toMatchObject({ id: recorded.id, reason: 'switched_off', explanation })
})
