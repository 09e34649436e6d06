/** Tests of many more hanging endpoints than concurrent attempts, next to healthy ones. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { tell } from '../support/outbox.ts'
import { hang, type Receiver, startReceiver } from '../support/receiver.ts'
import { eventually, startWorld, type World } from '../support/world.ts'

setDefaultTimeout(60_000)

const hanging = 600
const healthy = 5
/** Bun's default limit of concurrent requests. A few of them are not used for attempts. */
const maxOutbound = 256

let receivers: { hangs: Receiver; answers: Receiver }
let world: World
beforeAll(async () => {
  receivers = { hangs: await startReceiver({ behaviour: hang() }), answers: await startReceiver() }
  world = await startWorld({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${receivers.hangs.target},${receivers.answers.target}`,
    WEBHOOK_TIMEOUT: '60s',
    BUN_CONFIG_MAX_HTTP_REQUESTS: String(maxOutbound),
  })
})
afterAll(async () => {
  await receivers.hangs.stop()
  await receivers.answers.stop()
  await world.stop()
})

const endpoints = async (count: number, url: string): Promise<string[]> => {
  const rows = await world.database.sql<{ id: string }[]>`
    insert into webhooks (workspace_id, url, events, secret)
    select ${world.workspaceId}, ${url}, '{workflow.run}', 'whsec_x' from generate_series(1, ${count}::integer)
    returning id`
  return rows.map(({ id }) => id)
}

test('600 hanging endpoints take no permits from healthy ones, and polling reaches each of them', async () => {
  const { sql } = world.database
  const { hangs, answers } = receivers
  const [eventId] = await tell(sql, world.workspaceId, 'message.status')
  /** Inserts deliveries without a wake-up, so that only polling finds them. */
  const makeDue = (webhooks: string[], each: number) => sql`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at)
    select ${world.workspaceId}, webhook_id, ${eventId!}, now()
    from unnest(${webhooks}::uuid[]) webhook_id, generate_series(1, ${each}::integer)`
  const stuck = await endpoints(hanging, hangs.url)
  const well = await endpoints(healthy, answers.url)

  await makeDue(well, 1)
  await answers.waitFor(healthy)
  await makeDue(stuck, 3)
  await eventually('the maximum number hangs', () => hangs.requests.length >= (maxOutbound - 16) / 2)
  for (let round = 1; round <= 3; round++) {
    await makeDue(well, 10)
    await answers.waitFor(healthy * (1 + 10 * round))
  }
  await eventually('each hanging endpoint has an actor', async () => {
    const [row] = await sql<{ awake: number }[]>`
      select count(*)::integer as awake from leases where actor_id = any(${stuck}::uuid[])`
    return row!.awake === hanging
  })
  expect(hangs.openConnections).toBeLessThanOrEqual((3 / 4) * maxOutbound)
})
