/**
 * A workspace with every kind of activity, created through the API as people and shops would. It has recovered carts,
 * replies, a sale, an opt-out, a campaign, working and failing endpoints, and rejected orders. The people are those of
 * the demo.
 */
import { type CartCustomer, customers, type Person, regulars } from '../../../src/app/cli/demo/second-act/customers.ts'
import { winBackDefinition } from '../../../src/app/cli/demo/second-act/win-back.ts'
import type { Resolve } from '../../../src/webhooks/endpoints/index.ts'
import { type Receiver, respond, startReceiver } from '../receiver.ts'
import { answering } from '../stand-in.ts'
import { startTwilio, type Twilio, twilioError } from '../twilio.ts'
import { play } from '../workflows.ts'
import { eventually, startWorld, type World } from '../world.ts'

export interface Showcase {
  world: World
  twilio: Twilio
  /** Receiver that accepts every delivery. */
  shop: Receiver
  /** Receiver that answers 503 to everything. */
  stock: Receiver
  stop(): Promise<void>
}

// Resolves every host name to this machine.
const resolve: Resolve = () => ({ ok: true, addresses: ['127.0.0.1'] })

export const secretsKey = Buffer.alloc(32, 7).toString('base64')

/** Starts a service with receivers and a provider, and an empty workspace. `targets` are those of further receivers. */
export const openShowcase = async (targets: string[] = []): Promise<Showcase> => {
  const [shop, stock, twilio] = await Promise.all([startReceiver(), startReceiver(), startTwilio()])
  stock.behave(respond(503, '{"error":"The warehouse is being counted <b>until Monday</b>."}'))
  const world = await startWorld(
    {
      TWILIO_API_URL: twilio.apiUrl,
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOWED_PRIVATE_TARGETS: [
        ...targets,
        ...[shop, stock].map(({ port }, at) => `${hosts[at]}:${port}`),
      ].join(','),
      // A failing delivery has made seven attempts within milliseconds and then waits two hours.
      WEBHOOK_RETRY_WAITS: '20ms,20ms,20ms,20ms,20ms,20ms,2h',
    },
    { resolve },
  )
  await world.expect(200, 'PATCH', '/v1/workspace', { body: { name: 'Oak & Lamp', timezone: 'Europe/Berlin' } })
  await world.expect(200, 'PATCH', '/v1/auth/user', { body: { name: 'Maren Vogt' } })
  return {
    world,
    twilio,
    shop,
    stock,
    stop: async () => {
      await world.stop()
      await Promise.all([shop.stop(), stock.stop(), twilio.stop()])
    },
  }
}

const hosts = ['hooks.oak-and-lamp.example', 'stock.oak-and-lamp.example']

/** Ids that open the pages of single records. */
export type Ids = Awaited<ReturnType<typeof fill>>

