/**
 * Test that kills the service repeatedly while a shop uses all its features. Customers write, workflows answer and
 * wait, sales are recorded, and a campaign runs. The provider does not know our ids.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Database } from '../../src/platform/postgres/client.ts'
import { booksOf, makeCustomers } from '../support/campaigns.ts'
import { type ServiceProcess, spawnProcess } from '../support/process.ts'
import { answerAfter, type Mood, slow } from '../support/stand-in.ts'
import { startWhatsApp, type WhatsApp } from '../support/whatsapp.ts'
import { eventually } from '../support/world.ts'
import {
  callBackUntilTaken,
  callbackOf,
  callbackOfStatus,
  expectAllToldTo,
  expectDeliveriesToAgree,
  pause,
  repeat,
  useProcesses,
} from './support.ts'

setDefaultTimeout(180_000)

const { start, atEnd } = useProcesses()

const kills = 10
const recipients = 300
const optedOut = 7
/** Concurrent shoppers, and the maximum in total. */
const [atOnce, mostShoppers] = [6, 250]
/** Maximum time for the last process to finish the remaining work. */
const endMs = 40_000

/** Accepts each message at a random moment of its response, so that kills happen before and after it. */
const atSomeMoment: Mood = (response, take) => {
  const ms = Math.random() * 60
  return (Math.random() < 0.5 ? slow(ms) : answerAfter(() => pause(ms)))(response, take)
}

type Made = Awaited<ReturnType<typeof setUp>>

const cart = (channelId: string, sandboxId: string) => ({
  trigger: { eventType: 'cart.created', where: { path: 'data.total', op: 'gt', value: 0 } },
  start: 'tag',
  steps: {
    tag: { type: 'set_attribute', set: { lastCart: '{{data.number}}' }, next: 'text' },
    text: { type: 'send_message', text: 'Still thinking of cart {{data.number}}?', channelId, next: 'answer' },
    answer: {
      type: 'wait_for',
      timeout: '1h',
      onTimeout: 'lost',
      any: [
        { reply: { in: ['yes'] }, next: 'sold' },
        { event: 'cart.paid', match: { 'data.number': 'trigger.data.number' }, next: 'rest' },
      ],
    },
    sold: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', note: 'cart', next: 'rest' },
    rest: { type: 'delay', for: '1s', next: 'thanks' },
    thanks: { type: 'send_message', text: 'Thanks for cart {{data.number}}', channelId: sandboxId, next: null },
    lost: { type: 'exit', reason: 'no_answer' },
  },
})

const setUp = async () => {
  const whatsapp = await startWhatsApp()
  atEnd(whatsapp.stop)
  const started = await start({ whatsapp, errors: ['08006'] })
  const { sql, ask, shop, callbackUrls } = started
  const make = (path: string, body: unknown) => ask(201, 'POST', path, body)
  await ask(200, 'PATCH', `/v1/webhooks/${shop.webhooks[0]}`, {
    events: ['message.received', 'message.status', 'sale.created', 'customer.opted_out', 'campaign.completed'],
  })
  const { data } = await ask(200, 'GET', '/v1/channels')
  const idOf = (kind: string): string => data.find((channel: { kind: string }) => channel.kind === kind).id
  whatsapp.templates.push({ name: 'greeting', language: 'en', parameters: 1 })
  const greeting = { body: 'Hello {{name}}', variables: [{ name: 'name', sample: 'Ada' }] }
  const provider = { name: 'greeting', language: 'en' }
  const template = await make('/v1/templates', { name: 'Greeting', category: 'utility', ...greeting, provider })
  const definition = cart(idOf('whatsapp_cloud'), idOf('sandbox'))
  const workflow = await make('/v1/workflows', { name: 'Carts', definition })
  await ask(200, 'POST', `/v1/workflows/${workflow.id}/publish`)
  await ask(200, 'PATCH', `/v1/workflows/${workflow.id}`, { enabled: true })
  const [workspace] = await sql<{ id: string }[]>`select id from workspaces`
  const customerIds = await makeCustomers(sql, workspace!.id, recipients)
  for (const id of customerIds.slice(0, optedOut))
    await ask(200, 'POST', `/v1/customers/${id}/opt-out`, { reason: 'asked' })
  const campaign = await make('/v1/campaigns', {
    name: 'Spring',
    channelId: idOf('whatsapp_cloud'),
    templateId: template.id,
    variables: { name: '{{customer.name}}' },
    audience: { where: { path: 'customer.attributes.number', op: 'gt', value: 0 } },
  })
  whatsapp.behave(atSomeMoment)
  return { ...started, whatsapp, callbackPath: new URL(callbackUrls[0]!).pathname, campaignId: campaign.id }
}

/** Returns the URL of the running process, or null while there is none. */
type Url = () => string | null

