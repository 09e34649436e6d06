/** Tests that events handled directly by a process have the same results as events from the outbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { optOut } from '../../../src/messaging/consent/index.ts'
import { connect, type Database, transaction } from '../../../src/platform/postgres/client.ts'
import { dropOrphanedDeliveries, type EndpointJobs, fanOut } from '../../../src/webhooks/deliveries/index.ts'
import { addAfterCommitListener } from '../../../src/webhooks/emit/index.ts'
import { type PassedOverReason, selectDestinations } from '../../../src/webhooks/outbound-events/sql.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()
/** The pool of a process that handles events directly, and the deliveries that its handler received. */
let acting: Database
let given: EndpointJobs[] = []
let inOutbox = 0
let notified = 0
let stopActing: () => void
beforeAll(async () => {
  acting = connect({ url: database.url, applicationName: 'acting' })
  stopActing = addAfterCommitListener(acting, {
    onDeliveriesCreated: more => given.push(...more),
    onOutboxWritten: () => inOutbox++,
  })
  await database.sql.listen('outbound_events', () => notified++)
})
beforeEach(() => {
  given = []
  inOutbox = 0
})
afterAll(async () => {
  stopActing()
  await acting.end({ timeout: 1 })
})

const addEndpoints = async (workspaceId: string, count = 1, events = ['customer.opted_out']): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`
    insert into webhooks (workspace_id, url, events, secret)
    select ${workspaceId}, 'https://example.com/' || n, ${events}, convert_to('whsec_' || n, 'UTF8') from generate_series(1, ${count}::integer) n
    returning id`
  return rows.map(({ id }) => id)
}

const newCustomers = async (workspaceId: string, count = 1): Promise<string[]> => {
  const rows = await database.sql<{ id: string }[]>`
    insert into customers (workspace_id, external_id)
    select ${workspaceId}, gen_random_uuid()::text from generate_series(1, ${count}::integer) returning id`
  return rows.map(({ id }) => id)
}

/** Opts a number of customers out concurrently. Returns the ids of the emitted events. */
const tellBy = async (sql: Database, workspaceId: string, count = 1): Promise<string[]> => {
  const customers = await newCustomers(workspaceId, count)
  await Promise.all(customers.map(id => optOut(sql, { workspaceId, id, reason: 'asked', source: 'api' })))
  const rows = await database.sql<{ id: string }[]>`
    select id from outbound_events where workspace_id = ${workspaceId} and data_subject_id = any(${customers}::uuid[]) order by id`
  return rows.map(({ id }) => id)
}

const waitingOf = async (workspaceId: string): Promise<number> =>
  (await database.sql`select 1 from outbound_events where workspace_id = ${workspaceId} and fanned_out_at is null`)
    .length

const deliveriesOf = (workspaceId: string, ids: string[]) => database.sql<
  { id: string; eventId: string; webhookId: string }[]
>`
  select id, event_id as "eventId", webhook_id as "webhookId" from deliveries
  where workspace_id = ${workspaceId} and event_id = any(${ids}::uuid[]) and due_at is not null and status = 'pending'
  order by due_at, id`

describe('an event that the process handles directly', () => {
  test('is not in the outbox, sends no notification, and its deliveries are handed over once after commit', async () => {
    const workspaceId = await newWorkspace(database.sql)
    const [webhookId] = await addEndpoints(workspaceId)
    const before = notified
    const [customer] = await newCustomers(workspaceId)
    const words = { workspaceId, id: customer!, reason: 'asked', source: 'api' } as const
    for (let time = 0; time < 2; time++) await optOut(acting, words)
    expect(await waitingOf(workspaceId)).toBe(0)
    const [{ id }] = await database.sql<
      [{ id: string }]
    >`select id from outbound_events where workspace_id = ${workspaceId}`
    const [delivery] = await deliveriesOf(workspaceId, [id])
    const event = { id, type: 'customer.opted_out', dataText: expect.stringContaining('"asked"') }
    const endpoint = { url: 'https://example.com/1', secret: btoa('whsec_1'), previousSecret: null }
    expect(given.filter(({ jobs }) => jobs.length > 0)).toMatchObject([
      { workspaceId, webhookId, jobs: [{ id: delivery!.id, attempts: 0, event, endpoint }] },
    ])
    expect(inOutbox).toBe(0)
    // Notifications arrive in commit order, so a notification of the first event would arrive before this one.
    await tellBy(database.sql, workspaceId)
    await eventually('the other path is notified', () => notified > before)
    expect(notified).toBe(before + 1)
  })

  test('keeps the order of emission, and is handed over if there are few', async () => {
    const workspaceId = await newWorkspace(database.sql)
    const [one, other] = await addEndpoints(workspaceId, 2)
    const ids = await tellBy(acting, workspaceId, 32)
    const letters = (webhookId: string) =>
      given.filter(to => to.webhookId === webhookId).flatMap(to => to.jobs.map(({ event }) => event.id))
    expect(letters(one!)).toEqual(ids)
    expect(letters(other!)).toEqual(ids)
    const made = await deliveriesOf(workspaceId, ids)
    expect(made.filter(({ webhookId }) => webhookId === one).map(({ eventId }) => eventId)).toEqual(ids)

    given = []
    await tellBy(acting, workspaceId, 33)
    expect(given.map(to => `${to.webhookId} ${to.jobs.length}`).sort()).toEqual([`${one} 0`, `${other} 0`].sort())
  })

  test('uses the outbox if the workspace has more than sixteen active endpoints', async () => {
    const [few, many] = [await newWorkspace(database.sql), await newWorkspace(database.sql)]
    const [gone] = await addEndpoints(few, 17)
    await addEndpoints(many, 17)
    await database.sql`update webhooks set deleted_at = now() where workspace_id = ${few} and id = ${gone!}`
    const [ofFew, ofMany] = [await tellBy(acting, few), await tellBy(acting, many)]
    expect([await waitingOf(few), await waitingOf(many)]).toEqual([0, 1])
    expect(await deliveriesOf(few, ofFew)).toHaveLength(16)
    expect(await deliveriesOf(many, ofMany)).toHaveLength(0)
    expect(given.every(({ workspaceId }) => workspaceId === few)).toBe(true)
    expect(inOutbox).toBe(1)
    await fanOut(database.sql, 500)
    expect(await waitingOf(many)).toBe(0)
    expect(await deliveriesOf(many, ofMany)).toHaveLength(17)
  })

  test('uses the outbox inside a transaction, because it cannot be handed over before commit', async () => {
    const workspaceId = await newWorkspace(database.sql)
    await addEndpoints(workspaceId)
    const [id] = await newCustomers(workspaceId)
    await transaction(acting, async tx => {
      await optOut(tx, { workspaceId, id: id!, reason: 'asked', source: 'customer' })
    })
    expect(await waitingOf(workspaceId)).toBe(1)
    expect({ given, inOutbox }).toEqual({ given: [], inOutbox: 0 })
    await fanOut(database.sql, 500)
  })
})

