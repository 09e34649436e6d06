/** Tests of the Events, Rejected events and Outbound pages and of the traces, in a real browser if one is available. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page, Route } from 'playwright-core'
import { verdictOf } from '../../src/dashboard/api/verdicts.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, untilFocused, useBrowser } from '../support/browser/dashboard.ts'
import { rawValuesIn } from '../support/browser/raw-values.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { ended, play } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

test('an event of an erased customer names no reason why its workflow was skipped', () => {
  const verdict = 'not_run_for_customer'
  expect(verdictOf({ verdict }, {})).toBe('skipped')
  expect(verdictOf({ verdict }, { total: 5 })).toBe('filtered')
  expect(verdictOf({ verdict, rule: 'once' }, {})).toBe('once')
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
  const browser = useBrowser()
  /** Events: the order started a workflow, the cart started nothing. */
  let order: string
  let cart: string
  let outbound: string
  let webhookId: string

  const bodyOf = (page: Page) => page.getByRole('textbox', { name: 'Request body' })
  /** Text of the editor. */
  const jsonIn = async (body: Locator): Promise<string> => {
    const lines = body.locator('.cm-line')
    await lines.first().waitFor()
    return (await lines.allTextContents()).join('\n')
  }

  beforeAll(async () => {
    const { workflow, event } = play(() => world)
    webhookId = (
      await world.expect(201, 'POST', '/v1/webhooks', {
        body: { name: 'Shop', url: receiver.url, events: ['message.status'] },
      })
    ).id
    // Subscribes to another event type, so it is skipped.
    await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: 'https://sales.example.com/hook', events: ['customer.opted_out'], name: 'Sales' },
    })
    await world.sandbox()
    await workflow(
      {
        trigger: { eventType: 'order.created' },
        start: 'large',
        steps: {
          large: { type: 'condition', if: { path: 'data.total', op: 'gte', value: 100 }, then: 'wait', else: 'wait' },
          wait: { type: 'delay', for: '50ms', next: 'thank' },
          thank: { type: 'send_message', text: 'Thank you', next: 'sell' },
          sell: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', next: 'end' },
          end: { type: 'exit', reason: 'was_thanked' },
        },
      },
      'Order thank-you',
    )
    await workflow(
      {
        trigger: { eventType: 'cart.abandoned', where: { path: 'data.total', op: 'gte', value: 20 } },
        start: 'remind',
        steps: { remind: { type: 'send_message', text: 'Your cart waits', next: null } },
      },
      'Win back a cart',
    )
    order = (await event('order.created', '+12025550101', { total: 129.9 })).event.id
    cart = (await event('cart.abandoned', '+12025550102', { total: 12.5 })).event.id
    await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: '0664 12' } })
    outbound = await eventually('the delivery is recorded', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
      return data[0]?.status === 'delivered' && data[0].eventId
    })
  })

  const pathOf = (page: Page) => new URL(page.url()).pathname
  const line = (page: Page) => page.getByRole('list', { name: /^Trace/ })
  const textOf = async (page: Page) => ((await line(page).textContent()) ?? '').replace(/\s+/g, ' ')

  test('shows the same age of an event in its row and in its panel', async () => {
    const { createdAt } = await world.expect(200, 'GET', `/v1/events/${order}`)
    const { page } = await openDashboard(browser, world, '/templates')
    const after = (seconds: number) => page.clock.setFixedTime(Date.parse(createdAt) + seconds * 1000)
    await after(10)
    // The rows are rendered later than the panel.
    const read = Promise.withResolvers<void>()
    await page.route('**/v1/activity/events?*', async route => {
      await read.promise
      await route.continue()
    })
    await page.goto(`/events/${order}`)
    const panel = page.getByRole('complementary')
    await panel.getByText('10 sec. ago').waitFor()
    await after(40)
    read.resolve()
    await page.getByRole('row').getByText('40 sec. ago').first().waitFor()
    await panel.getByText('40 sec. ago').waitFor({ timeout: 2000 })
    await panel.getByRole('link', { name: 'Send again' }).hover()
    await page.getByRole('tooltip').getByText('You can change them before you send a new event.').waitFor()
    // The trace of an event of another day begins with the day.
    const span = panel
      .getByRole('list', { name: /^Trace/ })
      .locator('time')
      .first()
    expect(await span.textContent()).toMatch(/^\d+:\d\d:\d\d/)
    await after(2 * 86_400)
    await page.reload()
    await span.getByText(/^\w+ \d+, \d+:\d\d:\d\d/).waitFor()
  })

  test('shows the trace of an event up to the endpoint, with a link on each span', async () => {
    const { page } = await openDashboard(browser, world, `/events/${order}`)
    await line(page)
      .getByRole('link', { name: /200 in/ })
      .waitFor()
    expect(await textOf(page)).toMatch(
      /^order\.created.*Order thank-you v1.*Branch.*large.*Yes.*Waited .*Thank you.* delivered.*message\.status.*Shop · 200 in/,
    )
    // A wait has its time like every other span: its end.
    const spans = line(page).getByRole('listitem')
    await spans
      .filter({ hasText: /^Waited/ })
      .getByText(/^\+\d/)
      .waitFor()
    expect(await line(page).locator('time').count()).toBe(await spans.count())
    await line(page)
      .getByRole('link', { name: 'Sale of €129.90 recorded' })
      .and(page.locator('[href*="/sales?customerId="]'))
      .waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    await line(page).getByRole('link', { name: 'message.status' }).click()
    await page.getByRole('heading', { name: 'Destinations' }).waitFor()
    expect(pathOf(page)).toBe(`/outbound/${outbound}`)
    // Follows the same trace from its other end.
    await line(page).getByRole('link', { name: 'order.created' }).click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    expect(pathOf(page)).toBe(`/events/${order}`)
    await line(page)
      .getByRole('link', { name: /Thank you.* delivered/ })
      .click()
    await page.getByRole('heading', { name: 'Status history' }).waitFor()
    await page.getByRole('complementary').getByText('Thank you', { exact: true }).waitFor()
    await line(page).getByRole('link', { name: 'order.created' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await line(page)
      .getByRole('link', { name: /200 in/ })
      .click()
    await page.waitForURL(`**/webhooks/${webhookId}/deliveries/*`)
    await line(page).getByRole('link', { name: 'order.created' }).waitFor()
    await line(page).getByRole('link', { name: 'Order thank-you v1' }).click()
    await page.getByRole('complementary', { name: 'Run' }).getByRole('link', { name: 'Message created' }).click()
    await page.waitForURL('**/messages/*')
  })

  test('opens the form for a new workflow with the type of the event', async () => {
    const { page } = await openDashboard(browser, world, `/events/${cart}`)
    await page.getByRole('link', { name: 'Create workflow from this event' }).click()
    const dialog = page.getByRole('dialog', { name: 'New workflow' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Trigger event').inputValue()).toBe('cart.abandoned')
    await dialog.getByLabel('Name').fill('From an event')
    await dialog.getByRole('button', { name: 'Create workflow' }).click()
    await page.getByRole('heading', { name: 'From an event' }).waitFor()
    expect(pathOf(page)).toMatch(/^\/workflows\/[0-9a-f-]{36}$/)
  })

  test('moves the focus to a panel when it opens and back to its row when it closes', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    const row = page.getByRole('row').getByRole('link', { name: 'cart.abandoned' }).first()
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Create workflow from this event' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
    expect(await focused()).toBe('panel-title')
    await page.keyboard.press('j')
    await page.waitForURL(`**/events/${order}`)
    await page.getByRole('complementary').getByText('Order thank-you').first().waitFor()
    expect(await focused()).toBe('panel-title')
    await page.keyboard.press('k')
    await page.getByRole('link', { name: 'Create workflow from this event' }).waitFor()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('menuitem', { name: 'Last 7 days' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('menuitem', { name: 'Custom range' }).click()
    const calendar = page.getByRole('dialog', { name: 'Custom time range' })
    await calendar.getByRole('table').waitFor()
    // Red is for errors.
    expect(await calendar.locator('[data-weekend]').count()).toBe(0)
    await page.keyboard.press('Escape')
    await untilFocused(page.getByRole('button', { name: /^Time range/ }))
    await page.locator('#panel-title').focus()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    expect(await focused()).toContain('cart.abandoned')
  })

  test.each([1440, 1024, 360])('the steps of a run say what they did, also in the graph, at %i pixels', async width => {
    const { outcomes } = await world.expect(200, 'GET', `/v1/events/${order}`)
    const { page } = await openDashboard(browser, world, `/runs/${outcomes[0].runId}`, { width })
    const steps = page.getByRole('complementary', { name: 'Run' }).getByRole('list')
    await steps.getByText('Run ended').waitFor()
    // The texts of the steps are those of the workflow, which is read after the run.
    await steps.getByText('data.total is at least 100').waitFor()
    // After the type is the time. The reason of the end is said once, and the amount is that of the recorded sale.
    const rows = (await steps.getByRole('listitem').allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' '))
    const expected = [
      /^Branch [^ ]+ \w+ data\.total is at least 100 Yes$/,
      /^Delay [^ ]+ \w+ 50 ms Waited [^ ]+ \w+$/,
      /^Send message [^ ]+ \w+ Thank you Message created$/,
      /^Record sale [^ ]+ \w+ Sale recorded €129\.90$/,
      /^End run [^ ]+ \w+ Run ended was_thanked$/,
    ]
    expect(rows.length).toBe(expected.length)
    for (const [index, row] of expected.entries()) expect(rows[index]).toMatch(row)
    const graph = page.getByRole('region', { name: 'Steps of this run' })
    for (const [text, badge] of [
      ['data.total is at least 100', 'Yes'],
      ['50 ms', 'Waited'],
      ['Thank you', 'Message created'],
    ] as const) {
      const step = graph.locator(`[title^="${text}"]`)
      const boxes = [step.locator('bdi'), step.getByText(badge, { exact: true }), step].map(one => one.boundingBox())
      const [content, outcome, frame] = (await Promise.all(boxes)).map(box => box!)
      expect([text, content!.y + content!.height <= outcome!.y + 1]).toEqual([text, true])
      expect([text, outcome!.y + outcome!.height < frame!.y + frame!.height]).toEqual([text, true])
    }
  })

  test('the timeline of a customer has the status of a run and the end reason of its page', async () => {
    const { customerId } = await world.expect(200, 'GET', `/v1/events/${order}`)
    const { page } = await openDashboard(browser, world, `/customers/${customerId}`)
    const run = page.getByText('Done · Ended early', { exact: true })
    expect(await run.locator('[data-tone]').getAttribute('data-tone')).toBe('done')
  })

  test.each([1024, 360])('the time at which a run resumes does not break in its brackets at %i pixels', async width => {
    const { parked, phone, workflow } = play(() => world)
    const steps = { wait: { type: 'delay', for: '2h', next: null } }
    await workflow({ trigger: { eventType: `later.at_${width}` }, start: 'wait', steps })
    const id = await parked(`later.at_${width}`, phone())
    const { page } = await openDashboard(browser, world, `/runs/${id}`, { width })
    const brackets = page.getByText(/^\(in \d+ \w+\.?\)$/)
    expect((await brackets.boundingBox())!.height).toBeLessThan(30)
  })

  test('shows the messages of a run whose event has been deleted, and the origin of such a message', async () => {
    const { start, run } = play(() => world)
    const id = await start('order.created', '+12025550103')
    const { eventId } = await run(id, ended)
    const { data } = await world.expect(200, 'GET', `/v1/messages?runId=${id}`)
    await world.database.sql`delete from events where id = ${eventId}`
    const { page } = await openDashboard(browser, world, `/runs/${id}`)
    await page.getByText('Ended early: was_thanked', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show trace' }).click()
    await line(page)
      .getByRole('link', { name: /Thank you/ })
      .click()
    await page.waitForURL(`**/messages/${data[0].id}`)
    await line(page).getByRole('link', { name: 'Run of v1' }).click()
    await page.waitForURL(`**/runs/${id}`)
  })

  test('links the steps of an open run to its messages, also to those that it sends later', async () => {
    const { workflow, parked, event, phone } = play(() => world)
    await workflow({
      trigger: { eventType: 'parcel.packed' },
      start: 'first',
      steps: {
        first: { type: 'send_message', text: 'It is packed', next: 'wait' },
        wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'parcel.arrived', next: 'second' }] },
        second: { type: 'send_message', text: 'It has arrived', next: 'rest' },
        rest: { type: 'delay', for: '1h', next: null },
      },
    })
    const to = phone()
    const id = await parked('parcel.packed', to)
    const { page } = await openDashboard(browser, world, '/templates')
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/stream')
    await page.goto(`/runs/${id}`)
    await stream
    const links = page.getByRole('complementary', { name: 'Run' }).getByRole('link', { name: 'Message created' })
    await links.waitFor()
    await event('parcel.arrived', to)
    await links.nth(1).waitFor()
  })

  test('says which two values were compared when an event started nothing', async () => {
    const { page } = await openDashboard(browser, world, '/events?reason=not_run_for_customer')
    await page.getByRole('link', { name: 'cart.abandoned' }).click()
    await page.getByText('data.total is 12.5 and must be at least 20').waitFor()
    expect(pathOf(page)).toBe(`/events/${cart}`)
    expect(await textOf(page)).toContain('Win back a cart: filter did not match')
    const panel = page.getByRole('complementary')
    await panel.getByText('Filter did not match', { exact: true }).waitFor()
    await panel.getByRole('link', { name: 'Edit workflow filter' }).waitFor()
    expect(await panel.textContent()).toMatch(/Sender ?Custom.*Received through ?API/)
    expect(await panel.getByText(/skipped/i).count()).toBe(0)
    // The payload has the name that the condition has for it.
    const lines = await panel.getByRole('region', { name: 'Payload' }).locator('> div').allTextContents()
    expect(lines.slice(0, 2).map(line => line.replace(/\s/g, ''))).toEqual(['{', '"data":{'])
  })

  test('shows controls that turn the letters after them as escapes, in the editor and in rejected events', async () => {
    const event = { type: 'turned', phone: '+12025550155', data: { note: '\u202Etfard' } }
    const { event: recorded } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { ...event, 'pho\u202Ene': '1' } })
    const { page } = await openDashboard(browser, world, `/events/send?again=${recorded.id}`)
    await page.getByRole('textbox', { name: 'Body' }).getByText('\\u202etfard').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto('/not-accepted')
    await page.getByRole('link', { name: /^pho\\u202ene: Is not a known field/ }).click()
    const panel = page.getByRole('complementary')
    await panel.getByText('Rename pho\\u202ene to phone.').waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain('\u202E')
  })

  test('filters events by outcome, sender and customer, and keeps the filters in the address', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    const cartRow = page.getByRole('link', { name: 'cart.abandoned' })
    const orderRow = page.getByRole('link', { name: 'order.created' })
    await cartRow.waitFor()
    await page.getByRole('combobox', { name: 'Result' }).click()
    await page.getByRole('option', { name: 'Workflow started', exact: true }).click()
    await cartRow.waitFor({ state: 'detached' })
    await orderRow.waitFor()
    expect(new URL(page.url()).search).toBe('?started=true')
    await page.getByRole('combobox', { name: 'Result' }).click()
    await page.getByRole('option', { name: 'No workflow started' }).click()
    await cartRow.waitFor()
    await orderRow.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Sender' }).click()
    await page.getByRole('option', { name: 'Custom' }).click()
    const customer = page.getByRole('combobox', { name: 'Customer' })
    await customer.fill('550102')
    await page.getByRole('option', { name: '+12025550102' }).click()
    await page.waitForURL(/customerId=/)
    await cartRow.waitFor()
    // A shared address restores the filters.
    await page.reload()
    await cartRow.waitFor()
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[aria-label=Customer]')?.value === '+12025550102',
    )
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await orderRow.waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('a narrow list beside a panel counts its active filters, and shows all filters and the chart on request', async () => {
    const { page } = await openDashboard(browser, world, `/events/${order}?type=order.created&started=true`, {
      width: 1024,
    })
    const name = { name: 'Filters: 2 active' }
    await page.getByRole('button', name).click()
    const parts = [
      ...['Event type', 'Result', 'Sender', 'Customer'].map(name => page.getByRole('combobox', { name })),
      ...['Clear filters', 'Views'].map(name => page.getByRole('button', { name })),
      page.getByRole('link', { name: 'Send event' }),
    ]
    // A control that is hidden, cut or covered by the panel receives no click.
    for (const part of parts) await part.click({ trial: true })
    expect(await parts[1]!.inputValue()).toBe('Workflow started')
    expect(await faultsOf(page)).toEqual([])
    const plot = page.getByRole('figure').getByRole('group')
    expect(await plot.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show chart' }).click()
    await plot.waitFor()
    await page.getByRole('button', name).click()
    await parts[1]!.waitFor({ state: 'detached' })
  })

  test('keeps the list while a part of a type is typed, and filters by a bar of the histogram', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    const cartRow = page.getByRole('row').getByRole('link', { name: 'cart.abandoned' })
    const orderRow = page.getByRole('row').getByRole('link', { name: 'order.created' })
    await cartRow.waitFor()
    const type = page.getByRole('combobox', { name: 'Event type' })
    await type.fill('cart')
    await page.getByRole('option', { name: 'cart.abandoned' }).waitFor()
    await cartRow.waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?type=cart\.abandoned$/)
    await cartRow.waitFor()
    await type.fill('')
    await page.waitForURL(url => url.search === '')
    await page.keyboard.press('Enter')
    await type.fill('unknown')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?type=unknown$/)
    await type.fill('')
    await page.waitForURL(url => url.search === '')
    await type.fill('cart')
    await page.getByRole('option', { name: 'cart.abandoned' }).click()
    await orderRow.first().waitFor({ state: 'detached' })
    const chart = page.getByRole('figure', { name: /^Events · / })
    await chart
      .getByRole('listitem')
      .filter({ hasText: /^Skipped\s*1$/ })
      .waitFor()
    await page.getByRole('button', { name: 'Time range: Last 30 days' }).click()
    await page.getByRole('menuitem', { name: 'Last 24 hours' }).click()
    await page.waitForURL(/range=24h/)
    // The bars of the longer range, which are labeled with days, stay until the others have arrived.
    await chart.filter({ hasText: /\d:00|\d\s[AP]M/ }).waitFor()
    await chart.getByRole('group').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/type=cart\.abandoned&since=.*&until=/)
    const opened = new URL(page.url())
    expect(opened.pathname).toBe('/events')
    const [from, to] = ['since', 'until'].map(name => Date.parse(opened.searchParams.get(name)!))
    expect(to! - from!).toBeLessThanOrEqual(3_600_000)
    await cartRow.waitFor()
    // A tap has no move of the mouse before it.
    const since = new URL(page.url()).searchParams.get('since')
    const { x } = (await chart.getByRole('group').boundingBox())!
    await chart.getByRole('group').dispatchEvent('click', { clientX: x + 2 })
    await page.waitForURL(url => (url.searchParams.get('since') ?? since) !== since)
    await page.getByRole('button', { name: 'Views' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test.each(['/events', '/not-accepted', '/channels'])(
    '%s: shows a failed chart with a retry, and keeps its numbers while others are loaded',
    async path => {
      const { page } = await openDashboard(browser, world, '/templates')
      let isFailing = true
      const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
      const summary = /\/v1\/activity\/summary/
      await page.route(summary, route => (isFailing ? route.fulfill({ status: 500, json }) : route.continue()))
      await page.goto(path)
      const chart = page.getByRole('figure')
      await chart.getByRole('alert').waitFor()
      const numbers = () => chart.getByRole('listitem').locator('strong').allTextContents()
      expect(new Set(await numbers())).toEqual(new Set(['–']))
      const { height } = (await chart.boundingBox())!
      isFailing = false
      await chart.getByRole('button', { name: 'Try again' }).click()
      await chart.getByRole('alert').waitFor({ state: 'detached' })
      await chart.getByRole('listitem').filter({ hasText: '–' }).first().waitFor({ state: 'detached' })
      expect((await chart.boundingBox())!.height).toBe(height)

      await page.unroute(summary)
      const held = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      await page.route(summary, async route => {
        asked.resolve()
        await held.promise
        await route.continue().catch(() => {})
      })
      await page.getByRole('button', { name: /^Time range/ }).click()
      await page.getByRole('menuitem', { name: 'Last 24 hours' }).click()
      await page.waitForURL('**?range=24h')
      await asked.promise
      expect(await numbers()).not.toContain('–')
      held.resolve()
    },
  )

  test('offers older records if the default time range has none, instead of saying that there are none', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    // The service has no way to create an old record.
    await page.route(
      ({ pathname, searchParams }) =>
        ['/v1/activity/events', '/v1/outbound-events'].includes(pathname) && searchParams.has('since'),
      route => route.fulfill({ json: { data: [], nextCursor: null } }),
    )
    for (const [path, type] of [
      ['/events', 'order.created'],
      ['/outbound', 'message.status'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'No events match these filters.' }).waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
      await page.getByRole('main').getByRole('link', { name: type }).first().waitFor()
      expect(page.url()).toBe(`${world.url}${path}?range=all`)
    }
  })

  test('says why each workflow did not start, without ids and times in their form for programs', async () => {
    const { workflow, start, event } = play(() => world)
    const of = (eventType: string, entry: object) => ({
      trigger: { eventType },
      entry,
      start: 'wait',
      steps: { wait: { type: 'delay', for: '2h', next: null } },
    })
    await workflow(of('plain.once', { reentry: 'once' }), 'Only once')
    await workflow(of('plain.active', { reentry: 'not_while_active' }), 'Not while active')
    const off = await workflow(of('plain.off', {}), 'Turned off')
    await world.expect(200, 'PATCH', `/v1/workflows/${off}`, { body: { enabled: false } })
    for (const type of ['plain.once', 'plain.active']) await start(type, '+12025550107')
    const verdicts = {
      'plain.once': 'Already ran for this customer',
      'plain.active': 'Already running for this customer',
      'plain.off': 'Off',
    }
    for (const [type, verdict] of Object.entries(verdicts)) {
      const { event: recorded, outcomes } = await event(type, '+12025550107')
      expect(outcomes[0].verdict).not.toBe('started')
      const { page } = await openDashboard(browser, world, `/events/${recorded.id}`)
      await page
        .getByText(/(at|since) [A-Z][a-z]{2} \d+, 20\d\d/)
        .first()
        .waitFor()
      await page.getByText(verdict, { exact: true }).waitFor()
      expect(await rawValuesIn(page)).toEqual([])
    }
  })

  test('offers the suggested type of an event without a workflow as an action', async () => {
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'order.create', phone: '+12025550104', data: { total: 5 } },
    })
    const { page } = await openDashboard(browser, world, `/events/${event.id}`)
    await page.getByRole('link', { name: 'Send again as order.created' }).click()
    const body = bodyOf(page)
    expect(JSON.parse(await jsonIn(body))).toMatchObject({ type: 'order.created', data: { total: 5 } })
  })

  test('separates the wait of a workflow from the next attempt of a webhook, with both times in the future', async () => {
    const { workflow, start, run } = play(() => world)
    await workflow(
      {
        trigger: { eventType: 'parcel.sent' },
        start: 'tell',
        steps: {
          tell: { type: 'send_message', text: 'On its way', next: 'wait' },
          wait: { type: 'delay', for: '2h', next: null },
        },
      },
      'Tell about parcels',
    )
    receiver.behave(respond(503, 'closed'))
    const id = await start('parcel.sent', '+12025550105')
    const { eventId } = await run(id, ({ status }) => status === 'waiting')
    const { page } = await openDashboard(browser, world, `/events/${eventId}`)
    const nextAttempt = line(page)
      .getByRole('listitem')
      .filter({ hasText: /^Next attempt/ })
    await nextAttempt.getByText(/^in \d/).waitFor()
    expect(await nextAttempt.first().textContent()).toMatch(/^Next attempt in .+ \(.+\)$/)
    const wait = line(page)
      .getByRole('listitem')
      .filter({ hasText: /^Waiting until/ })
    await wait.getByText('in 2 hr.').waitFor()
    // The wait is in the lane of the workflow. The attempt is in the branch of the message.
    expect(await wait.evaluate(item => item.parentElement?.getAttribute('aria-label') ?? '')).toStartWith('Trace')
    expect(await nextAttempt.last().evaluate(item => item.parentElement?.getAttribute('aria-label'))).toBeNull()
    receiver.behave(respond())
  })

  test('sends an event again as a test, after a dry run', async () => {
    const { page } = await openDashboard(browser, world, `/events/${cart}`)
    await page.getByRole('link', { name: 'Send again' }).click()
    const body = bodyOf(page)
    const written = JSON.parse(await jsonIn(body))
    expect(written).toMatchObject({ type: 'cart.abandoned', data: { total: 12.5 } })
    await page.getByText('Not validated yet.').waitFor()
    // Tab leaves the editor and inserts nothing.
    await body.focus()
    await page.keyboard.press('Tab')
    expect(await body.evaluate(element => element.contains(document.activeElement))).toBe(false)
    expect(JSON.parse(await jsonIn(body))).toEqual(written)
    await page.getByRole('complementary').getByRole('combobox', { name: 'Event type' }).click()
    await page.getByRole('option', { name: 'order.created', exact: true }).click()
    await eventually('the type is in the body', async () => JSON.parse(await jsonIn(body)).type === 'order.created')
    // A click names what is wrong, and moves the focus there.
    await body.fill('{"type": "cart.abandoned"')
    await page.getByRole('button', { name: 'Send event' }).click()
    await page.getByText(/^Invalid JSON/).waitFor()
    await body.and(page.locator(':focus')).waitFor()
    await body.fill(JSON.stringify({ ...written, data: { total: 25 } }))
    // The event cannot be sent until the check has ended, because its end would allow to send it twice.
    const check = Promise.withResolvers<void>()
    const holdCheck = async (route: Route) => {
      await check.promise
      await route.continue()
    }
    await page.route('**/v1/events/check', holdCheck, { times: 1 })
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.locator('button:disabled').getByText('Send event').waitFor()
    check.resolve()
    await page.getByText('Would start', { exact: true }).waitFor()
    // The input is kept after leaving the page.
    await page.goto(`/events/send?again=${cart}`)
    expect(JSON.parse(await jsonIn(body)).data).toEqual({ total: 25 })
    await page.getByRole('button', { name: 'Send event' }).click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    const id = pathOf(page).split('/').at(-1)
    const again = await world.expect(200, 'GET', `/v1/events/${id}`)
    expect(again).toMatchObject({ type: 'cart.abandoned', source: 'dashboard', data: { total: 25 } })
    expect(again.customerId).toBe(written.customerId)
  })

  test('shows, edits and resends a number that a double cannot hold without losing digits', async () => {
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      headers: { 'Content-Type': 'application/json' },
      raw: '{"type":"cart.abandoned","phone":"+12025550103","data":{"total":1,"order":9007199254740993,"lines":[-12345678901234567890]}}',
    })
    const { page } = await openDashboard(browser, world, `/events/${event.id}`)
    await page.getByText('9007199254740993', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Use data.order in a workflow' }).click()
    await page.getByText('{{data.order}} copied').waitFor()
    await page.getByRole('link', { name: 'Send again' }).click()
    const body = bodyOf(page)
    const written = await jsonIn(body)
    expect(written).toContain('9007199254740993')
    expect(written).toContain('-12345678901234567890')
    await body.fill(written.replace('9007199254740993', '9007199254740995'))
    await page.getByRole('button', { name: 'Send event' }).click()
    // The editor has the number too, so the page of the event is awaited.
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    await page.getByText('9007199254740995', { exact: true }).waitFor()
    const answer = await fetch(`${world.url}/v1/events/${pathOf(page).split('/').at(-1)}`, {
      headers: { Authorization: `Bearer ${world.owner.token}` },
    })
    expect(await answer.text()).toContain('"lines": [-12345678901234567890], "order": 9007199254740995')
  })

  test('counts new rows while the list is scrolled, and shows them at the top', async () => {
    const send = (type: string, count: number) =>
      world.expect(200, 'POST', '/v1/events/batch', {
        as: 'key',
        body: { events: Array.from({ length: count }, () => ({ type, phone: '+12025550172' })) },
      })
    await send('fills.the.list', 40)
    const { page } = await openDashboard(browser, world, '/events')
    // Only events that arrive after the stream is open are counted.
    const isStream = (url: string) => new URL(url).pathname === '/v1/stream'
    await Promise.all([page.waitForResponse(response => isStream(response.url())), page.reload()])
    await page.getByRole('link', { name: 'fills.the.list' }).first().waitFor()
    const scrolled = page.getByRole('table', { name: 'Events' }).locator('..')
    await scrolled.evaluate(element => element.scrollTo({ top: 500 }))
    await send('came.in', 2)
    await page.getByRole('button', { name: '2 new', exact: true }).waitFor()
    await scrolled.evaluate(element => element.scrollTo({ top: 0 }))
    await page.getByRole('link', { name: 'came.in' }).first().waitFor()
    await page.getByRole('button', { name: '2 new', exact: true }).waitFor({ state: 'detached' })

    // Rows beside the panel have two lines. The row of the open event stays in view.
    await page.setViewportSize({ width: 1024, height: 700 })
    await scrolled.evaluate(element => element.scrollTo({ top: 500 }))
    await scrolled.getByRole('link', { name: 'fills.the.list' }).last().click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    await page.waitForFunction(() => {
      const row = document.querySelector('[role=row][data-selected]')
      const list = row?.closest('section')?.getBoundingClientRect()
      const { top = 0, bottom = 0, height = 0 } = row?.getBoundingClientRect() ?? {}
      return list !== undefined && height === 60 && top >= list.top && bottom <= list.bottom
    })
  })

  test('searches data that is folded or not rendered, and counts what is not rendered', async () => {
    const list = Array.from({ length: 600 }, (_, index) => `piece ${index}`)
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'parcel.packed', phone: '+12025550171', data: { list, last: 'a needle' } },
    })
    const { page } = await openDashboard(browser, world, `/events/${event.id}`)
    await page.getByText(/^10[0-9] lines are hidden/).waitFor()
    await page.getByRole('button', { name: 'Collapse list' }).click()
    await page.getByText('a needle').waitFor()
    await page.getByLabel('Search data').fill('piece 599')
    await page.getByText('piece 599').waitFor()
    expect(await page.getByText('a needle').count()).toBe(0)
  })

  test('shows the error of a rejected request and checks a body until it is valid', async () => {
    const { page } = await openDashboard(browser, world, '/not-accepted')
    await page.getByRole('link', { name: /^phone must be an E\.164 number/ }).click()
    const panel = page.getByRole('complementary')
    await panel.getByText('POST /v1/events').waitFor()
    const occurrences = panel.locator('dl > div').filter({ hasText: 'Occurrences' })
    await occurrences.getByText('1', { exact: true }).waitFor()
    // The count updates live.
    await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: '0664 12' } })
    await occurrences.getByText('2', { exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto('/not-accepted')
    await page.getByRole('row').filter({ hasText: 'phone must be' }).getByText('2 times', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goBack()
    await occurrences.getByText('2', { exact: true }).waitFor()
    expect(await panel.getByText(/must be an E\.164 number/).count()).toBe(1)
    await panel.getByRole('figure').getByText('2', { exact: true }).first().waitFor()
    await panel.getByText('"string(7)"').or(panel.getByText('string(7)')).first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await panel.getByRole('link', { name: 'Validate corrected event' }).click()
    const body = bodyOf(page)
    expect(JSON.parse(await jsonIn(body))).toMatchObject({ phone: '' })
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('Would be rejected with 400').waitFor()
    // The rejected field is marked at its line.
    await page.locator('.cm-lint-marker-error').waitFor()
    await body.fill('{"type": "order.created", "phone": "+12025550199"')
    await page.getByText(/^Invalid JSON/).waitFor()
    await body.fill('{"type": "order.created", "phone": "+12025550199"}')
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('Would be recorded').waitFor()
    await page.getByText('“Order thank-you” (version 1) would start.').waitFor()
  })

  test('applies the suggested name of an unknown field', async () => {
    const body = { type: 'order.created', phonee: '+12025550106', data: { items: [{ qty: 2 }] } }
    await world.expect(400, 'POST', '/v1/events', { as: 'key', body })
    const { page } = await openDashboard(browser, world, '/not-accepted')
    await page.getByRole('figure', { name: 'Rejected · Last 30 days' }).waitFor()
    await page.getByRole('combobox', { name: 'Error' }).click()
    await page.getByRole('option', { name: /^phonee is / }).click()
    await page.waitForURL(/message=phonee/)
    await page.getByRole('row').filter({ hasText: '0664' }).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Sender' }).click()
    await page.getByRole('option', { name: 'Custom', exact: true }).click()
    await page.waitForURL(/sender=custom/)
    await page.getByRole('row').filter({ hasText: 'phonee' }).getByRole('link').first().click()
    const panel = page.getByRole('complementary')
    await panel.getByText('Rename phonee to phone.').waitFor()
    await panel.getByRole('link', { name: 'Apply and validate' }).click()
    const field = bodyOf(page)
    expect(JSON.parse(await jsonIn(field))).toEqual({
      type: 'order.created',
      phone: '+12025550142',
      data: { items: [{ qty: 1 }] },
    })
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByText('Would be recorded').waitFor()
  })

  test('shows why an outbound event skipped an endpoint, and sends it there on request', async () => {
    const { page } = await openDashboard(browser, world, '/outbound?type=message.status')
    await page.getByRole('link', { name: 'message.status' }).last().click()
    const panel = page.getByRole('complementary')
    await panel.getByText('Not subscribed to message.status.').waitFor()
    const before = receiver.requests.length
    await panel.getByRole('button', { name: 'Send to endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: /^Send .+ to an endpoint$/ })
    await dialog.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: receiver.target }).click()
    await dialog.getByRole('button', { name: 'Send event', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await receiver.waitFor(({ requests }) => requests.length > before)
  })

  test('sends selected outbound events to one endpoint, after a preview', async () => {
    const { page } = await openDashboard(browser, world, '/outbound?type=message.status')
    const rows = page.getByRole('row').filter({ hasText: 'message.status' })
    await rows.first().waitFor()
    const count = await rows.count()
    const before = receiver.requests.length
    await page.getByRole('columnheader').getByRole('checkbox').click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Send to endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send to an endpoint' })
    const send = dialog.getByRole('button', { name: `Send ${count} event` })
    await dialog.getByText(count > 1 ? `message.status (${count})` : 'message.status').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('combobox', { name: 'Endpoint' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await send.click()
    await dialog.getByText(`${count} succeeded.`).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await bar.waitFor({ state: 'detached' })
    await receiver.waitFor(({ requests }) => requests.length === before + count)
  })
})