/** Creates every kind of activity, in a second or two. */
export const fill = async ({ world, shop, stock, twilio }: Showcase) => {
  const { expect } = world
  const { workflow, run } = play(() => world)
  const create = async (path: string, body: object) => (await expect(201, 'POST', path, { body })).id as string

  const sandbox = await create('/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  const { credentials } = twilio
  const sms = await create('/v1/channels', { kind: 'twilio_sms', name: 'Text messages', credentials })
  const webhook = await create('/v1/webhooks', {
    name: 'Shop system',
    description: 'Updates the order with message statuses.',
    url: `http://${hosts[0]}:${shop.port}/engagement`,
    events: ['message.status', 'message.received', 'sale.created', 'customer.opted_out', 'campaign.completed'],
    headers: { Authorization: 'Bearer of-the-shop' },
    metadata: { team: 'web', cost_centre: '4711' },
  })
  const templates = await writeTemplates(create)
  const winBack = await workflow(winBackDefinition(templates, sandbox), 'Win back a cart')
  await workflow(thankBy, 'Order thank-you')
  const draft = await create('/v1/workflows', { name: 'Ask for a review', definition: review })

  const record = (type: string, { name, phone }: Person, data: object, headers = {}) =>
    expect(201, 'POST', '/v1/events', { as: 'key', headers, body: { type, name, phone, data } })
  const write = ({ name, phone }: Person, text: string): Promise<{ conversationId: string }> =>
    expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, { body: { from: phone, name, text } })
  const leave = async (one: CartCustomer): Promise<string> => {
    const { event, outcomes } = await record('cart.abandoned', one, one.cart, { 'User-Agent': 'Shopify-Captain-Hook' })
    carts.set(one, event)
    return outcomes.find(({ runId }: { runId: string | null }) => runId !== null)?.runId
  }
  const carts = new Map<CartCustomer, { id: string; customerId: string }>()

  // Some customers replied; Felix only left a cart.
  const { ana, bruno, clara, david, emma, felix } = customers
  const [anaRun] = await Promise.all([ana, bruno, clara, david, emma, felix].map(leave))
  for (const one of [ana, bruno, clara, david, emma])
    await eventually(`${one.name} is written to`, async () => {
      const { data } = await expect(200, 'GET', `/v1/messages?customerId=${carts.get(one)!.customerId}`)
      return data[0]?.status === 'delivered'
    })
  await write(ana, 'Yes!')
  await write(david, 'STOP')
  const question = await write(emma, 'Do you have it in blue?')
  await record('order.paid', bruno, { orderId: 'EU-70112', cartId: bruno.cart.cartId })
  await run(anaRun!, ({ endedAt }) => endedAt !== null)

  await Promise.all(
    regulars.slice(0, 14).map(({ name, phone, city }, at) =>
      record('order.created', { name, phone }, orderOf(at, city), {
        'User-Agent': at % 3 ? 'Shopify-Captain-Hook' : 'warehouse/2.4',
      }),
    ),
  )
  // Creates runs at different steps.
  const { outcomes } = await record('order.created', clara, { orderId: 'EU-70999', total: 640, currency: 'EUR' })
  const waitingRun: string = outcomes.find(({ verdict }: { verdict: string }) => verdict === 'started').runId

  for (const body of [
    { type: 'order.created', phone: '0664 12', data: { total: 12 } },
    { type: 'order.created', phone: '0664 13', data: { total: 19 } },
    { phone: '+447700900101', data: { total: 19 } },
    { type: 'order.created', customer: 'C-17' },
  ])
    await expect(400, 'POST', '/v1/events', { as: 'key', body })
  await record('wishlist.changed', clara, { item: 'Linen napkins' })
  await record('order.delivered', bruno, { orderId: 'EU-70112' })

  await handOver(world)
  const campaign = await create('/v1/campaigns', {
    name: '20% off lamps',
    channelId: sandbox,
    templateId: templates.offer,
    variables: { name: '{{customer.name|there}}', city: '{{customer.attributes.city|your town}}' },
    audience: { where: { path: 'customer.attributes.list', op: 'eq', value: 'regulars' } },
  })
  await expect(202, 'POST', `/v1/campaigns/${campaign}/start`)
  await eventually('the campaign ends', async () => {
    const { status } = await expect(200, 'GET', `/v1/campaigns/${campaign}`)
    return status === 'completed'
  })
  const campaignDraft = await create('/v1/campaigns', {
    name: 'Autumn, rugs and throws',
    channelId: sandbox,
    templateId: templates.offer,
    variables: { name: '{{customer.name|there}}', city: '{{customer.attributes.city|your town}}' },
    audience: { all: true },
  })

  const noor = await join(world, 'Noor Haddad', 'noor@oak-and-lamp.example')
  await expect(201, 'POST', '/v1/members', { body: { email: 'tomas@oak-and-lamp.example', role: 'owner' } })
  const serviceAccount = await create('/v1/members', { kind: 'service', name: 'Terraform', role: 'owner' })
  for (const [name, access, expiresInDays] of [
    ['Pipeline', 'write', 90],
    ['Pull request plans', 'read', 5],
  ])
    await create(`/v1/members/${serviceAccount}/tokens`, { name, access, expiresInDays })
  const { token } = await expect(201, 'POST', '/v1/auth/tokens', { body: { name: 'Weekly report', access: 'write' } })
  const body = { timezone: 'Europe/Berlin' }
  await expect(200, 'PATCH', '/v1/workspace', { as: { Authorization: `Bearer ${token}` }, body })
  const conversation = question.conversationId
  await expect(200, 'PATCH', `/v1/conversations/${conversation}`, { body: { assigneeId: noor.id } })
  const asNoor = { as: { Authorization: `Bearer ${noor.token}` } }
  await expect(201, 'POST', `/v1/conversations/${conversation}/messages`, {
    ...asNoor,
    body: { text: 'Hi Emma, yes! In blue it is 199.95 EUR. Shall I send it?' },
  })
  await write(emma, 'Lovely, please do.')
  await expect(201, 'POST', `/v1/conversations/${conversation}/sale`, {
    ...asNoor,
    body: { amount: 199.95, currency: 'EUR', note: 'Wool rug, blue' },
  })
  await write({ name: 'Greta Lindqvist', phone: '+447700900107' }, 'Hello! Are you open on Saturday?')
  await write({ name: 'Hugo Marchetti', phone: '+447700900108' }, 'please stop texting me')
  await write(emma, 'And does the rug come with a pad? The floor is stone, and it slides when the children run.')

  await create('/v1/api-keys', { name: 'warehouse' })
  await create('/v1/api-keys', { name: 'till in the shop' })
  await expect(204, 'DELETE', `/v1/api-keys/${await create('/v1/api-keys', { name: 'old shop' })}`)

  const { data: told } = await expect(200, 'GET', '/v1/outbound-events?type=message.status')
  const delivery = await eventually('the shop received the event', async () => {
    const { data } = await expect(200, 'GET', `/v1/webhooks/${webhook}/deliveries?eventType=message.status`)
    return data[0]?.status === 'delivered' && data[0].id
  })
  const { data: members }: { data: { id: string; userId: string | null }[] } = await expect(200, 'GET', '/v1/members')
  return {
    sandbox,
    sms,
    webhook,
    templates,
    winBack,
    draft,
    /** One run has ended and one waits. */
    run: anaRun!,
    waitingRun,
    event: carts.get(ana)!.id,
    /** Started no run, because its total was too small. */
    smallCart: carts.get(felix)!.id,
    customer: carts.get(emma)!.customerId,
    conversation,
    campaign,
    campaignDraft,
    member: members.find(({ userId }) => userId === noor.id)!.id,
    serviceAccount,
    outbound: told[0].id as string,
    delivery: delivery as string,
    ...(await breakStock(world, stock)),
    message: (await expect(200, 'GET', `/v1/messages?customerId=${carts.get(emma)!.customerId}`)).data[0].id as string,
    refusal: (await expect(200, 'GET', '/v1/activity/not-accepted')).data[0].id as string,
    entry: (await expect(200, 'GET', '/v1/audit')).data[0].id as string,
  }
}

