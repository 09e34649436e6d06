/** Tests of the Webhook events page and of the panel of an event, in a real browser if one is available. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { newId } from '../../src/core/ids.ts'
import { quote } from '../../src/dashboard/trace/quote.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, button, expectQuiet, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { tell } from '../support/outbox.ts'
import { eventually, useWorld } from '../support/world.ts'

test.each([
  ['Hi Emma, yes! In blue it is 199.95 EUR. Shall I send it?', 'Hi Emma, yes! In blue it is 199.95 EUR…'],
  ['Is it one of these: blue, green or grey, or is it another?', 'Is it one of these: blue, green or grey…'],
  ['A short text.', 'A short text.'],
])('a quote has no other punctuation before its ellipsis: %p', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const world = useWorld()
  const browser = useBrowser()
  /** An event that one endpoint of four receives, and one that none receives. */
  let sent: string
  let unmatched: string
  let conversationId: string
  let customerId: string
  let crm: string

  beforeAll(async () => {
    const create = async (name: string, type: string): Promise<string> => {
      const body = { name, url: `https://${name.toLowerCase()}.example`, events: [type] }
      return (await world.expect(201, 'POST', '/v1/webhooks', { body })).id
    }
    crm = await create('CRM', 'message.status')
    // Its deliveries stay pending.
    await world.expect(200, 'POST', `/v1/webhooks/${crm}/hold`)
    for (const name of ['Stock', 'Till', 'Ledger']) await create(name, 'customer.opted_out')
    const channelId = await world.sandbox()
    const customer = { name: 'Ana Moreno', phone: '+12025550401' }
    customerId = (await world.expect(201, 'POST', '/v1/customers', { body: customer })).id
    const conversation = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
    conversationId = conversation.id
    await world.expect(201, 'POST', `/v1/conversations/${conversationId}/messages`, { body: { text: 'Hello' } })
    ;[unmatched] = (await tell(world.database.sql, world.workspaceId, 'campaign.completed')) as [string]
    await tell(world.database.sql, world.workspaceId, 'sale.created', { customerId })
    sent = await eventually('the events are sent', async () => {
      const { data } = await world.expect(200, 'GET', '/v1/outbound-events')
      const found = data.find(({ type }: { type: string }) => type === 'message.status')
      return data.length >= 3 && data.every(({ fannedOutAt }: { fannedOutAt: string }) => fannedOutAt) && found?.id
    })
  })

  const panelOf = (page: Page) => page.getByRole('complementary')
  const rowOf = (page: Page, type: string) => page.getByRole('row').filter({ hasText: type })
  const boxOf = async (found: Locator) => (await found.boundingBox())!

  test('an event begins with its status, customer, age and summary, and says none of them again', async () => {
    const opened = await openDashboard(browser, world, `/outbound/${sent}`)
    const { page } = opened
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: /^message\.status\s+Pending$/ }).waitFor()
    const ofRow = rowOf(page, 'message.status').locator('[data-tone]').first()
    const ofPanel = panel.getByRole('heading').first().locator('[data-tone]')
    const markOf = async (mark: Locator) => [await mark.textContent(), await mark.getAttribute('data-tone')]
    expect(await markOf(ofPanel)).toEqual(await markOf(ofRow))
    const customer = panel.getByRole('link', { name: 'Ana Moreno' })
    await customer.waitFor()
    expect([await customer.count(), await customer.getAttribute('href')]).toEqual([1, `/customers/${customerId}`])
    expect(await panel.getByText('Message delivered', { exact: true }).count()).toBe(1)
    await panel.getByText(/ ago$/).waitFor()
    expect(await panel.getByRole('term').allTextContents()).toEqual(['ID'])
    const titles = await panel.getByRole('heading', { level: 3 }).allTextContents()
    expect(titles).toEqual(['Destinations', 'Trace', 'Payload', 'Details'])
    await panel
      .getByRole('list', { name: /^Trace/ })
      .getByText('message.status')
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    await panel.getByRole('link', { name: 'Open conversation' }).click()
    await page.waitForURL(`**/inbox/${conversationId}`)
    expectQuiet(opened)
  })

  test('a phone shows the status, customer, age and destination of an event without scrolling', async () => {
    const { page } = await openDashboard(browser, world, `/outbound/${sent}`, { width: 360 })
    await page.setViewportSize({ width: 360, height: 640 })
    const panel = panelOf(page)
    const shown = [
      panel.getByRole('heading').getByText('Pending'),
      panel.getByRole('link', { name: 'Ana Moreno' }),
      panel.getByText(/ ago$/),
      panel.getByRole('list').first().getByRole('link', { name: 'CRM' }),
    ]
    const { y: end } = await boxOf(page.getByRole('navigation').last())
    const ends: number[] = []
    for (const one of shown) {
      await one.waitFor()
      const { y, height } = await boxOf(one)
      ends.push(y + height)
    }
    expect(Math.max(...ends)).toBeLessThan(end)
  })

  test('folds more than two endpoints without a delivery, unless the event has none', async () => {
    const { page } = await openDashboard(browser, world, `/outbound/${sent}`)
    const panel = panelOf(page)
    const reason = (type: string) => panel.getByText(`Not sent. Not subscribed to ${type}.`)
    const fold = button(panel, 'Not sent to 3 endpoints')
    await fold.and(page.locator('[aria-expanded=false]')).waitFor()
    expect(await reason('message.status').count()).toBe(0)
    await fold.click()
    await fold.and(page.locator('[aria-expanded=true]')).waitFor()
    expect(await reason('message.status').count()).toBe(3)
    await page.goto(`/outbound/${unmatched}`)
    await reason('campaign.completed').last().waitFor()
    expect([await reason('campaign.completed').count(), await fold.count()]).toEqual([4, 0])
  })

  test('an event without a delivery is not sent, at every width and in its panel', async () => {
    const { page } = await openDashboard(browser, world, '/outbound', { width: 1440 })
    const status = rowOf(page, 'campaign.completed').getByText('Not sent', { exact: true })
    for (const width of [1440, 1024, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await status.waitFor({ timeout: 5000 })
    }
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.goto(`/outbound/${unmatched}`)
    await status.waitFor()
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: /^campaign\.completed\s+Not sent$/ }).waitFor()
    await panel.getByText('Not sent to any endpoint').waitFor()
    // The campaign is a link, and the summary does not repeat its name.
    const { name, sent: count, skipped } = (await world.expect(200, 'GET', `/v1/outbound-events/${unmatched}`)).data
    await panel.getByRole('link', { name }).waitFor()
    await panel.getByText(`${count} sent, ${skipped} skipped`, { exact: true }).waitFor()
  })

  test('a sale has its amount in its currency', async () => {
    const { page } = await openDashboard(browser, world, '/outbound?type=sale.created', { width: 1440 })
    await rowOf(page, 'sale.created').getByText('€129.90', { exact: true }).waitFor()
  })

  test('a long name of a customer is cut before the endpoint that is retrying', async () => {
    const name = `Maximiliane ${'von Hohenlohe '.repeat(4)}`
    const body = { name, phone: '+12025550402' }
    const { id } = await world.expect(201, 'POST', '/v1/customers', { body })
    const { page } = await openDashboard(browser, world, '/account', { width: 360 })
    const event = {
      ...(await world.expect(200, 'GET', `/v1/outbound-events/${sent}`)),
      data: { customerId: id },
      deliveries: [{ webhookId: crm, status: 'retrying' }],
      status: 'retrying',
    }
    const ping = { ...event, id: newId(), type: 'ping', data: { webhookId: crm }, status: 'delivered' }
    await page.route(/\/v1\/outbound-events\?/, route =>
      route.fulfill({ json: { data: [event, ping], nextCursor: null } }),
    )
    await page.goto(`${world.url}/outbound`)
    const row = rowOf(page, 'message.status')
    const endpoint = row.getByText('CRM', { exact: true })
    const customer = row.getByText('Maximiliane')
    await customer.waitFor()
    const isCut = (found: Locator) =>
      found.evaluate(element => {
        let right = element.getBoundingClientRect().right
        for (let at = element.parentElement; at && at.role !== 'row'; at = at.parentElement)
          right = Math.min(right, at.getBoundingClientRect().right)
        return element.getBoundingClientRect().right > right || element.scrollWidth > element.clientWidth
      })
    const { x, width } = await boxOf(endpoint)
    const end = await boxOf(row.getByText('Retrying'))
    expect([await isCut(endpoint), await isCut(customer), x + width < end.x]).toEqual([false, true, true])
    // No column beside the panel names the endpoint of a test.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${world.url}/outbound/${sent}`)
    await rowOf(page, 'ping')
      .getByText(/^Endpoint test$/)
      .waitFor()
    await rowOf(page, 'ping').getByText('CRM').waitFor()
  })

  test('a folded chart has its button beside its title, and an unfolded one its time', async () => {
    const { page } = await openDashboard(browser, world, `/outbound/${sent}`, { width: 1024 })
    const chart = page.getByRole('figure', { name: 'Delivery attempts · Last 30 days' })
    const title = await boxOf(chart.getByText('Delivery attempts', { exact: true }))
    const toggle = button(chart, 'Show chart: Delivery attempts · Last 30 days')
    const { y, height } = await boxOf(toggle)
    expect(Math.abs(y + height / 2 - title.y - title.height / 2)).toBeLessThan(2)
    await toggle.click()
    await chart.getByText('Delivery attempts · Last 30 days', { exact: true }).waitFor()
  })

  test('a trace names the member who sent a message', async () => {
    const { name } = (await world.expect(200, 'GET', '/v1/auth/session')).user
    const { page } = await openDashboard(browser, world, `/outbound/${sent}`, { token: await agentOf(world) })
    const trace = panelOf(page).getByRole('list', { name: /^Trace/ })
    await trace.getByText(`Sent by ${name}`, { exact: true }).waitFor()
    await page.route('**/v1/members?*', route => route.fulfill({ json: { data: [], nextCursor: null } }))
    await page.reload()
    await trace.getByText('Sent by a team member', { exact: true }).waitFor()
  })

  test('the example of a delivery says which of its signatures to check', async () => {
    const { page } = await openDashboard(browser, world, '/account')
    await page.route(/\/v1\/outbound-events\?/, route => route.fulfill({ json: { data: [], nextCursor: null } }))
    await page.goto(`${world.url}/outbound`)
    await page.getByText('No webhook events yet').waitFor()
    await page.getByText(/^Check either webhook-signature with .+ or X-Service-Signature with /).waitFor()
  })
})
