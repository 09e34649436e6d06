/** Tests of webhooks and API keys in the dashboard, from the first endpoint to failed deliveries. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { isWithinTheWindow, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('webhooks in a browser', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    // Failing deliveries make all their attempts without delay.
    WEBHOOK_RETRY_WAITS: '5ms,5ms,5ms,5ms,5ms,5ms,5ms',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  }))
  const browser = useBrowser()

  const makeEndpoint = (name: string): Promise<{ id: string; secret: string }> =>
    world.expect(201, 'POST', '/v1/webhooks', {
      body: { name, url: receiver.url, events: ['message.status'], headers: { Authorization: 'Bearer one' } },
    })
  const ping = (id: string): Promise<{ id: string }> => world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
  const failedPing = async (id: string): Promise<string> => {
    const { id: deliveryId } = await ping(id)
    await eventually('every attempt has failed', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)
      return status === 'failed'
    })
    return deliveryId
  }
  const button = (within: Pick<Page, 'getByRole'>, name: string) => within.getByRole('button', { name, exact: true })

  test('finds and inspects a failed delivery, retries it alone, then all of them', async () => {
    const { id } = await makeEndpoint('Morning')
    receiver.behave(respond(503, '{"error":"<b>closed</b>"}'))
    const deliveryId = await failedPing(id)
    for (const _ of [1, 2]) await failedPing(id)
    // Opened by a link that contains only the delivery id.
    const { page } = await openDashboard(browser, world, `/deliveries/${deliveryId}`)
    await page.getByRole('heading', { name: 'ping Failed' }).waitFor()
    expect(page.url()).toEndWith(`/webhooks/${id}/deliveries/${deliveryId}`)
    await page.getByText('Returning 503').waitFor()
    await page.getByRole('button', { name: /^8\b.*503/ }).waitFor()
    await page.getByText('<b>closed</b>').waitFor()

    receiver.behave(respond())
    await button(page, 'Retry now').click()
    await page.getByRole('heading', { name: 'ping Delivered' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`/webhooks/${id}?status=failed`)
    await button(page, 'Retry all…').click()
    const dialog = page.getByRole('dialog', { name: 'Retry failed and waiting deliveries' })
    await dialog.getByText('2 failed or waiting deliveries in this time.').waitFor()
    await button(dialog, 'Retry now').click()
    await page.getByText('All 2 deliveries were attempted.').waitFor()
    await page.getByText('No deliveries match these filters.').waitFor()
  })

  test('pauses, resumes, turns off and deletes an endpoint, and warns of lost deliveries', async () => {
    const { id } = await makeEndpoint('Held')
    const stateOf = async () => (await world.expect(200, 'GET', `/v1/webhooks/${id}/health`)).state
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    await button(page, 'Pause').click()
    await button(page, 'Resume').waitFor()
    expect(await stateOf()).toBe('held')
    await page.getByText('Undo').click()
    await button(page, 'Pause').waitFor()
    const choose = async (name: string) => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name }).click()
      await button(page.getByRole('dialog'), name).click()
    }
    await choose('Turn off')
    await button(page, 'Turn on').waitFor()
    expect(await stateOf()).toBe('off')
    await choose('Delete')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await world.expect(404, 'GET', `/v1/webhooks/${id}`)
  })

  test('shows a resumed endpoint as failing until a new attempt, and reports an error once', async () => {
    const { id } = await makeEndpoint('Let go on')
    receiver.behave(respond(503, 'no'))
    await failedPing(id)
    receiver.behave(respond())
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    await page.getByText('Returning 503').waitFor()
    await button(page, 'Pause').click()
    await button(page, 'Resume').click()
    await page.getByText('no attempts since then.').waitFor()
    await button(page, 'Send test event').click()
    await page.getByText('Healthy', { exact: true }).waitFor()

    await page.goto(`/webhooks/${id}/edit`)
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:1/hook')
    await button(page, 'Save').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').getByText('must start with https').count()).toBe(1)
  })

  test('sends only the changed fields, and keeps headers until they are replaced', async () => {
    const { id } = await makeEndpoint('Edited')
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/edit`)
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.getByLabel('Maximum concurrent deliveries').fill('7')
    await page.getByRole('combobox', { name: 'Event filter' }).click()
    await page.getByRole('option', { name: 'All conditions match' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('data.status')
    await page.getByLabel('Value', { exact: true }).fill('delivered')
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { description: 'of somebody else' } })
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Renamed' }).waitFor()
    expect(await world.expect(200, 'GET', `/v1/webhooks/${id}`)).toMatchObject({
      name: 'Renamed',
      description: 'of somebody else',
      headers: ['Authorization'],
      maxConcurrency: 7,
      filter: { all: [{ path: 'data.status', op: 'eq', value: 'delivered' }] },
    })
  })

  test('stores only the changed fields in a draft, so that saving it keeps concurrent changes', async () => {
    const { id } = await makeEndpoint('Left half-way')
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/edit`)
    await page.getByLabel('Description').fill('typed')
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { name: 'Of somebody else' } })
    await page.reload()
    await page.getByRole('heading', { name: 'Of somebody else' }).waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('typed')
    await button(page, 'Save').click()
    await page.getByRole('definition').getByText('typed').or(page.getByText('typed')).first().waitFor()
    const { name, description } = await world.expect(200, 'GET', `/v1/webhooks/${id}`)
    expect({ name, description }).toEqual({ name: 'Of somebody else', description: 'typed' })
  })

  test('creates a key with a sample call, uses it and revokes it', async () => {
    const { page } = await openDashboard(browser, world, '/api-keys')
    await button(page, 'Create API key').click()
    const naming = page.getByRole('dialog', { name: 'New API key' })
    await naming.getByLabel('Name').fill('<i>till</i>')
    await button(naming, 'Create API key').click()
    const dialog = page.getByRole('dialog', { name: 'API key “<i>till</i>”' })
    const key = (await dialog.getByText(/^ces_\S+$/).textContent())!
    await dialog.getByText(`'X-API-Key: ${key}'`).waitFor()
    const record = () =>
      world.call('POST', '/v1/events', {
        as: { 'X-API-Key': key },
        body: { type: 'order.created', phone: '+12025550123' },
      })
    expect((await record()).status).toBe(201)
    await dialog.getByLabel('I’ve saved it somewhere safe').check()
    await button(dialog, 'Done').click()
    await button(page, 'Revoke <i>till</i>').click()
    await button(page.getByRole('dialog'), 'Revoke API key').click()
    await page.getByRole('row', { name: '<i>till</i> Revoked' }).waitFor()
    expect((await record()).status).toBe(401)
  })

  test('shows an agent the health of endpoints without the owner actions', async () => {
    const { id } = await makeEndpoint('Looked at')
    const email = 'agent@shop.example'
    const password = 'correct horse battery'
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    await world.expect(200, 'POST', '/v1/auth/accept-invitation', {
      as: 'nobody',
      body: { token: invitation.token, password },
    })
    const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const { page, complaints } = await openDashboard(browser, world, '/webhooks', { token })
    await page.getByText('View only.').waitFor()
    expect(await page.getByRole('link', { name: 'Add endpoint' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Looked at' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await button(page, 'Pause').count()).toBe(0)
    expect(page.url()).toEndWith(`/webhooks/${id}`)
    expect(complaints.filter(told => !told.includes('404'))).toEqual([])
  })

  test('has no axe violations on pages and dialogs, in both themes', async () => {
    const { id } = await makeEndpoint('Looks')
    receiver.behave(respond(500, 'no'))
    const deliveryId = await failedPing(id)
    receiver.behave(respond())
    const { page, complaints } = await openDashboard(browser, world, '/webhooks')
    const seen = async (path: string, what: () => Promise<unknown>) => {
      if (new URL(page.url()).pathname !== path) await page.goto(path)
      await what()
      expect([path, await faultsOf(page)]).toEqual([path, []])
    }
    const heading = (name: string) => () => page.getByRole('heading', { name }).first().waitFor()
    await seen('/webhooks', () => page.getByText('Returning 500').first().waitFor())
    await seen(`/webhooks/${id}/deliveries/${deliveryId}`, heading('Response to attempt 8'))
    await seen(`/webhooks/${id}/edit`, () => page.getByLabel('Endpoint URL').waitFor())
    await seen('/webhooks/doctor', heading('Result'))
    await seen(`/webhooks/${id}/settings`, heading('Settings'))
    await seen(`/webhooks/${id}/settings`, async () => {
      await button(page, 'More').click()
      await page.getByRole('menuitem', { name: 'Replace secret' }).click()
      await button(page.getByRole('dialog'), 'Replace secret').click()
      await page.getByRole('tab', { name: 'Ruby' }).click()
    })
    await page.getByLabel('I’ve saved it somewhere safe').check()
    await button(page, 'Done').click()
    await seen('/api-keys', async () => {
      await button(page, 'Revoke shop system').click()
      await page.getByRole('dialog').waitFor()
    })
    expect(complaints.filter(told => !told.includes('404'))).toEqual([])
  }, 180_000)

  test('fits the width of a phone', async () => {
    const { id } = await makeEndpoint('A name-that-is-one-long-word-and-does-not-end-before-the-phone-does')
    const { id: deliveryId } = await ping(id)
    const { page } = await openDashboard(browser, world, '/webhooks', { width: 360 })
    for (const [path, wait] of [
      ['/webhooks', 'Webhooks'],
      [`/webhooks/${id}`, 'A name-that'],
      [`/webhooks/${id}/deliveries/${deliveryId}`, 'Response'],
      [`/webhooks/${id}/edit`, 'Edit A name'],
      ['/api-keys', 'API keys'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { name: wait }).first().waitFor()
      expect([path, await isWithinTheWindow(page)]).toEqual([path, true])
    }
  })
})