const items = ['Floor lamp, brass', 'Oak side table', 'Linen tablecloth', 'Desk lamp, green', 'Wool rug, grey']

const orderOf = (at: number, city: string) => ({
  orderId: `EU-7${String(200 + at)}`,
  total: [39.9, 129.95, 249, 18.5][at % 4],
  currency: 'EUR',
  items: [{ name: items[at % items.length], qty: 1 + (at % 3) }],
  shipping: { city, country: 'DE', method: 'parcel' },
})

const isLarge = { path: 'data.total', op: 'gte', value: 500 }
const thanks =
  'Hi {{customer.name|there}}, thank you! Your order {{data.orderId}} is on its way to {{data.shipping.city|you}}.'
const thankBy = {
  trigger: { eventType: 'order.created' },
  start: 'large?',
  steps: {
    'large?': { type: 'condition', if: isLarge, then: 'call_first', else: 'thanks' },
    call_first: { type: 'delay', for: '2h', next: 'thanks' },
    thanks: { type: 'send_message', text: thanks, next: null },
  },
}

const review = {
  trigger: { eventType: 'order.delivered' },
  start: 'wait',
  steps: {
    wait: { type: 'delay', for: '3d', next: 'ask' },
    ask: { type: 'send_message', text: 'How do you like it?', next: null },
  },
}

const samples: Record<string, string> = {
  name: 'Ana Moreno',
  item: 'Floor lamp, brass',
  total: '129.95 EUR',
  city: 'Lisbon',
}

const writeTemplates = async (create: (path: string, body: object) => Promise<string>) => {
  const template = (name: string, body: string, category = 'utility') => {
    const variables = [...body.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => ({ name, sample: samples[name!] }))
    return create('/v1/templates', { name, category, body, variables })
  }
  return {
    reminder: await template(
      'Cart reminder',
      'Hi {{name}}, your cart is waiting: {{item}}, {{total}}. Shall we send it? Just answer yes.',
    ),
    gift: await template(
      'Cart reminder with a gift',
      'Dear {{name}}, {{item}} is still in your cart, {{total}} in total. Reply YES and we’ll add a gift.',
    ),
    thanks: await template('Order confirmed', 'Thank you, {{name}}! On its way to you: {{item}}.'),
    offer: await template(
      'Lamps for regulars',
      'Hi {{name}}, until Sunday all lamps are 20% off for our regulars in {{city}}. Reply STOP to opt out.',
      'marketing',
    ),
  }
}

