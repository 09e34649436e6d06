/** Tests of a repaired receiver: waiting deliveries are sent from the dashboard before their scheduled retry. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { browserPath } from '../../support/browser/browser.ts'
import { button, expectQuiet, openDashboard, useBrowser } from '../../support/browser/dashboard.ts'
import { respond, startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { eventually, useWorld } from '../../support/world.ts'

setDefaultTimeout(120_000)

describe.skipIf(browserPath === null)('a repaired receiver', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_RETRY_WAITS: Array(7).fill('1h').join(),
  }))
  const browser = useBrowser()

  /** Creates an endpoint with `count` deliveries that wait for a retry. */
  const failingEndpoint = async (name: string, count: number): Promise<{ id: string; deliveryId: string }> => {
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { name, url: receiver.url, events: ['message.status'] },
    })
    receiver.behave(respond(503))
    const test = () => world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const delivery = await test()
    await Promise.all(Array.from({ length: count - 1 }, test))
    await eventually('all wait for another attempt', async () => (await withStatus(id, 'retrying')) === count)
    return { id, deliveryId: delivery.id }
  }
  const withStatus = async (id: string, status: string): Promise<number> =>
    (await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries?status=${status}`)).data.length

  test('gets one delivery sent from its panel and all others with one click', async () => {
    const { id, deliveryId } = await failingEndpoint('Repaired', 4)
    receiver.behave(respond())
    // A link can contain only the delivery id.
    const opened = await openDashboard(browser, world, `/deliveries/${deliveryId}`)
    const { page } = opened
    // The notice of a failing endpoint has the only button of the bulk retry.
    const notice = page.getByRole('alert').filter({ hasText: 'Returning 503' })
    await button(notice, 'Retry deliveries…').waitFor()
    expect(await button(page, 'Retry deliveries…').count()).toBe(1)
    expect(page.url()).toEndWith(`/webhooks/${id}/deliveries/${deliveryId}`)
    await page.getByRole('heading', { name: 'ping Retrying' }).waitFor()
    await button(page, 'Retry now').click()
    await page.getByRole('heading', { name: 'ping Delivered' }).waitFor()
    await page.keyboard.press('Escape')

    // The bars have the colors of the chart and their numbers in words, and no time is "60 min".
    const strip = page.getByRole('group', { name: 'Last 4 deliveries' })
    await strip.getByRole('link', { name: 'ping, Retrying, 503' }).first().waitFor()
    await strip
      .getByRole('link', { name: /Delivered/ })
      .first()
      .waitFor()
    expect(await strip.locator('[data-tone=care]').count()).toBe(3)
    await page.getByText('Delivered 1 · Retrying 3', { exact: true }).waitFor()
    await page.getByText('3 deliveries retrying, next attempt in 1 hr.').waitFor()

    // The others: one is chosen in the list, with a delivered one that is left out.
    await page.getByLabel('Select row 4').check()
    await page.getByText('Select failed or retrying deliveries to retry.').waitFor()
    await page.getByLabel('Select row 1').check()
    await button(page, 'Retry selected').click()
    const selected = page.getByRole('dialog', { name: 'Retry selected deliveries' })
    await selected.getByText('already delivered').waitFor()
    await button(selected, 'Retry 1 delivery').click()
    await selected.getByText('1 succeeded.').waitFor()
    await button(selected, 'Close').click()
    await eventually('it is delivered', async () => (await withStatus(id, 'delivered')) === 2)

    await button(page, 'Retry deliveries…').click()
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' })
    await dialog.getByText('2 failed or retrying deliveries in this range.').waitFor()
    await button(dialog, 'Retry 2 deliveries').click()
    await page.getByText('All 2 deliveries were attempted.').waitFor()
    await page.getByText('Queue empty').waitFor()
    expect(await withStatus(id, 'delivered')).toBe(4)
    await button(page, 'Retry deliveries…').waitFor({ state: 'detached' })
    expectQuiet(opened)
  })

  test('shows while held that deliveries wait for the release, and gets all of them with one click', async () => {
    const { id } = await failingEndpoint('Held', 2)
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    receiver.behave(respond())
    const opened = await openDashboard(browser, world, `/webhooks/${id}`)
    const { page } = opened
    const row = page.getByRole('table').getByRole('row', { name: 'ping' }).first()
    await row.getByText('Queued').waitFor()
    await row.getByText('After resuming').waitFor()
    await page.getByText('Paused by an owner').waitFor()
    expect(await page.getByRole('table').getByText('Retrying').count()).toBe(0)
    await page.getByRole('table').getByRole('link', { name: 'ping' }).first().click()
    await page.getByRole('heading', { name: 'ping Queued' }).waitFor()
    await page.getByText('Next attempt after resuming').first().waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Resume and send everything now').click()
    await page.getByText('All 2 deliveries were attempted.').waitFor()
    // Updated without waiting for the next poll of the page.
    await page.getByText('Healthy', { exact: true }).waitFor({ timeout: 5000 })
    expect(await withStatus(id, 'delivered')).toBe(2)
    expectQuiet(opened)
  })
})
