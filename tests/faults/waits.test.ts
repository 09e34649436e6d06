/** Test of processes killed next to waiting runs. Every run ends, and each of its steps takes effect once. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { startProcess } from '../support/process.ts'
import { eventually } from '../support/world.ts'
import { pause, useProcesses } from './support.ts'

setDefaultTimeout(120_000)

const { start } = useProcesses()

const customers = 120

/** Sends hello, waits, waits for the payment of the same cart, records the sale, and marks the end. */
const definition = {
  trigger: { eventType: 'cart' },
  start: 'hello',
  steps: {
    hello: { type: 'send_message', text: 'hello', next: 'pause' },
    pause: { type: 'delay', for: '1s', next: 'paid' },
    paid: {
      type: 'wait_for',
      timeout: '1h',
      onTimeout: null,
      any: [{ event: 'paid', match: { 'data.cart': 'trigger.data.cart' }, next: 'sold' }],
    },
    sold: { type: 'mark_sale', amount: '{{answer.data.total}}', currency: 'EUR', next: 'noted' },
    noted: { type: 'set_attribute', set: { bought: true }, next: 'bye' },
    bye: { type: 'send_message', text: 'bye', next: null },
  },
}

test('ends every run with each step executed once while workers are killed and restarted', async () => {
  const { sql, ask, settings } = await start({ settings: { ROLES: 'http' } })
  const { id } = await ask(201, 'POST', '/v1/workflows', { name: 'Cart', definition })
  await ask(200, 'POST', `/v1/workflows/${id}/publish`)
  await ask(200, 'PATCH', `/v1/workflows/${id}`, { enabled: true })
  const send = (type: string, of: (cart: number) => object) =>
    ask(200, 'POST', '/v1/events/batch', {
      events: Array.from({ length: customers }, (_, cart) => ({
        type,
        phone: `+49152${String(cart).padStart(8, '0')}`,
        data: { cart, ...of(cart) },
      })),
    })

  const worker = () => startProcess({ ...settings, ROLES: 'worker' })
  let [first, second] = await Promise.all([worker(), worker()])
  await send('cart', () => ({}))
  // Some carts are paid before their runs wait for the payment, while the workers are busy.
  await first.end('SIGKILL')
  await send('paid', cart => ({ cart: cart % 2 === 0 ? cart : -1, total: 1 }))
  first = await worker()
  await pause(700)
  await second.end('SIGKILL')
  await send('paid', cart => ({ total: 2 + (cart % 2) }))
  second = await worker()

  const [begun] = await sql`select count(*)::integer as started from workflow_runs where workflow_id = ${id}`
  expect(begun!.started).toBe(customers)
  await eventually(
    'every run has ended',
    async () => {
      const [row] = await sql`
        select count(*)::integer as left from workflow_runs where workflow_id = ${id} and status = 'active'`
      return row!.left === 0
    },
    60_000,
  )
  const runs = await sql`
    select r.end_reason as end, (select array_agg(s.step_id || ' ' || s.outcome order by s.position) from workflow_run_steps s
        where s.run_id = r.id) as steps,
      (select array_agg(m.text order by m.id) from messages m where m.run_id = r.id) as messages,
      (select count(*)::integer from sales s where s.run_id = r.id) as sales,
      (select attributes ->> 'bought' from customers c where c.id = r.customer_id) as bought
    from workflow_runs r where r.workflow_id = ${id}`
  const trace = [
    'hello queued',
    'pause waiting',
    'paid waiting',
    'paid event',
    'sold marked',
    'noted set',
    'bye queued',
  ]
  for (const run of runs)
    expect({ ...run }).toEqual({ end: 'completed', steps: trace, messages: ['hello', 'bye'], sales: 1, bought: 'true' })
  const [left] = await sql`
    select (select count(*)::integer from run_waits) as waits, (select count(*)::integer from run_arrivals) as wakes,
      (select count(*)::integer from outbound_events where type = 'sale.created') as told`
  expect({ ...left }).toMatchObject({ waits: 0, told: customers })
})