const callbackUrl =
  ({ callbackPath }: Made, url: Url): Url =>
  () => {
    const at = url()
    return at === null ? null : at + callbackPath
  }

/** Sends an event until it is recorded, or until its idempotency key shows that it already was. */
const record = (url: Url, key: string, event: { idempotencyKey: string; [field: string]: unknown }) => {
  const post = async () => {
    const at = url()
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
    const request = { method: 'POST', headers, body: JSON.stringify(event) }
    const response = at === null ? null : await fetch(`${at}/v1/events`, request).catch(() => null)
    await response?.text().catch(() => '')
    if (response) expect([200, 201, 503]).toContain(response.status)
    return response !== null && response.status !== 503
  }
  return eventually(`${event.idempotencyKey} is recorded`, post, 60_000)
}

/** Returns the phone number of a shopper. */
const phoneOf = (number: number) => `+49153${String(10_000_000 + number)}`
const saysYes = (number: number) => number % 2 === 0

/**
 * Each shopper writes, fills a cart, and then says yes or pays. Failed requests are sent again. Some successful
 * callbacks are repeated too.
 */
const startShoppers = (made: Made, url: Url) => {
  const { whatsapp, shop } = made
  const written: string[] = []
  let number = 0
  const write = async (n: number, text: string) => {
    const id = `wamid.${n}.${text}`
    written.push(id)
    const body = callbackOf(whatsapp, { from: phoneOf(n), text, id })
    for (let times = Math.random() < 0.3 ? 2 : 1; times > 0; times--)
      await callBackUntilTaken(callbackUrl(made, url), whatsapp, body)
  }
  const shopper = async (n: number) => {
    await write(n, 'Hello')
    const data = { number: n, total: n + 0.5 }
    await record(url, shop.key, { type: 'cart.created', idempotencyKey: `cart-${n}`, phone: phoneOf(n), data })
    if (saysYes(n)) await write(n, 'Yes!')
    else await record(url, shop.key, { type: 'cart.paid', idempotencyKey: `paid-${n}`, phone: phoneOf(n), data })
  }
  const stop = repeat(atOnce, async () => {
    if (number < mostShoppers) await shopper(++number)
    else await pause(10)
  })
  /** Starts no more shoppers. Resolves to their number once all have finished. */
  return { written, stop: () => stop().then(() => number) }
}

/** WhatsApp reports every second message to a shopper as delivered, twice. It sends no statuses for campaigns. */
const startTelling = (made: Made, url: Url) => {
  const { whatsapp } = made
  let going = true
  const tell = async () => {
    for (let next = 0; going || next < whatsapp.sent.length; ) {
      const message = whatsapp.sent[next]
      if (!message) {
        await pause(10)
        continue
      }
      next++
      if (!message.to?.startsWith('49153') || Number(message.to) % 2 === 0) continue
      const body = callbackOfStatus(whatsapp, message, 'delivered')
      for (let times = 0; times < 2; times++) await callBackUntilTaken(callbackUrl(made, url), whatsapp, body)
    }
  }
  const done = tell()
  done.catch(() => {})
  const stop = () => {
    going = false
    return done
  }
  return { stop }
}

/** Makes the in-flight messages of a killed process due immediately, instead of waiting until it must be dead. */
const letTimePass = (sql: Database) =>
  sql`update messages set due_at = now() where send_started_at is not null and due_at > now()`

test('finishes every run and sends each message once when it is killed repeatedly', async () => {
  const made = await setUp()
  const { sql, ask, settings, receiver, campaignId, whatsapp } = made
  let service: ServiceProcess = made.service
  let over = false
  atEnd(() => {
    over = true
  })
  const url = () => {
    if (over) throw new Error('the test is over')
    return service.running && service.url !== '' ? service.url : null
  }
  const shoppers = startShoppers(made, url)
  const telling = startTelling(made, url)
  await eventually('the first conversations are complete', () => whatsapp.sent.length > atOnce, 30_000)
  await ask(202, 'POST', `/v1/campaigns/${campaignId}/start`)

  for (let kill = 0; kill < kills; kill++) {
    // Some kills happen before the process has started.
    if (Math.random() > 0.15) await service.waitForLine('started', 60_000)
    await pause(30 + Math.random() * 900)
    await service.end('SIGKILL')
    if (kill === kills - 1) await letTimePass(sql)
    service = spawnProcess(settings)
  }
  const count = await shoppers.stop()
  await eventually('every run and every message is done', () => isDone(sql), endMs)
  await telling.stop()

  await expectRunsToBeWhole(sql, count)
  await expectInboundOnce(sql, shoppers.written, count)
  await expectHandedOverOnce(sql, whatsapp)
  await expectCampaignToAddUp(sql)
  await expectAllToldTo(sql, [receiver], endMs)
  await expectDeliveriesToAgree(sql, endMs)
})

