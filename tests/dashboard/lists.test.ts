/** Tests of lists with several pages, of filters, of exports and of the Sales page, in a real browser if one is available. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/core/ids.ts'
import { maxExportedRows, readAllRows } from '../../src/dashboard/ui/list/export.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { button, cutControlsOf, expectQuiet, openDashboard, tabTo, useBrowser } from '../support/browser/dashboard.ts'
import { eventually, useWorld } from '../support/world.ts'

describe('reading a list for an export', () => {
  /** Reads pages of numbers, and records the cursors. */
  const numbers = (total: number, pageSize: number) => {
    const cursors: (string | null)[] = []
    const readPage = async (cursor: string | null) => {
      cursors.push(cursor)
      const from = Number(cursor ?? 0)
      const data = Array.from({ length: Math.min(pageSize, total - from) }, (_, n) => from + n)
      return { data, nextCursor: from + pageSize < total ? String(from + pageSize) : null }
    }
    return { cursors, readPage }
  }
  const { signal } = new AbortController()

  test('returns the rows of all pages and reports the progress', async () => {
    const { cursors, readPage } = numbers(250, 100)
    const counts: number[] = []
    const { rows, isCut } = await readAllRows(readPage, signal, count => counts.push(count))
    expect([rows.length, rows.at(-1), isCut]).toEqual([250, 249, false])
    expect([cursors, counts]).toEqual([
      [null, '100', '200'],
      [100, 200, 250],
    ])
  })

  test.each([
    [maxExportedRows, false],
    [maxExportedRows + 1, true],
  ])('of %p rows, a file has at most the maximum', async (total, isCut) => {
    const all = await readAllRows(numbers(total, 64).readPage, signal, () => {})
    expect([all.rows.length, all.isCut]).toEqual([maxExportedRows, isCut])
  })

  test('ends if the pages stay empty', async () => {
    let pages = 0
    const readPage = async () => ({ data: [], nextCursor: String(++pages) })
    expect(await readAllRows(readPage, signal, () => {})).toEqual({ rows: [], isCut: true })
    expect(pages).toBe(500)
  })
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const world = useWorld()
  const browser = useBrowser()
  const total = 130
  const formula = '=HYPERLINK("https://evil.example")'
  let customerId: string

  beforeAll(async () => {
    const channelId = await world.sandbox()
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+12025550101', name: 'Ana' } })
    customerId = id
    const owner = await world.expect(200, 'GET', '/v1/members')
    const template = { name: 'Sale', category: 'utility', body: 'Sale', variables: [] }
    const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body: template })
    const definition = { trigger: { eventType: 'a' }, start: 'a', steps: { a: { type: 'end' } } }
    for (const name of ['First', 'Second']) {
      const campaign = await world.expect(201, 'POST', '/v1/campaigns', {
        body: { name, channelId, templateId, audience: { all: true } },
      })
      if (name === 'First') {
        await world.expect(202, 'POST', `/v1/campaigns/${campaign.id}/start`)
        await eventually('the campaign is delivered', async () => {
          const path = `/v1/campaigns/${campaign.id}/results`
          return (await world.expect(200, 'GET', path)).delivered === 1
        })
      }
      await world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
    }
    const body = { from: '+12025550101', text: formula }
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
    const firstMs = Date.now() - total * 60_000
    for (let n = 1; n <= total; n++) {
      const created_at = new Date(firstMs + n * 60_000)
      await world.database.sql`insert into sales ${world.database.sql({
        workspace_id: world.workspaceId,
        id: newId(created_at.getTime()),
        conversation_id: conversationId,
        customer_id: customerId,
        amount: n,
        currency: 'EUR',
        note: n === 1 ? formula : null,
        marked_by: 'user',
        marked_by_id: owner.data[0].userId,
        created_at,
      })}`
    }
  })

  const firstRow = (page: Page, text: string) =>
    page.locator('[role="row"][aria-rowindex="2"]').filter({ hasText: text }).waitFor()
  const timeHeader = (page: Page, order: 'ascending' | 'descending') =>
    page.getByRole('columnheader', { name: 'Time' }).and(page.locator(`[aria-sort="${order}"]`))
  const exportOf = async (page: Page): Promise<string[]> => {
    const download = page.waitForEvent('download')
    await button(page, 'Export CSV').click()
    return (await Bun.file(await (await download).path()).text()).trimEnd().split('\r\n')
  }

  /** Cells of a line. A text with a comma is quoted. */
  const cellsOf = (line: string): string[] =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell!)

  test('the time column sorts over all pages by keyboard, and the address keeps the order', async () => {
    const opened = await openDashboard(browser, world, '/sales')
    const { page } = opened
    await firstRow(page, '€130.00')
    await timeHeader(page, 'descending').waitFor()
    await button(page, 'Load more to sort by other columns').waitFor()
    expect(await button(page, 'Amount').count()).toBe(0)
    await tabTo(page, button(page, 'Time'))
    await page.keyboard.press('Enter')
    await firstRow(page, '€1.00')
    await timeHeader(page, 'ascending').waitFor()
    expect(page.url()).toBe(`${world.url}/sales?sort=oldest`)
    await page.reload()
    await firstRow(page, '€1.00')

    await page.getByRole('link', { name: 'Ana' }).first().click()
    await page.getByRole('heading', { name: 'Sale', exact: true }).waitFor()
    expect(page.url()).toEndWith('?sort=oldest')
    await page.getByRole('button', { name: 'Close' }).click()
    await button(page, 'Time').click()
    await firstRow(page, '€130.00')
    expect(page.url()).toBe(`${world.url}/sales`)
    expectQuiet(opened)
  })

  test('the keys act on the list only while no menu or dialog is open above it', async () => {
    const { page } = await openDashboard(browser, world, '/campaigns')
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await row('Second').and(page.locator('[data-current]')).waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      const isChecked = (name: string) => row(name).getByRole('checkbox').isChecked()
      return [await row('First').getAttribute('data-current'), await isChecked('First'), await isChecked('Second')]
    }
    const untouched = [null, false, false]
    await button(page, 'Actions for “Second”').click()
    await page.getByRole('menu').waitFor()
    expect(await press('j', 'x')).toEqual(untouched)
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('This campaign has not sent any messages.').waitFor()
    await page.getByRole('dialog').focus()
    expect(await press('j', 'x', 'Enter')).toEqual(untouched)
    expect(new URL(page.url()).pathname).toBe('/campaigns')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await press('j', 'x')).toEqual(['true', true, false])
  })

  test('a complete list sorts by other columns, and the time column returns to its order', async () => {
    const { page } = await openDashboard(browser, world, '/sales')
    await firstRow(page, '€130.00')
    for (const shown of [100, 130]) {
      await button(page, 'Load more').click()
      await page.getByText(new RegExp(`^(First ${shown}|${shown} in total)`)).waitFor()
    }
    await button(page, 'Load more to sort by other columns').waitFor({ state: 'detached' })
    const amount = page.getByRole('columnheader', { name: 'Amount' })
    await amount.getByRole('button').click()
    await amount.and(page.locator('[aria-sort="descending"]')).waitFor()
    await amount.getByRole('button').click()
    await firstRow(page, '€1.00')
    expect(await page.locator('[aria-sort]').count()).toBe(1)
    // The list has only the IDs of customers, and their order is not visible.
    const customer = page.getByRole('columnheader', { name: 'Customer' })
    expect(await customer.getByRole('button').count()).toBe(0)
    await button(page, 'Time').click()
    await firstRow(page, '€130.00')
    await timeHeader(page, 'descending').waitFor()
  })

  test.each([
    ['/events', 'Time', '/v1/activity/events'],
    ['/messages', 'Time', '/v1/messages'],
    ['/outbound', 'Time', '/v1/outbound-events'],
    ['/audit', 'Time', '/v1/audit'],
    ['/customers', 'Created', '/v1/customers'],
    ['/not-accepted', 'First seen', '/v1/activity/not-accepted'],
  ])('%s: the column %s sorts in the API', async (path, column, list) => {
    await world.call('POST', '/v1/events', { as: 'key', body: { type: 'a', phone: '+12025550101' } })
    await world.call('POST', '/v1/events', { as: 'key', body: { type: 7, phone: '+12025550101' } })
    const opened = await openDashboard(browser, world, path)
    const { page } = opened
    const header = page.getByRole('columnheader', { name: column, exact: true })
    await header.and(page.locator('[aria-sort="descending"]')).waitFor()
    const sorted = page.waitForRequest(request => {
      const url = new URL(request.url())
      return url.pathname === list && url.searchParams.get('sort') === 'oldest'
    })
    await header.getByRole('button').click()
    await sorted
    await header.and(page.locator('[aria-sort="ascending"]')).waitFor()
    expect(page.url()).toContain('sort=oldest')
    expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0)
    expectQuiet(opened)
  })

  test.each([
    ['/campaigns', 'Second'],
    ['/customers', 'Ana'],
    ['/workflows', 'Second'],
  ])('%s: the search keeps the focus when its text is deleted', async (path, name) => {
    const { page } = await openDashboard(browser, world, `${path}?q=unknown`)
    const field = page.getByRole('search').getByRole('textbox').first()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).nth(1).waitFor()
    await field.fill('')
    await firstRow(page, name)
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
  })

  test('a filtered list continues the search after a page without matches', async () => {
    const body = { type: 'search.continued', phone: '+12025550101' }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    const opened = await openDashboard(browser, world, '/sales')
    const { page } = opened
    await page.route(/\/v1\/activity\/events\?/, async route => {
      const url = new URL(route.request().url())
      if (!url.searchParams.has('cursor')) return route.fulfill({ json: { data: [], nextCursor: 'next' } })
      url.searchParams.delete('cursor')
      await route.continue({ url: url.href })
    })
    await page.goto(`/events?type=${body.type}`)
    await page.getByText('The search is not complete yet.').waitFor()
    await button(page, 'Continue search').click()
    await firstRow(page, body.type)
    expectQuiet(opened)
  })

  test('messages are searched by their text', async () => {
    const opened = await openDashboard(browser, world, '/messages')
    const { page } = opened
    await firstRow(page, formula)
    const search = page.getByRole('textbox', { name: 'Search texts' })
    await search.fill('sale')
    await page.locator('[role="row"]', { hasText: formula }).waitFor({ state: 'detached' })
    await firstRow(page, 'Sale')
    expect(page.url()).toBe(`${world.url}/messages?q=sale`)
    await search.fill('evil.EXAMPLE')
    await firstRow(page, formula)
    expect(await faultsOf(page)).toEqual([])
    expectQuiet(opened)
  })

  test('webhook events are filtered by the status of their deliveries', async () => {
    const body = { url: 'https://receiver.example/hooks', events: ['sale.created'] }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const opened = await openDashboard(browser, world, '/outbound?status=failed')
    const { page } = opened
    await page.getByText('No events match these filters.').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Pending' }).click()
    await firstRow(page, 'ping')
    expect(page.url()).toBe(`${world.url}/outbound?status=waiting`)
    expect(await page.locator('[role="row"]').count()).toBe(2)
    expect(await faultsOf(page)).toEqual([])
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    expectQuiet(opened)
  })

  test('a webhook event names the endpoint that is retrying first, and says if no endpoint matched', async () => {
    const create = (name: string) =>
      world.expect(201, 'POST', '/v1/webhooks', {
        body: { name, url: `https://${name}.example`, events: ['sale.created'] },
      })
    const [crm, stock] = await Promise.all([create('crm'), create('stock')])
    const event = {
      id: newId(),
      type: 'ping',
      createdAt: new Date().toISOString(),
      fannedOutAt: new Date().toISOString(),
      data: {},
      sentTo: 2,
      webhookIds: [crm.id, stock.id],
      deliveries: [
        { webhookId: crm.id, status: 'delivered' },
        { webhookId: stock.id, status: 'retrying' },
      ],
      passedOver: 1,
      status: 'retrying',
    }
    const none = { sentTo: 0, webhookIds: [], deliveries: [], status: 'none' }
    const unmatched = { ...event, ...none, id: newId(), type: 'sale.created' }
    const opened = await openDashboard(browser, world, '/account')
    const { page } = opened
    await page.route(/\/v1\/outbound-events\?/, route =>
      route.fulfill({ json: { data: [event, unmatched], nextCursor: null } }),
    )
    await page.goto(`${world.url}/outbound`)
    const row = page.getByRole('row')
    await row.filter({ hasText: /Retrying.*stock.*crm/ }).waitFor()
    expect(await row.locator('[data-tone=care]').allTextContents()).toEqual(['Retrying', 'stock,'])
    await row.filter({ hasText: 'No matching endpoint' }).waitFor()
    for (const { id } of [crm, stock]) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    expectQuiet(opened)
  })

  test('campaigns sort by their creation, and the export has all their times', async () => {
    const { page } = await openDashboard(browser, world, '/campaigns', { width: 1440 })
    await firstRow(page, 'Second')
    const created = page.getByRole('columnheader', { name: 'Created' })
    await created.and(page.locator('[aria-sort="descending"]')).waitFor()
    // A narrow list has no column for it. The row has the time.
    for (const width of [800, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await page
        .getByRole('row')
        .filter({ hasText: 'Draft' })
        .getByText(/^Created /)
        .waitFor()
      await button(page, 'Newest first').waitFor()
    }
    await button(page, 'Newest first').click()
    await firstRow(page, 'First')
    await page.setViewportSize({ width: 1440, height: 800 })
    await created.and(page.locator('[aria-sort="ascending"]')).waitFor()
    expect(page.url()).toBe(`${world.url}/campaigns?sort=oldest`)
    const [titles, first, second] = await exportOf(page)
    expect(titles).toEndWith(',Starts,Started,Ended,Created')
    expect([first, second]).toEqual([expect.stringMatching(/^First,/), expect.stringMatching(/^Second,/)])
  })

  test.each([
    ['/campaigns', 'Delivered', '1'],
    ['/workflows', 'Last run', ''],
  ])('%s: an export of several pages has the statistics of all rows', async (path, statistic, ofFirst) => {
    const { page } = await openDashboard(browser, world, path)
    await firstRow(page, 'Second')
    const whole = await exportOf(page)
    const column = cellsOf(whole[0]!).indexOf(statistic)
    expect(column).toBeGreaterThan(0)
    expect(cellsOf(whole.at(-1)!)[column]).toBe(ofFirst)
    await page.route(/limit=50/, route => route.continue({ url: route.request().url().replace('limit=50', 'limit=1') }))
    await page.reload()
    await page.getByText('First 1', { exact: true }).waitFor()
    expect(await exportOf(page)).toEqual(whole)
    expect(whole.slice(1).map(row => row.split(',')[0])).toEqual(['Second', 'First'])
  })

  test('an export has all pages in the shown order, and no formulas', async () => {
    const { page } = await openDashboard(browser, world, '/sales?sort=oldest')
    let isLimited = true
    await page.route(/\/v1\/customers\?ids=/, async route => {
      if (!isLimited) return route.continue()
      isLimited = false
      const error = { code: 'rate_limited', message: 'Too many requests.' }
      await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error, request_id: 'r' } })
    })
    await firstRow(page, '€1.00')
    const lines = await exportOf(page)
    expect(lines.length).toBe(total + 1)
    expect(lines[0]).toEndWith('Time,Customer name,Customer,Amount,Currency,Note,Source,Recorded by,Status')
    expect(lines[1]).toContain(',Ana,')
    expect(isLimited).toBe(false)
    expect(lines[1]).toContain(`,1,EUR,"'=HYPERLINK(""https://evil.example"")",Conversation,`)
    expect(lines.slice(1).map(line => line.split(',')[3])).toEqual(Array.from({ length: total }, (_, n) => `${n + 1}`))
  })

  test('an export shows its progress and can be cancelled', async () => {
    const { page } = await openDashboard(browser, world, '/sales')
    await firstRow(page, '€130.00')
    let downloads = 0
    page.on('download', () => downloads++)
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/sales?*limit=100*cursor=*', async route => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await button(page, 'Export CSV').click()
    await page.getByText('Exporting… 100 rows').waitFor()
    await button(page, 'Cancel export').click()
    await button(page, 'Export CSV').waitFor()
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    const download = page.waitForEvent('download')
    // The second click is on "Cancel export".
    await button(page, 'Export CSV').dblclick()
    expect((await Bun.file(await (await download).path()).text()).trimEnd().split('\r\n').length).toBe(total + 1)
    expect(downloads).toBe(1)
  })

  test('messages name their authors in an export, and customers have their attributes', async () => {
    const attributes = { city: 'Rome' }
    await world.expect(201, 'POST', '/v1/customers', { body: { externalId: 'attributes', name: 'Ada', attributes } })
    const { page } = await openDashboard(browser, world, '/messages')
    await page.getByText('First', { exact: true }).waitFor()
    const [titles, ...messages] = await exportOf(page)
    const author = titles!.split(',').indexOf('Sent by')
    expect(messages.map(line => line.split(',')[author])).toEqual(['Customer', 'First'])
    await page.goto('/customers')
    await page.getByRole('link', { name: 'Ada' }).waitFor()
    const [names, ...customers] = await exportOf(page)
    expect(names).toContain(',Attributes,')
    expect(customers.find(line => line.startsWith('Ada,'))).toContain('"{""city"":""Rome""}"')
  })

  test('conversations, webhook events, API keys and channels have an export', async () => {
    const opened = await openDashboard(browser, world, '/inbox?filter=all')
    const { page } = opened
    await page.getByRole('link', { name: 'Ana' }).waitFor()
    const [titles, conversation] = await exportOf(page)
    expect(titles).toEndWith(
      'Customer,Last message,Address,Channel,Status,Assignee,Unread messages,Waiting since,Last message at',
    )
    expect(conversation).toStartWith(`Ana,"'=HYPERLINK(""https://evil.example"")",+12025550101,`)
    await page.goto('/outbound?type=message.received')
    await page.getByText('No endpoints').waitFor()
    const [, webhookEvent] = await exportOf(page)
    expect(webhookEvent).toEndWith(',Not sent,,0')
    await page.goto('/api-keys')
    expect((await exportOf(page))[0]).toContain('Name,Status,')
    await page.goto('/channels')
    expect((await exportOf(page))[0]).toContain('Name,')
    expectQuiet(opened)
  })

  test('the Sales page filters, shows where a sale comes from, and voids it', async () => {
    const opened = await openDashboard(browser, world, '/')
    const { page } = opened
    await page.getByRole('navigation').getByRole('link', { name: 'Sales' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor()
    await page.goto('/sales?until=2020-01-01T00:00:00Z')
    await page.getByText('No sales match these filters.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await firstRow(page, '€130.00')
    // The timeline has the newest 100 sales only.
    await page.goto(`/customers/${customerId}`)
    await page.getByRole('link', { name: 'View all sales' }).click()
    await page.waitForURL(`**/sales?customerId=${customerId}`)
    await page.getByRole('figure').waitFor()
    await page.goto(`/sales?customerId=${customerId}&range=24h`)
    await firstRow(page, '€130.00')
    await firstRow(page, 'Conversation')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Ana' }).first().click()
    await button(page, 'Void sale').click()
    const dialog = page.getByRole('dialog', { name: 'Void sale' })
    await dialog.getByLabel('Reason').fill('Returned')
    await button(dialog, 'Void sale').click()
    await page.getByText('Returned').waitFor()
    await page.locator('[role="row"][aria-rowindex="2"]').locator('s').waitFor()
    expect(await button(page, 'Void sale').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await page.goto('/sales?voided=true&markedBy=user')
    await page.getByText('Total', { exact: true }).waitFor()
    await page.getByText('1 in total').waitFor()
    expect(await page.getByRole('figure').count()).toBe(0)
    await page.getByRole('link', { name: 'Ana' }).first().click()
    await page.getByRole('link', { name: 'Open conversation' }).click()
    await page.waitForURL('**/inbox/*')
    expectQuiet(opened)
  })

  test.each(
    '/campaigns /customers /messages /workflows /sales /outbound /events /not-accepted /audit /templates /api-keys'.split(
      ' ',
    ),
  )('%s: the line under the list fits on a phone, and loads more rows', async path => {
    await world.call('POST', '/v1/events', { as: 'key', body: { type: 'a', phone: '+12025550101' } })
    await world.call('POST', '/v1/events', { as: 'key', body: { type: 7, phone: '+12025550101' } })
    const { page } = await openDashboard(browser, world, '/account', { width: 360 })
    await page.route(/\/v1\/[\w/-]+\?.*limit=/, async route => {
      if (route.request().url().includes('cursor=next')) return route.fulfill({ json: { data: [], nextCursor: null } })
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: Array.isArray(body.data) ? { ...body, nextCursor: 'next' } : body })
    })
    await page.goto(world.url + path)
    const more = button(page, 'Load more rows')
    await more.waitFor()
    await button(page, 'Export CSV').waitFor()
    expect(await cutControlsOf(page)).toEqual([])
    const next = page.waitForRequest(/cursor=next/)
    await more.click()
    await next
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a phone shows the checkboxes of the rows on request', async () => {
    const { page } = await openDashboard(browser, world, '/workflows', { width: 360 })
    const { x, width } = (await button(page, 'Export CSV').boundingBox())!
    expect(x + width).toBeLessThanOrEqual(360)
    await page.goto('/customers')
    await page.getByRole('row').filter({ hasText: 'Ana' }).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await button(page, 'Select').click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('0 selected').waitFor()
    await page.getByRole('row').filter({ hasText: 'Ana' }).getByRole('checkbox').check()
    expect(await faultsOf(page)).toEqual([])
    await button(bar, 'Opt out').click()
    await page.getByRole('dialog').getByText('Ana').waitFor()
    await page.keyboard.press('Escape')
    await button(bar, 'Clear selection').click()
    await page.getByRole('checkbox').first().waitFor({ state: 'detached' })
    await button(page, 'Select').waitFor()
  })

  test('failed messages are sent again after a preview, without those that arrived', async () => {
    const [channel] = (await world.expect(200, 'GET', '/v1/channels')).data
    // The sandbox fails messages to numbers with this ending.
    const body = { from: '+12025550000', text: 'Is it there?' }
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channel.id}/sandbox/messages`, { body })
    for (const text of ['On its way.', 'It is here.'])
      await world.expect(201, 'POST', `/v1/conversations/${conversationId}/messages`, { body: { text } })
    const messages = async (): Promise<{ customerId: string; status: string; text: string }[]> =>
      (await world.expect(200, 'GET', `/v1/conversations/${conversationId}/messages`)).data
    await eventually('both failed', async () => (await messages()).filter(one => one.status === 'failed').length === 2)
    const { customerId } = (await messages())[0]!
    const opened = await openDashboard(browser, world, `/messages?customerId=${customerId}`)
    const { page } = opened
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await row('Is it there?').getByRole('checkbox').click()
    expect(await button(bar, 'Send again').isDisabled()).toBe(true)
    await bar.getByText('Select failed, skipped or unknown messages to send again.').waitFor()
    await page.getByRole('columnheader').getByRole('checkbox').click()
    await button(bar, 'Send again').click()
    const dialog = page.getByRole('dialog', { name: 'Send messages again' })
    await dialog.getByText('1 record is left out:').waitFor()
    await dialog.getByText('Is it there?: Received').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Send 2 messages again').click()
    await dialog.getByText('2 succeeded.').waitFor()
    await button(dialog, 'Close').last().click()
    await bar.waitFor({ state: 'detached' })
    await row('On its way.').nth(1).waitFor()
    expect((await messages()).map(({ text }) => text).toSorted()).toEqual([
      'Is it there?',
      'It is here.',
      'It is here.',
      'On its way.',
      'On its way.',
    ])
    expectQuiet(opened)
  })

  test('names of customers are read together, and an erased customer has none', async () => {
    const [channel] = (await world.expect(200, 'GET', '/v1/channels')).data
    const write = (from: string, name: string): Promise<{ customerId: string }> =>
      world.expect(201, 'POST', `/v1/channels/${channel.id}/sandbox/messages`, { body: { from, name, text: 'Hello' } })
    for (const [n, name] of ['Bo', 'Cy', 'Di'].entries()) await write(`+1202555030${n}`, name)
    const erased = await write('+12025550309', 'Ed')
    await world.expect(204, 'DELETE', `/v1/customers/${erased.customerId}`)
    const opened = await openDashboard(browser, world, '/templates')
    const { page } = opened
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    await page.goto(`${world.url}/messages`)
    for (const name of ['Bo', 'Cy', 'Di', 'Erased customer'])
      await page.getByRole('row').filter({ hasText: name }).first().waitFor()
    // The rows of the view, and those that are rendered after them.
    const reads = requested.filter(path => path.startsWith('/v1/customers'))
    expect([new Set(reads), reads.length <= 2]).toEqual([new Set(['/v1/customers']), true])
    expectQuiet(opened)
  })

  test('an event without a customer says what it is about where its summary has no column', async () => {
    const { id: webhookId } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: 'https://shop.example/held', name: 'Store room', events: ['sale.created'] },
    })
    await world.expect(200, 'POST', `/v1/webhooks/${webhookId}/hold`)
    const { page } = await openDashboard(browser, world, '/outbound?type=endpoint.held', { width: 1440 })
    const row = page.getByRole('row').filter({ hasText: 'endpoint.held' }).filter({ hasText: 'Store room' })
    for (const width of [1440, 1024, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await row.getByText('Store room').waitFor({ timeout: 5000 })
      const title = { 1440: /^Customer$/, 1024: 'Customer or summary' }[width]
      if (title) await page.getByRole('columnheader', { name: title }).waitFor({ timeout: 5000 })
    }
    await world.expect(204, 'DELETE', `/v1/webhooks/${webhookId}`)
  })

  test.each([1440, 360])('a list of customers shows each phone in full and in order at %i pixels', async width => {
    const names = ['مرحبا שלום 123', 'W'.repeat(80), 'Greta Lindqvist of Oslo']
    for (const [index, name] of names.entries())
      await world.call('POST', '/v1/customers', { body: { phone: `+4477009001${index}7`, name } })
    const { page, complaints } = await openDashboard(browser, world, '/sales', { width })
    if (width === 360) await button(page, 'Filters').click()
    const field = page.getByRole('combobox', { name: 'Customer' })
    expect(await field.getAttribute('placeholder')).toBe('Customer')
    await field.fill('4477009001')
    expect(await field.getAttribute('placeholder')).toBe('Name, phone or ID')
    await page.getByRole('option').nth(names.length).waitFor({ state: 'detached' })
    await page
      .getByRole('option')
      .nth(names.length - 1)
      .waitFor()
    const list = await page.getByRole('listbox').boundingBox()
    expect([list!.x >= 0, list!.x + list!.width <= width]).toEqual([true, true])
    for (const [index, name] of names.entries()) {
      const option = page.getByRole('option').filter({ hasText: name })
      const phone = option.getByText(`+4477009001${index}7`, { exact: true })
      const [box, text] = [(await option.boundingBox())!, (await phone.boundingBox())!]
      expect([name, text.x > box.x, text.x + text.width <= list!.x + list!.width, box.height < 40]).toEqual([
        name,
        true,
        true,
        true,
      ])
      expect(await phone.evaluate(element => getComputedStyle(element).unicodeBidi)).toBe('isolate')
    }
    expect(complaints).toEqual([])
  })

  test('an override in a name or a message turns no text of a list', async () => {
    const [channel] = (await world.expect(200, 'GET', '/v1/channels')).data
    const body = { from: '+12025550320', name: '\u202Egnp.exe', text: 'I am \u202Etfard, and you?' }
    await world.expect(201, 'POST', `/v1/channels/${channel.id}/sandbox/messages`, { body })
    const { page } = await openDashboard(browser, world, '/messages')
    for (const path of ['/messages', '/inbox']) {
      await page.goto(`${world.url}${path}`)
      const row = page.getByRole('row').filter({ hasText: 'gnp.exe' })
      expect(await row.getByText('and you?').textContent()).toBe('I am tfard, and you?')
      await row.getByText('gnp.exe', { exact: true }).waitFor()
      expect(await row.textContent()).not.toContain('\u202E')
    }
    await page.goto(`${world.url}/outbound`)
    const row = page.getByRole('row').filter({ hasText: 'message.received' }).filter({ hasText: 'gnp.exe' })
    await row.getByText('gnp.exe', { exact: true }).waitFor()
    expect(await row.textContent()).not.toContain('\u202E')
    await row.getByRole('link', { name: 'message.received' }).click()
    const panel = page.getByRole('complementary', { name: 'message.received' })
    const payload = panel.getByRole('region', { name: 'Payload' })
    await payload.getByText('I am \\u202etfard, and you?').waitFor()
    await panel.getByRole('link', { name: 'gnp.exe' }).waitFor()
    expect(await panel.textContent()).not.toContain('\u202E')
  })
})