/** Imports the shop's list of regular customers, with their consents. */
const handOver = ({ expect }: World) =>
  Promise.all(
    regulars.map(async ({ name, phone, city, consent }) => {
      // Some of them already exist, because they have just ordered.
      const { data } = await expect(200, 'GET', `/v1/customers?phone=${encodeURIComponent(phone)}`)
      const attributes = { list: 'regulars', city }
      const id = data[0]?.id ?? (await expect(201, 'POST', '/v1/customers', { body: { name, phone, attributes } })).id
      if (data[0]) await expect(200, 'PATCH', `/v1/customers/${id}`, { body: { attributes } })
      if (consent === 'opted in')
        await expect(200, 'POST', `/v1/customers/${id}/opt-in`, { body: { evidence: 'Ticked at the checkout' } })
      if (consent === 'opted out')
        await expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: 'Asked for it at the counter' } })
    }),
  )

const join = async ({ expect, owner }: World, name: string, email: string) => {
  const { invitation } = await expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
  const { token, user } = await expect(200, 'POST', '/v1/auth/accept-invitation', {
    as: 'nobody',
    body: { token: invitation.url.split('#token=')[1], name, password: owner.password },
  })
  return { token: token as string, id: user.id as string }
}

/** Creates a failing endpoint: one delivery has failed permanently, and others wait for their retry. */
const breakStock = async ({ expect, database }: World, { port }: Receiver) => {
  const { id: broken } = await expect(201, 'POST', '/v1/webhooks', {
    body: { name: 'Stock', url: `http://${hosts[1]}:${port}/events`, events: ['sale.created', 'message.status'] },
  })
  const path = `/v1/webhooks/${broken}`
  const tested = await Promise.all([1, 2, 3].map(() => expect(202, 'POST', `${path}/test`)))
  const [failedDelivery, waitingDelivery] = tested.map(({ id }) => id as string)
  const attempted = (id: string, attempts: number) =>
    eventually(`${attempts} attempts`, async () => {
      const delivery = await expect(200, 'GET', `${path}/deliveries/${id}`)
      return delivery.attempts >= attempts && delivery.status !== 'pending'
    })
  await Promise.all(tested.map(({ id }) => attempted(id, 7)))
  // Makes its last retry due immediately. The next delivery wakes the endpoint.
  await database.sql`update deliveries set due_at = now() where id = ${failedDelivery!}`
  await expect(202, 'POST', `${path}/test`)
  await attempted(failedDelivery!, 8)
  const filter = { path: 'data.currency', op: 'eq', value: 'EUR' }
  const books = { name: 'Bookkeeping', url: `http://${hosts[1]}:${port}/books`, events: ['sale.created'], filter }
  const { id: quiet } = await expect(201, 'POST', '/v1/webhooks', { body: books })
  await expect(200, 'POST', `/v1/webhooks/${quiet}/hold`)
  return { broken, quiet, failedDelivery: failedDelivery!, waitingDelivery: waitingDelivery! }
}

/** Makes the provider refuse every text message. */
export const refuseChannel = async ({ world: { expect }, twilio }: Showcase, { sms, customer }: Ids) => {
  twilio.behave(answering(twilioError(401, 20003, 'Authenticate')))
  const { id } = await expect(201, 'POST', '/v1/conversations', { body: { channelId: sms, customerId: customer } })
  await expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'Your rug is here.' } })
  await eventually('the channel is refused', async () => {
    const { status } = await expect(200, 'GET', `/v1/channels/${sms}`)
    return status !== 'connected'
  })
}

/** Name of the global that would be set if any of the hostile text were executed. */
export const executed = 'executedByText'