const isDone = async (sql: Database): Promise<boolean> => {
  const [row] = await sql`
    select not exists (select 1 from workflow_runs where ended_at is null)
      and not exists (select 1 from messages where due_at is not null)
      and not exists (select 1 from campaigns where status <> 'completed') as done`
  return row!.done
}

/** Fails unless every shopper has one completed run, with each step executed once. */
const expectRunsToBeWhole = async (sql: Database, shoppers: number) => {
  expect(shoppers).toBeGreaterThan(kills)
  const odd =
    await sql`select id, step_id, status, end_reason from workflow_runs where end_reason is distinct from 'completed'`
  expect([...odd]).toEqual([])
  const rows = await sql<{ phone: string; attributes: object; did: string[]; messages: string[]; sales: string[] }[]>`
    select c.phone, c.attributes,
      (select array_agg(s.step_id || ': ' || s.outcome order by s.position) from workflow_run_steps s
        where s.workspace_id = r.workspace_id and s.run_id = r.id) as did,
      (select array_agg(coalesce(m.text, '') order by m.run_step) from messages m
        where m.workspace_id = r.workspace_id and m.run_id = r.id) as messages,
      (select coalesce(array_agg(s.amount::text), '{}') from sales s
        where s.workspace_id = r.workspace_id and s.run_id = r.id) as sales
    from workflow_runs r join customers c on c.workspace_id = r.workspace_id and c.id = r.customer_id
    order by c.phone`
  expect([...rows]).toEqual(
    Array.from({ length: shoppers }, (_, index) => {
      const number = index + 1
      return {
        phone: phoneOf(number),
        attributes: { lastCart: String(number) },
        did: [
          'tag: set',
          'text: queued',
          'answer: waiting',
          ...(saysYes(number) ? ['answer: reply', 'sold: marked'] : ['answer: event']),
          'rest: waiting',
          'thanks: queued',
        ],
        messages: [`Still thinking of cart ${number}?`, `Thanks for cart ${number}`],
        sales: saysYes(number) ? [`${number}.5`] : [],
      }
    }),
  )
  const yes = Math.floor(shoppers / 2)
  const [counts] = await sql`
    select (select count(*)::integer from events) as events, (select count(*)::integer from sales) as sales,
      (select count(*)::integer from outbound_events where type = 'sale.created') as told`
  expect({ ...counts! }).toEqual({ events: 2 * shoppers - yes, sales: yes, told: yes })
}

/** Fails unless each customer message exists once, in the one conversation with that customer, with one event. */
const expectInboundOnce = async (sql: Database, written: readonly string[], shoppers: number) => {
  const [row] = await sql`
    select count(*)::integer as messages, count(distinct m.provider_message_id)::integer as distinct,
      count(distinct m.conversation_id)::integer as conversations, count(distinct m.customer_id)::integer as customers,
      (select count(*)::integer from outbound_events where type = 'message.received') as told
    from messages m where m.direction = 'inbound'`
  const n = written.length
  expect({ ...row! }).toEqual({ messages: n, distinct: n, conversations: shoppers, customers: shoppers, told: n })
}

/**
 * Fails if a message went to the provider twice. Messages shown as sent must have been sent, and all others must be
 * unknown.
 */
const expectHandedOverOnce = async (sql: Database, whatsapp: WhatsApp) => {
  const handedOver = whatsapp.sent.map(({ opaque }) => opaque!)
  expect(new Set(handedOver).size).toBe(handedOver.length)
  const addressed = whatsapp.sent.map(({ to }) => to)
  expect(new Set(addressed).size).toBe(addressed.length)
  const rows = await sql<{ id: string; status: string; detail: string | null }[]>`
    select m.id, m.status, m.detail from messages m join channels ch on ch.workspace_id = m.workspace_id and ch.id = m.channel_id
    where ch.kind = 'whatsapp_cloud' and m.direction = 'outbound'`
  const reached = new Set(handedOver)
  const odd = rows.filter(({ id, status }) => {
    if (status === 'unknown') return false
    return reached.has(id) ? status !== 'sent' && status !== 'delivered' : status !== 'skipped'
  })
  expect(odd).toEqual([])
  expect(handedOver.filter(id => !rows.some(row => row.id === id))).toEqual([])
  const thanks = await sql`select from messages m join channels ch on ch.workspace_id = m.workspace_id
    and ch.id = m.channel_id where ch.kind = 'sandbox' and m.status <> 'delivered'`
  expect(thanks).toHaveLength(0)
}

const expectCampaignToAddUp = async (sql: Database) => {
  const books = await booksOf(sql)
  expect(books).toEqual([expect.objectContaining({ status: 'completed', recipients, counted: recipients, queued: 0 })])
  const { sent, skipped, unknown } = books[0]!
  expect(sent + skipped + unknown).toBe(recipients)
  expect(books[0]).toMatchObject({ skipped: optedOut, moved: true, twice: 0, told: 1, toldRight: 1 })
}