/** Returns the result for each endpoint without delivery ids. */
const destinationsOf = async (workspaceId: string, id: string) =>
  Object.fromEntries(
    (await selectDestinations(database.sql, workspaceId, id, 50)).map(({ webhookId, reason, status, deliveryId }) => [
      webhookId,
      { reason, status, sent: deliveryId !== null },
    ]),
  )

describe('both ways have the same result', () => {
  test('for every endpoint, with the same stored verdicts', async () => {
    const { sql } = database
    const workspaceId = await newWorkspace(database.sql)
    const [subscribed] = await addEndpoints(workspaceId)
    const [both] = await addEndpoints(workspaceId, 1, ['customer.opted_out', 'message.status'])
    const [elsewhere] = await addEndpoints(workspaceId, 1, ['message.status'])
    const [off] = await addEndpoints(workspaceId)
    const [offAndElsewhere] = await addEndpoints(workspaceId, 1, ['message.status'])
    const [gone] = await addEndpoints(workspaceId)
    await sql`update webhooks set enabled = false where id = any(${[off!, offAndElsewhere!]}::uuid[])`
    await sql`update webhooks set deleted_at = now() where id = ${gone!}`

    const [atOnce] = await tellBy(acting, workspaceId)
    const [byOutbox] = await tellBy(sql, workspaceId)
    await fanOut(sql, 500)
    const [later] = await addEndpoints(workspaceId)

    const one = await destinationsOf(workspaceId, atOnce!)
    expect(one).toEqual(await destinationsOf(workspaceId, byOutbox!))
    const passedOver = (reason: PassedOverReason) => ({ reason, status: null, sent: false })
    const sent = { reason: null, status: 'pending' as const, sent: true }
    expect(one).toEqual({
      [subscribed!]: sent,
      [both!]: sent,
      [elsewhere!]: passedOver('not_subscribed'),
      [off!]: passedOver('disabled'),
      [offAndElsewhere!]: passedOver('disabled'),
      [gone!]: passedOver('deleted'),
      [later!]: passedOver('created_later'),
    })
  })

  test('with the same delivery ids, which derive from the event and the endpoint', async () => {
    const { sql } = database
    const workspaceId = await newWorkspace(database.sql)
    await addEndpoints(workspaceId, 3)
    const ids = await tellBy(acting, workspaceId, 5)
    const made = await deliveriesOf(workspaceId, ids)
    expect(made).toHaveLength(15)
    const kept = () =>
      sql`select id, sent_to, not_sent_to from outbound_events where id = any(${ids}::uuid[]) order by id`
    const before = await kept()
    // Resets the rows as if the process had used the outbox.
    await sql`delete from deliveries where workspace_id = ${workspaceId}`
    await sql`update outbound_events set fanned_out_at = null, sent_to = null where id = any(${ids}::uuid[])`
    await fanOut(sql, 500)
    expect([...(await kept())]).toEqual([...before])
    const ofIds = (rows: { id: string }[]) => rows.map(({ id }) => id).sort()
    expect(ofIds(await deliveriesOf(workspaceId, ids))).toEqual(ofIds(made))
  })

  test('if an endpoint is removed concurrently: its delivery is found and dropped', async () => {
    const { sql } = database
    const workspaceId = await newWorkspace(database.sql)
    const [webhookId] = await addEndpoints(workspaceId)
    const ways = [
      () => tellBy(acting, workspaceId),
      async () => {
        const ids = await tellBy(sql, workspaceId)
        await fanOut(sql, 500)
        return ids
      },
    ]
    const found = []
    for (const way of ways) {
      await sql`update webhooks set deleted_at = null where id = ${webhookId!}`
      const told = await transaction(sql, async tx => {
        await tx`update webhooks set deleted_at = now() where id = ${webhookId!}`
        return way()
      })
      found.push(await destinationsOf(workspaceId, told[0]!))
    }
    expect(found[0]).toEqual({ [webhookId!]: { reason: null, status: 'dropped', sent: true } })
    expect(found[1]).toEqual(found[0]!)
    await dropOrphanedDeliveries(sql)
    const due = await sql`select 1 from deliveries where workspace_id = ${workspaceId} and due_at is not null`
    expect(due).toHaveLength(0)
  })
})
