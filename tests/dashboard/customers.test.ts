/** Tests of the customer list and of the customer page, in a real browser if one is available. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { mergeSales } from '../../src/dashboard/pages/customers/activity.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { button, expectQuiet, openDashboard, untilFocused, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

describe('the timeline of a customer', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString()
  const event = (id: string, minute: number) => ({ kind: 'event', id, at: at(minute) })
  const run = (id: string, minute: number, eventId: string) => ({ kind: 'run', id, at: at(minute), eventId })
  const merge = (items: object[], sales: object[], isComplete: boolean) =>
    mergeSales(items as Parameters<typeof mergeSales>[0], sales as Parameters<typeof mergeSales>[1], isComplete).map(
      ({ id }) => id,
    )

  test('has its sales by time, except those older than the loaded entries', () => {
    const items = [event('new', 30), event('old', 10)]
    const sales = [20, 5].map(minute => ({ id: `sale ${minute}`, createdAt: at(minute) }))
    expect(merge(items, sales, true)).toEqual(['new', 'sale 20', 'old', 'sale 5'])
    expect(merge(items, sales, false)).toEqual(['new', 'sale 20', 'old'])
  })

  test('has each run above the event that started it', () => {
    const items = [event('e2', 9), event('e1', 9), run('r1', 9, 'e1'), run('r2', 9, 'e2'), run('r0', 8, 'e0')]
    expect(merge(items, [], true)).toEqual(['r2', 'e2', 'r1', 'e1', 'r0'])
  })
})

describe.skipIf(browserPath === null)('customers', () => {
  const world = useWorld()
  const browser = useBrowser()
  let anaId: string
  let eventId: string
  beforeAll(async () => {
    const recorded = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'order.created', phone: '+12025550101', name: '<b>Ana</b>', data: { total: 12 } },
    })
    anaId = recorded.event.customerId
    eventId = recorded.event.id
    await world.expect(201, 'POST', '/v1/customers', {
      body: { phone: '+12025550102', name: 'Ben', attributes: { odd: 'a\u202eb', vip: true } },
    })
  })

  const newCustomer = async (name: string): Promise<string> =>
    (await world.expect(201, 'POST', '/v1/customers', { body: { externalId: crypto.randomUUID(), name } })).id

  test('finds customers by a part of the name, by phone and by id, and links their events', async () => {
    const { page, complaints } = await openDashboard(browser, world, '/customers')
    const search = page.getByRole('textbox', { name: 'Name, phone or ID' })
    await search.fill('<b>an')
    await page.getByRole('link', { name: 'Ben' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '<b>Ana</b>' }).waitFor()
    await search.fill('+1 (202) 555-0102')
    await page.getByRole('link', { name: 'Ben' }).waitFor()
    // Each text is isolated, so that the override in one does not turn the next one.
    const attributes = page.getByRole('row').filter({ hasText: 'Ben' }).locator('[title] > bdi')
    expect(await attributes.allTextContents()).toEqual(['odd', 'a\u202eb', 'vip', 'true'])
    await page.getByRole('link', { name: '<b>Ana</b>' }).waitFor({ state: 'detached' })
    await search.fill(anaId)
    await page.getByRole('heading', { name: '<b>Ana</b>', level: 1 }).waitFor()
    expect(page.url()).toBe(`${world.url}/customers/${anaId}`)
    await page.getByRole('link', { name: 'order.created' }).click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    expect(page.url()).toContain(eventId)
    expect(complaints).toEqual([])
  })

  test('filters by consent, channel and time of creation', async () => {
    const channelId = await world.sandbox()
    const [optedIn, optedOut] = [await newCustomer('Filter In'), await newCustomer('Filter Out')]
    await world.expect(200, 'POST', `/v1/customers/${optedIn}/opt-in`, { body: { evidence: 'form' } })
    await world.expect(200, 'POST', `/v1/customers/${optedOut}/opt-out`, { body: { reason: 'asked' } })
    await newCustomer('Filter None')
    const body = { from: '+12025550190', text: 'Hello', name: 'Filter Writer' }
    await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
    const opened = await openDashboard(browser, world, '/customers?q=Filter')
    const { page } = opened
    const main = page.getByRole('main')
    const names = async (...wanted: string[]) => {
      for (const name of ['In', 'Out', 'None', 'Writer'])
        await main
          .getByRole('link', { name: `Filter ${name}` })
          .waitFor({ state: wanted.includes(name) ? 'attached' : 'detached' })
    }
    const choose = async (filter: string, option: string) => {
      await main.getByRole('combobox', { name: filter }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await names('In', 'Out', 'None', 'Writer')
    await choose('Consent', 'Opted in')
    await names('In')
    await choose('Consent', 'Opted out')
    await names('Out')
    await choose('Consent', 'Not opted in')
    await names('None', 'Writer')
    const { name } = await world.expect(200, 'GET', `/v1/channels/${channelId}`)
    await choose('Channel', name)
    await names('Writer')
    expect(await faultsOf(page)).toEqual([])
    await main.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: /^Time/ }).click()
    await page.getByRole('menuitem', { name: 'Last hour' }).click()
    await names('In', 'Out', 'None', 'Writer')
    await page.goto('/customers?until=2026-01-01T00:00:00.000Z')
    await page.getByRole('heading', { name: 'No customers match these filters.' }).waitFor()
    await page.goto(`/customers?consent=nonsense&channelId=1&since=1&range=1&externalId=${'x'.repeat(300)}`)
    await page.getByRole('heading', { name: 'No customers match these filters.' }).waitFor()
    expectQuiet(opened)
  })

  test('shows a rejected change as an error at its field and a valid one immediately', async () => {
    const id = await newCustomer('Cleo')
    const holder = { phone: '+12025550104', name: 'Holder' }
    await world.expect(201, 'POST', '/v1/customers', { body: holder })
    const { page } = await openDashboard(browser, world, `/customers/${id}`)
    await page.getByRole('button', { name: 'Edit Phone' }).click()
    const phone = page.getByRole('textbox', { name: 'Phone' })
    await phone.fill('12')
    await phone.press('Enter')
    await page.getByText('Enter + and the country code, then digits only, for example +12025550101.').waitFor()
    expect(await phone.getAttribute('aria-invalid')).toBe('true')
    expect(await faultsOf(page)).toEqual([])
    await page.reload()
    expect(await phone.inputValue()).toBe('12')
    await phone.fill('+12025550104')
    await phone.press('Enter')
    await page.getByText('Already used by').getByRole('link', { name: 'Holder' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await page.getByText(/Something went wrong|Request ID/).count()).toBe(0)
    await phone.fill('+12025550103')
    await phone.press('Enter')
    await page.locator('main section').filter({ hasText: 'Profile' }).getByText('+12025550103').waitFor()
    await page.getByRole('button', { name: 'Add attribute' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Attribute', { exact: true }).fill('orders')
    await dialog.getByLabel('Value').fill('12')
    await dialog.getByRole('button', { name: 'Add attribute' }).click()
    await page.getByRole('button', { name: 'Edit orders' }).waitFor()
    await page.getByRole('button', { name: 'Remove orders' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Edit orders' }).waitFor()
    const json = { error: { code: 'conflict', message: 'Not now.' }, request_id: 'none' }
    await page.route(`**/v1/customers/${id}`, route =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Remove orders' }).click()
    await page.getByRole('alert').getByText('Not now.').waitFor()
    const { phone: kept, attributes } = await world.expect(200, 'GET', `/v1/customers/${id}`)
    expect([kept, attributes]).toEqual(['+12025550103', { orders: 12 }])
  })

  test('records opt-in and opt-out with their wording, and lets an owner remove an opt-out', async () => {
    const id = await newCustomer('Dora')
    const { page, complaints } = await openDashboard(browser, world, `/customers/${id}`)
    const declare = async (deed: string, label: string, words: string) => {
      await page.getByRole('button', { name: deed }).click()
      const dialog = page.getByRole('dialog', { name: deed })
      await dialog.getByLabel(label).fill(words)
      await dialog.getByRole('button', { name: deed }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await declare('Record opt-in', 'Evidence', 'at the till')
    await declare('Opt out', 'Reason', 'asked on the phone')
    await declare('Lift opt-out', 'Evidence of their request', 'wrote to us again')
    for (const words of ['at the till', 'asked on the phone', 'wrote to us again'])
      await page.getByRole('listitem').filter({ hasText: words }).first().waitFor()
    const { data } = await world.expect(200, 'GET', `/v1/customers/${id}/consents`)
    expect(data.map(({ kind, words }: { kind: string; words: string }) => [kind, words])).toEqual([
      ['lift', 'wrote to us again'],
      ['opt_out', 'asked on the phone'],
      ['opt_in', 'at the till'],
    ])
    // The ledger proves a consent, so it has an export with the recorded words.
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const [titles, ...lines] = (await Bun.file(await (await download).path()).text()).trimEnd().split('\r\n')
    expect(titles).toEndWith('Time,Consent,Evidence,Recorded,Event ID')
    expect(lines.map(line => line.split(',').slice(1))).toEqual([
      ['Opt-out lifted', 'wrote to us again', 'by owner', ''],
      ['Opted out', 'asked on the phone', 'by owner', ''],
      ['Opted in', 'at the till', 'by owner', ''],
    ])
    expect(complaints).toEqual([])
  })

  test('the export of consents shows its progress and can be cancelled', async () => {
    const id = await newCustomer('Often asked')
    for (let n = 0; n < 11; n++)
      await world.expect(200, 'POST', `/v1/customers/${id}/opt-in`, { body: { evidence: `visit ${n}` } })
    const { page } = await openDashboard(browser, world, `/customers/${id}`)
    const held = Promise.withResolvers<void>()
    const consents = `**/v1/customers/${id}/consents?*limit=100*`
    await page.route(consents, async route => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByText('Exporting… 0 rows').waitFor()
    await page.getByRole('button', { name: 'Cancel export' }).click()
    await page.getByRole('button', { name: 'Export CSV' }).waitFor()
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const lines = (await Bun.file(await (await download).path()).text()).trimEnd().split('\r\n')
    expect(lines.length).toBe(12)
  })

  test('previews a bulk action with the skipped customers, and reports failures', async () => {
    const ids = [await newCustomer('Bulk One'), await newCustomer('Bulk Two'), await newCustomer('Bulk Three')]
    await world.expect(200, 'POST', `/v1/customers/${ids[2]}/opt-out`, { body: { reason: 'asked' } })
    const { page } = await openDashboard(browser, world, '/customers?q=Bulk')
    await page.getByRole('row', { name: /Bulk One/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    const open = page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Opt out' })
    await open.click()
    const dialog = page.getByRole('dialog', { name: 'Opt out' })
    await untilFocused(dialog.getByLabel('Reason'))
    await page.keyboard.press('Escape')
    await untilFocused(open)
    await page.keyboard.press('Enter')
    await dialog.getByText('2 customers receive no more messages.').waitFor()
    await dialog.getByText('1 record is left out:').waitFor()
    await dialog.getByText('Bulk Three: opted out').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const submit = dialog.getByRole('button', { name: 'Opt out 2' })
    await submit.click()
    await dialog.getByText('Enter a value.').waitFor()
    await dialog.getByLabel('Reason').fill('closed accounts')
    const fails = `**/v1/customers/${ids[0]}/opt-out`
    const json = { error: { code: 'conflict', message: 'Not now.' }, request_id: 'none' }
    await page.route(fails, route => route.fulfill({ status: 409, json }))
    await submit.click()
    await dialog.getByRole('alert').getByText('Bulk One: Not now.').waitFor()
    await page.unroute(fails)
    await dialog.getByRole('button', { name: 'Try the failed ones again' }).click()
    await dialog.getByText('1 succeeded.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    for (const id of ids) expect((await world.expect(200, 'GET', `/v1/customers/${id}`)).optedOutAt).not.toBeNull()
  })

  test('runs a bulk action to its end after a double click, and reports one that was interrupted', async () => {
    const ids: string[] = []
    for (let number = 0; number < 12; number++) ids.push(await newCustomer(`Twice ${number}`))
    const { page } = await openDashboard(browser, world, '/customers?q=Twice')
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const dialog = page.getByRole('dialog', { name: 'Set attribute' })
    const fillIn = async (value: string) => {
      await page.getByRole('row', { name: /Twice 11/ }).waitFor()
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
      await bar.getByRole('button', { name: 'Set attribute' }).click()
      await dialog.getByLabel('Attribute', { exact: true }).fill('tier')
      await dialog.getByLabel('Value').fill(value)
    }
    const attributes = () =>
      Promise.all(ids.map(async id => (await world.expect(200, 'GET', `/v1/customers/${id}`)).attributes.tier))
    await fillIn('gold')
    const { x, y, width, height } = (await dialog.getByRole('button', { name: 'Set for 12' }).boundingBox())!
    await page.mouse.dblclick(x + width / 2, y + height / 2, { delay: 20 })
    await dialog.getByText('12 succeeded.').waitFor()
    expect(await attributes()).toEqual(ids.map(() => 'gold'))
    await button(dialog, 'Close').click()
    await bar.waitFor({ state: 'detached' })

    const hold = async () => {
      const held = Promise.withResolvers<void>()
      await page.route('**/v1/customers/*', async route => {
        if (route.request().method() === 'PATCH') await held.promise
        await route.continue()
      })
      return held
    }
    const escaped = await hold()
    await fillIn('silver')
    await dialog.getByRole('button', { name: 'Set for 12' }).click()
    await dialog.getByText('0 of 12 done').waitFor()
    await page.keyboard.press('Escape')
    escaped.resolve()
    await dialog.getByText('4 succeeded.').waitFor()
    await dialog.getByText('Stopped. 8 records were not changed.').waitFor()
    expect((await attributes()).filter(value => value === 'silver').length).toBe(4)
    await page.unrouteAll({ behavior: 'wait' })
    await button(dialog, 'Close').click()
    await bar.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Templates' }).first().click()
    await page.getByRole('heading', { name: 'Templates', exact: true }).waitFor()
    await page.goBack()
    const left = await hold()
    await fillIn('bronze')
    await dialog.getByRole('button', { name: 'Set for 12' }).click()
    await dialog.getByText('0 of 12 done').waitFor()
    await page.goForward()
    await dialog.waitFor({ state: 'detached' })
    left.resolve()
    await page.getByRole('alert').getByText('Set attribute: stopped. 4 of 12 succeeded.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('shows a sale that somebody else marks', async () => {
    const channelId = await world.sandbox()
    const body = { from: '+12025550188', text: 'Hello', name: 'Fay' }
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
    const { customerId } = await world.expect(200, 'GET', `/v1/conversations/${conversationId}`)
    const { page } = await openDashboard(browser, world, '/templates')
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/stream')
    await page.goto(`/customers/${customerId}`)
    await stream
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('No sales').waitFor()
    const sale = { amount: 12.5, currency: 'EUR' }
    await world.expect(201, 'POST', `/v1/conversations/${conversationId}/sale`, { body: sale })
    await summary.getByText('€12.50').waitFor()
    // A sale, a reader and an assignee change the conversation, but the customer wrote earlier.
    await world.database.sql`
      update conversations set waiting_since = now() - interval '3 hours' where id = ${conversationId}`
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Unanswered' }).getByText('3 hr. ago').waitFor()
  })

  test('sums up the customer, filters the timeline and counts the days with activity', async () => {
    const { page } = await openDashboard(browser, world, `/customers/${anaId}`)
    const summary = page.getByRole('region', { name: 'Summary' })
    const activeDays = (count: string) => summary.getByText(`Active days (8 weeks)${count}`, { exact: true })
    await activeDays('1').waitFor()
    await summary.getByText('No sales').waitFor()
    await page.getByRole('link', { name: 'order.created' }).waitFor()
    await page.getByText(/^Custom · /).waitFor()
    const chart = page.getByRole('figure', { name: 'Activity of the last 8 weeks' })
    await chart.waitFor()
    await page.getByRole('group', { name: 'Show in timeline' }).getByRole('button', { name: 'Messages' }).click()
    await page.getByText('No such entries among the newest 1.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    // The service has no way to create an older entry.
    await page.route('**/timeline?**', async route => {
      const response = await route.fetch()
      const { data, nextCursor } = await response.json()
      const at = new Date(Date.parse(data[0].at) - 7 * 86_400_000).toISOString()
      await route.fulfill({
        response,
        json: { data: [...data, { ...data[0], id: crypto.randomUUID(), at }], nextCursor },
      })
    })
    await page.reload()
    await activeDays('2').waitFor()
    await chart.getByRole('group').press('End')
    await chart.getByRole('status').getByText('Events: 1').waitFor()
    await chart.getByRole('button', { name: 'Show as table' }).click()
    await chart.getByRole('table').waitFor()
    expect(await chart.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual(['0', '1', '0', '0'])
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Customers' }).click()
    await page.waitForURL('**/customers')
  })

  test('counts all entries of the eight weeks, says when there are too many, and shows an error', async () => {
    const id = await newCustomer('Often Here')
    const addOptIns = (count: number, hours: number) => world.database.sql`
      insert into consents (workspace_id, customer_id, id, kind, source, at)
      select ${world.workspaceId}, ${id}, uuidv7(make_interval(hours => (1 - n) * ${hours}::integer)), 'opt_in', 'api',
        now() - make_interval(hours => (n - 1) * ${hours}::integer)
      from generate_series(1, ${count}::integer) n`
    // Three a day, on 60 days.
    await addOptIns(180, 8)
    const { page } = await openDashboard(browser, world, `/customers/${id}`)
    const summary = page.getByRole('region', { name: 'Summary' })
    const activeDays = (count: string) => summary.getByText(`Active days (8 weeks)${count}`, { exact: true })
    await activeDays('56').waitFor()
    const chart = page.getByRole('figure', { name: 'Activity of the last 8 weeks' })
    await chart.getByRole('group').press('Home')
    await chart.getByRole('status').getByText('Consent: 3').waitFor()
    expect(await page.getByText('entries are counted').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])

    // One an hour: the newest 1,000 reach back 42 days.
    await addOptIns(1100, 1)
    await page.reload()
    await page.getByText('Only the newest 1,000 entries are counted, which do not reach back 8 weeks.').waitFor()
    await summary.getByText(/^Active days \(8 weeks\)\d\d or more$/).waitFor()

    await page.route('**/timeline?**limit=100**', route => route.abort())
    await page.reload()
    await chart.getByRole('alert').getByText('The server does not answer.').waitFor()
    await page.unroute('**/timeline?**limit=100**')
    await chart.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Only the newest 1,000 entries').waitFor()
  })

  test('says what erasing keeps, asks for the name and returns to the list', async () => {
    const id = await newCustomer('Emil Frost')
    const { page } = await openDashboard(browser, world, `/customers/${id}`)
    await page.getByRole('button', { name: 'More actions for Emil Frost' }).click()
    await page.getByRole('menuitem', { name: 'Erase customer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase Emil Frost?' })
    await dialog.getByText('Kept without personal data').waitFor()
    const erase = dialog.getByRole('button', { name: 'Erase customer' })
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByLabel('Type Emil Frost to confirm').fill('Emil Frost')
    await erase.click()
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Ben' }).waitFor()
    expect(await page.getByRole('link', { name: 'Emil Frost' }).count()).toBe(0)
    expect((await world.call('GET', `/v1/customers/${id}`)).status).toBe(404)
  })
})
