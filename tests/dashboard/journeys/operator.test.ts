/**
 * Journey of an operator: finds a failing endpoint, holds it, inspects it, and replays the failed deliveries after the
 * repair.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { browserPath } from '../../support/browser/browser.ts'
import { button, expectQuiet, openDashboard, useBrowser } from '../../support/browser/dashboard.ts'
import { respond, startReceiver, verifySignature } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { eventually, useWorld } from '../../support/world.ts'

setDefaultTimeout(120_000)

describe.skipIf(browserPath === null)('an operator', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    // Failing deliveries make all their attempts without delay.
    WEBHOOK_RETRY_WAITS: '5ms,5ms,5ms,5ms,5ms,5ms,5ms',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  }))
  const browser = useBrowser()

  test('finds a failing endpoint on Home, holds it, checks its signature, releases it and replays the failed deliveries', async () => {
    const { id, secret } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { name: 'Shop <b>', url: receiver.url, events: ['sale.created', 'message.received'] },
    })
    const sandbox = await world.sandbox()
    const writes = (text: string) =>
      world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, {
        body: { from: '+12025550201', text, type: 'text' },
      })
    const health = () => world.expect(200, 'GET', `/v1/webhooks/${id}/health`)
    const failed = async (): Promise<{ id: string }[]> =>
      (await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries?status=failed`)).data

    const opened = await openDashboard(browser, world, '/')
    const { page } = opened
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await needs.getByText('No open issues').waitFor()
    receiver.behave(respond(503, '{"error":"<b>closed</b>"}'))
    for (const text of ['one', 'two', 'three']) await writes(text)
    await eventually('every attempt has failed', async () => (await failed()).length === 3)
    // The page updates live.
    const sentence = needs.getByRole('listitem').filter({ hasText: 'Endpoint failing' })
    await sentence.getByText('“Shop <b>” is failing: HTTP 503.').waitFor()
    // Shows the number of attempts from the last refresh of Home, which happens twice a minute.
    await sentence.getByText(/^The last (\d+ attempts|attempt) failed\./).waitFor()
    await sentence.getByRole('link').click()

    await page.getByRole('heading', { name: 'Shop <b>' }).waitFor()
    await page.getByText('Returning 503').first().waitFor()
    await button(page, 'Pause').click()
    await button(page, 'Resume').waitFor()
    expect((await health()).state).toBe('held')
    const arrived = receiver.requests.length
    await writes('four')
    await page.getByText('1 delivery queued').waitFor()

    const [newest] = await failed()
    const deliveries = page.getByRole('table').getByRole('link', { name: 'message.received' })
    // The first one is waiting.
    await deliveries.nth(3).waitFor()
    await deliveries.nth(1).click()
    await page.getByRole('heading', { name: 'message.received Failed' }).waitFor()
    expect(page.url()).toEndWith(`/webhooks/${id}/deliveries/${newest!.id}`)
    await page.getByRole('button', { name: /^8\b.*503/ }).waitFor()
    await page.getByText('Failed after 8 attempts').waitFor()
    await page.getByText('<b>closed</b>').waitFor()
    await page.getByRole('link', { name: 'Check signature' }).click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('X-Service-Signature'))
    await page.getByRole('textbox', { name: 'Secret' }).fill('whsec_another')
    await button(page, 'Check signature').click()
    await page.getByText('Invalid signature').waitFor()
    await page.getByText('secret_of_other_endpoint').first().waitFor()
    await page.getByRole('textbox', { name: 'Secret' }).fill(secret)
    await button(page, 'Check signature').click()
    await page.getByText('Valid signature').waitFor()
    // The input is kept in the tab, without the secret.
    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    expect(stored).toContain('X-Service-Signature')
    expect(stored).not.toContain(secret)

    // The receiver is repaired. Waiting deliveries are sent only after the release.
    receiver.behave(respond())
    expect(receiver.requests).toHaveLength(arrived)
    await page.goBack()
    // On this width the delivery lies over the actions of the endpoint.
    await page.keyboard.press('Escape')
    await button(page, 'Resume').click()
    await button(page, 'Pause').waitFor()
    const [waited] = (await receiver.waitFor(arrived + 1)).slice(arrived)
    expect(JSON.parse(waited!.body).data.text).toBe('four')
    await page.keyboard.press('Escape')
    await page.getByText('Queue empty').waitFor()

    await page.getByPlaceholder('Status').click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await button(page, 'Retry deliveries…').click()
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' })
    await dialog.getByText('3 failed or retrying deliveries in this range.').waitFor()
    // The first delivery blocks, so that the progress is visible.
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    receiver.behave((socket, request) => void held.then(() => respond()(socket, request)))
    await button(dialog, 'Retry 3 deliveries').click()
    await page.getByText(/Retrying: \d of 3 attempted\./).waitFor()
    // The progress bar is still empty.
    await page.getByRole('progressbar', { name: 'Retry deliveries' }).waitFor({ state: 'attached' })
    goOn()
    await page.getByText('All 3 deliveries were attempted.').waitFor()
    await page.getByText('No deliveries match these filters.').waitFor()
    for (const { headers, body } of receiver.requests.slice(arrived))
      expect(verifySignature(headers['x-service-signature']!, body, secret, Date.now() / 1000)).toBe(true)

    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    // Home refreshes twice a minute.
    await sentence.waitFor({ state: 'detached', timeout: 60_000 })
    expectQuiet(opened)
  })
})
