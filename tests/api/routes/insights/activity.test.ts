import { describe, expect, test } from 'bun:test'
import { newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()

const workflow = async (name: string, eventType: string, { on = false, published = false, where = {} } = {}) => {
  const steps = { say: { type: 'send_message', text: 'hello', next: null } }
  const definition = { trigger: { eventType, ...where }, start: 'say', steps }
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
  if (published) await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  if (on) await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  return id as string
}

const record = async (type: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  (await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), ...more }, headers }))
    .event

const activity = (query = '') => world.expect(200, 'GET', `/v1/activity/events${query}`)

describe('GET /v1/activity/events', () => {
  test('returns for each event the runs it started, or the reason from that time why none started', async () => {
    const where = { where: { path: 'data.total', op: 'gte', value: 20 } }
    const one = await workflow('One', 'runs', { on: true, published: true })
    const two = await workflow('Two', 'runs', { on: true, published: true })
    await workflow('Asleep', 'runs', { published: true })
    await workflow('Off', 'off', { published: true })
    await workflow('Draft', 'draft', { on: true })
    await workflow('Draft off', 'draft')
    const picky = await workflow('Picky', 'picky', { on: true, published: true, where })

    const runs = await record('runs', { name: 'Ana', data: { n: 1 } }, { 'User-Agent': 'WooCommerce/9' })
    const off = await record('off')
    const draft = await record('draft')
    const nobody = await record('Picky')
    const silence = await record('nothing like it')
    const small = await record('picky', { data: { total: 19 } })
    await world.expect(200, 'PATCH', `/v1/workflows/${picky}`, { body: { enabled: false } })
    await workflow('Late', 'nothing like it', { on: true, published: true })

    const none = { automations: [], didYouMean: null }
    const unmet = 'data.total is 19 and must be at least 20.'
    const { data, nextCursor } = await activity()
    expect(nextCursor).toBeNull()
    expect(data).toMatchObject([
      {
        ...small,
        ...none,
        reason: 'not_run_for_customer',
        explanation: `The filter of “Picky” did not match: ${unmet}`,
      },
      { ...silence, ...none, reason: 'no_listener', explanation: 'No workflow listens for nothing like it.' },
      {
        ...nobody,
        ...{ automations: [], reason: 'no_listener', didYouMean: { type: 'picky', workflows: 1 } },
        explanation: 'No workflow listens for Picky. Did you mean picky (1 automation)?',
      },
      {
        ...draft,
        ...none,
        reason: 'never_published',
        explanation: expect.stringContaining('“Draft off” listens for draft'),
      },
      { ...off, ...none, reason: 'switched_off', explanation: '“Off” listens for off but was switched off.' },
      {
        ...runs,
        sender: 'woocommerce',
        customer: { id: runs.customerId, name: 'Ana', phone: expect.any(String), externalId: null },
        automations: [
          { workflowId: one, name: 'One', runId: expect.any(String) },
          { workflowId: two, name: 'Two', runId: expect.any(String) },
        ],
        reason: null,
        explanation: null,
        didYouMean: null,
      },
    ])
    const started = (await world.expect(200, 'GET', '/v1/activity/events?type=runs')).data[0]
    const [run] = (await world.expect(200, 'GET', `/v1/workflows/${one}/runs`)).data
    expect(started.automations[0].runId).toBe(run.id)
  })

  test('filters by type, result, reason, sender and customer, alone and combined, in pages', async () => {
    type Row = { reason: string | null; sender: string; customerId: string; type: string }
    const { customerId } = (await activity('?sender=woocommerce')).data[0]
    for (const type of ['nothing like it', 'runs']) await record(type, { customerId, phone: undefined })
    const all: Row[] = (await activity('?limit=100')).data
    const reasons = ['no_listener', 'switched_off', 'never_published', 'not_run_for_customer']
    for (const query of [
      ...reasons.map(reason => `reason=${reason}`),
      ...['type=picky', 'started=true', 'started=false', 'sender=woocommerce', 'sender=custom'],
      ...[`customerId=${customerId}`, 'started=true&sender=custom', `started=true&customerId=${customerId}`],
      ...[`sender=custom&customerId=${customerId}`, `type=runs&customerId=${customerId}`],
      ...['started=false&reason=switched_off', 'type=off&sender=custom'],
    ]) {
      const filters = Object.entries(Object.fromEntries(new URLSearchParams(query)))
      const fits = (row: Row) =>
        filters.every(([name, value]) =>
          name === 'started' ? String(row.reason === null) === value : row[name as keyof Row] === value,
        )
      const { data, nextCursor } = await activity(`?${query}&limit=100`)
      expect([query, nextCursor, data]).toEqual([query, null, all.filter(fits)])
      expect(data.length).toBeGreaterThan(0)
    }
    for (const query of ['started=true&reason=no_listener', 'sender=shopify', `customerId=${Bun.randomUUIDv7()}`])
      expect((await activity(`?${query}`)).data).toEqual([])
    expect((await world.pages('/v1/activity/events?limit=4')).flat()).toEqual(all)
  })
})