const markup = `<script>window.${executed}=1</script><img src=x onerror="window.${executed}=1"><b>bold</b>`
const markdown = `# Heading **bold** [link](javascript:window.${executed}=1) ![](https://elsewhere.example/x.png)`
/** Direction overrides, right-to-left letters and zero-width characters. */
const bidi = '\u202Egnp.\u2066exe\u2069 \u0645\u0631\u062D\u0628\u0627 \u05E9\u05DC\u05D5\u05DD 123'
const zeroWidth = 'A\u200Bn\u200Da\uFEFF\u200E'
const emoji =
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}\u{1F3F3}\uFE0F\u200D\u{1F308} Z\u0335\u0321\u0322\u031B\u0353\u0354\u033B\u0326\u033B\u034D\u031Aa\u0335\u0321\u0322'
const long = (length: number) => 'W'.repeat(length)

/** Fills the workspace with hostile input from people and systems. Returns the pages that show it. */
export const fillHostile = async ({ world, shop }: Showcase, { sandbox, templates }: Ids) => {
  const { expect } = world
  const create = async (path: string, body: object) => (await expect(201, 'POST', path, { body })).id as string
  const names = [markup, markdown, bidi, zeroWidth + emoji, long(200)].map(text => text.slice(0, 200))
  const people = names.map((name, at) => ({ name, phone: `+4477009003${String(at).padStart(2, '0')}` }))
  const data: Record<string, unknown> = {
    [markup.slice(0, 60)]: markup,
    [long(120)]: long(10_000),
    bidi,
    emoji,
    zeroWidth,
    __proto: { constructor: { prototype: markdown } },
    deep: { a: { b: { c: { d: { e: [[[[[markup]]]]] } } } } },
    large: 12345678901234567890n.toString(),
    many: Array.from({ length: 120 }, (_, at) => ({ at, text: bidi })),
  }
  const texts = [markup, markdown, `${bidi}\n${bidi}`, emoji.repeat(20), long(4096)]
  const events = []
  const messages = []
  for (const [at, { name, phone }] of people.entries()) {
    const order = { type: 'order.created', name, phone, data: { ...data, orderId: markup } }
    const headers = { 'User-Agent': markup }
    events.push(await expect(201, 'POST', '/v1/events', { as: 'key', headers, body: order }))
    const body = { from: phone, name, text: texts[at] }
    messages.push(await expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, { body }))
  }
  await expect(200, 'PATCH', `/v1/customers/${events[0].event.customerId}`, {
    body: { attributes: { [long(40)]: long(900), markup, bidi, emoji } },
  })
  await expect(400, 'POST', '/v1/events', {
    as: 'key',
    headers: { 'User-Agent': long(300) },
    body: { type: markup, phone: bidi, data: markup, [long(150)]: bidi },
  })
  await create('/v1/webhooks', {
    name: markup.slice(0, 100),
    description: `${bidi} ${long(400)}`.slice(0, 500),
    url: `http://${hosts[0]}:${shop.port}/${long(500)}`,
    events: ['sale.created'],
    metadata: { [markup.slice(0, 40)]: long(400) },
  })
  const hostileTemplate = await create('/v1/templates', {
    name: markup.slice(0, 100),
    category: 'utility',
    body: `${markup}\n${markdown}\n${bidi} {{name}} ${long(1000)}`,
    variables: [{ name: 'name', sample: markup.slice(0, 200) }],
  })
  await create('/v1/campaigns', {
    name: long(100),
    channelId: sandbox,
    templateId: templates.thanks,
    variables: { name: '{{customer.name|there}}', item: markup.slice(0, 200) },
    audience: { all: true },
  })
  const hostileWorkflow = await create('/v1/workflows', {
    name: markup.slice(0, 100),
    definition: {
      trigger: { eventType: 'order.created', where: { path: 'data.note', op: 'eq', value: long(300) } },
      start: long(40),
      steps: {
        [long(40)]: { type: 'condition', if: { path: 'data.x', op: 'eq', value: markup }, then: 'say', else: 'say' },
        say: { type: 'send_message', text: `${markup}\n${long(600)}`, next: null },
      },
    },
  })
  await create('/v1/api-keys', { name: markup.slice(0, 100) })
  await create('/v1/channels', { kind: 'sandbox', name: bidi + long(60) })
  return {
    hostileEvent: events[0].event.id as string,
    hostileCustomer: events[0].event.customerId as string,
    hostileConversation: messages[4].conversationId as string,
    hostileMarkup: messages[0].conversationId as string,
    hostileTemplate,
    hostileWorkflow,
  }
}
