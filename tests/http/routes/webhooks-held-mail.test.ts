/** Whoever owns an endpoint that we hold is written to. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { tell } from '../../support/outbox.ts'
import { type Receiver, respond, startReceiver } from '../../support/receiver.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

let post: MailServer
let receiver: Receiver
let world: World
beforeAll(async () => {
  post = await startMailServer()
  receiver = await startReceiver({ behaviour: respond(500) })
  world = await startWorld({
    SMTP_URL: post.url,
    MAIL_FROM: 'Shop <engage@shop.example>',
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_RETRY_WAITS: Array(7).fill('5ms').join(),
  })
})
afterAll(async () => {
  await world.stop()
  await Promise.all([receiver.stop(), post.stop()])
})

test('the owners of an endpoint that has failed for five days are told by mail that it is held, and agents are not', async () => {
  const { sql } = world.database
  const join = async (role: string): Promise<string> => {
    const email = `${role}-${crypto.randomUUID()}@shop.example`
    await world.expect(201, 'POST', '/v1/members', { body: { email, role } })
    const { text } = await post.mailTo(email)
    const body = { token: /#token=([\w-]+)/.exec(text)![1]!, name: role, password: 'a password of some length' }
    await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: 'nobody', body })
    return email
  }
  const [agent, owner] = [await join('agent'), await join('owner')]
  const webhook = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: `${receiver.url}/secret-path`, events: ['campaign.completed'], name: 'Orders\nof\tthe shop' },
  })
  await tell(sql, world.workspaceId, 'campaign.completed', { count: 3 })
  await eventually('all have failed, and that is written down', async () => {
    const [row] = await sql`select failed_attempts from webhook_health where webhook_id = ${webhook.id}`
    return row?.failed_attempts === 24
  })
  await sql`update webhook_health set failing_since = '2026-03-01T09:30:00Z' where webhook_id = ${webhook.id}`
  await tell(sql, world.workspaceId, 'campaign.completed')

  for (const email of [world.owner.email, owner]) {
    const { subject, text } = await post.mailTo(email)
    expect(subject).toBe('Deliveries to Orders of the shop are on hold')
    expect(text).toContain(new URL(receiver.url).host)
    expect(text).toContain('since 2026-03-01')
    expect(text).toContain(`/v1/webhooks/${webhook.id}/release`)
    expect(text).not.toContain('secret-path')
  }
  expect((await world.expect(200, 'GET', `/v1/webhooks/${webhook.id}`)).heldBy).toBe('service')
  await eventually('no mail is to be sent any more', async () => {
    const rows = await sql`select 1 from graphile_worker.jobs where task_identifier = 'send_mail'`
    return rows.length === 0
  })
  expect(post.taken.filter(({ to }) => to.includes(agent))).toEqual([])
})
