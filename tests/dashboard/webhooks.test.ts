/** Tests of webhooks and API keys in the dashboard, from the first endpoint to failed deliveries. */
import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, tabTo, useBrowser } from '../support/browser/dashboard.ts'
import { tell } from '../support/outbox.ts'
import { respond, startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually, newPhone, useWorld } from '../support/world.ts'

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
  const failedPing = async (id: string): Promise<void> => {
    const { id: deliveryId } = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await eventually('every attempt has failed', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)
      return status === 'failed'
    })
  }
  const button = (within: Pick<Page, 'getByRole'>, name: string) => within.getByRole('button', { name, exact: true })

  test('pauses, resumes, turns off and deletes an endpoint, and warns of lost deliveries', async () => {
    const { id } = await makeEndpoint('Held')
    const stateOf = async () => (await world.expect(200, 'GET', `/v1/webhooks/${id}/health`)).state
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    await button(page, 'Pause').click()
    await button(page, 'Resume').waitFor()
    expect(await stateOf()).toBe('held')
    await page.getByText('Undo').click()
    await button(page, 'Pause').waitFor()
    // Resuming hides the notification. The pointer above it keeps it open otherwise.
    await button(page, 'Pause').click()
    const paused = page.getByText('Paused. Deliveries are queued')
    await paused.hover()
    await button(page, 'Resume').press('Enter')
    await button(page, 'Pause').waitFor()
    await paused.waitFor({ state: 'detached' })
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
    await page.getByText('If all attempts fail for five days, this endpoint is paused').waitFor()
    await page.getByText('Latest results, newest on the right').waitFor()
    const viewport = page.viewportSize()!
    // The list ends at the edge of the window.
    await page.setViewportSize({ width: 1024, height: 900 })
    await button(page, 'Latency').waitFor()
    const exportBox = await button(page, 'Export CSV').boundingBox()
    expect(exportBox!.y + exportBox!.height).toBeLessThanOrEqual(900)
    // On a phone, the icon is beside the first line.
    await page.setViewportSize({ width: 360, height: 900 })
    const distance = await page
      .getByRole('alert')
      .filter({ hasText: 'Returning 503' })
      .evaluate(
        alert =>
          alert.querySelector('svg')!.getBoundingClientRect().top -
          alert.querySelector('strong')!.getBoundingClientRect().top,
      )
    expect(Math.abs(distance)).toBeLessThan(4)
    await page.setViewportSize(viewport)
    await button(page, 'Pause').click()
    await button(page, 'Resume').click()
    await page.getByText('no attempts since then.').waitFor()
    // Somebody else sends a test. The next poll is 10 seconds after this one, so only the stream updates the page earlier.
    await page.waitForResponse(response => response.url().endsWith('/health'))
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await page.getByText('Healthy', { exact: true }).waitFor({ timeout: 8000 })
    expect(await page.getByText('no attempts since then.').count()).toBe(0)

    await page.goto(`/webhooks/${id}/edit`)
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:1/hook')
    await button(page, 'Save').click()
    await page.getByText('must start with https').waitFor()
    expect(await page.getByText('must start with https').count()).toBe(1)
  })

  test('follows a pause by somebody else, and disables both buttons while one of them resumes', async () => {
    const { id } = await makeEndpoint('Paused elsewhere')
    const { page } = await openDashboard(browser, world, '/templates')
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/stream')
    await page.goto(`/webhooks/${id}`)
    await stream
    await button(page, 'Pause').waitFor()
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    // The stream announces this delivery, which waits.
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await button(page, 'Resume').waitFor()
    expect(await button(page, 'Pause').count()).toBe(0)
    const release = Promise.withResolvers<void>()
    await page.route(`**/v1/webhooks/${id}/release`, async route => {
      await release.promise
      await route.continue()
    })
    const sendAll = button(page, 'Resume and send everything now')
    await sendAll.click()
    await page.locator('button:disabled').getByText('Resume', { exact: true }).waitFor()
    expect(await sendAll.getAttribute('data-loading')).toBe('true')
    release.resolve()
    await button(page, 'Pause').waitFor()
  })

  test('a narrow window has the latency and the response codes of an endpoint above its deliveries', async () => {
    const { id } = await makeEndpoint('Narrow')
    const { id: deliveryId } = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await eventually('the delivery arrives', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)
      return data[0]?.id === deliveryId && data[0].status === 'delivered'
    })
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`, { width: 360 })
    await page.getByText('in the last hour succeeded · Queue empty').waitFor()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    const top = async () => (await deliveries.boundingBox())?.y
    await page.getByRole('figure', { name: 'Attempts · Last 24 hours' }).waitFor()
    // Another font can need one more line.
    await page.evaluate(() => document.fonts.ready)
    const before = await top()
    await button(page, 'Latency').click()
    await page.getByRole('figure', { name: 'Latency · Last 24 hours' }).waitFor()
    await button(page, 'Response codes').click()
    await page.getByRole('table', { name: 'Response codes' }).waitFor()
    expect(await top()).toBe(before)
    await button(page, '200').click()
    await page.waitForURL(/statusCode=200/)
    // A workspace has a limit.
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('keeps and sends only the changed fields, so that saving keeps headers and concurrent changes', async () => {
    const { id } = await makeEndpoint('Edited')
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/edit`)
    await page.getByLabel('Name (optional)').fill('Renamed')
    await page.getByLabel('Maximum concurrent deliveries').fill('7')
    await page.getByRole('combobox', { name: 'Event filter' }).click()
    await page.getByRole('option', { name: 'All conditions match' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('data.status')
    await page.getByLabel('Value', { exact: true }).fill('delivered')
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { description: 'of somebody else' } })
    await page.reload()
    expect(await page.getByLabel('Name (optional)').inputValue()).toBe('Renamed')
    expect(await page.getByLabel('Description (optional)').inputValue()).toBe('of somebody else')
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

  test('says that another person changed the endpoint before a save replaces the same field', async () => {
    const { id } = await makeEndpoint('Of two')
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/edit`)
    const name = page.getByLabel('Name (optional)')
    await name.fill('Mine')
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { name: 'Theirs', description: 'Also theirs' } })
    await button(page, 'Save').click()
    await page.getByText('Other changes were saved while you were editing.').waitFor()
    expect((await world.expect(200, 'GET', `/v1/webhooks/${id}`)).name).toBe('Theirs')
    expect(await page.getByLabel('Description (optional)').inputValue()).toBe('Also theirs')
    expect(await name.inputValue()).toBe('Mine')
    expect(await faultsOf(page)).toEqual([])
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    const saved = await world.expect(200, 'GET', `/v1/webhooks/${id}`)
    expect(saved).toMatchObject({ name: 'Mine', description: 'Also theirs', headers: ['Authorization'] })
    // A workspace has a limit.
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('keeps the headers that another person adds, and says nothing of a pause', async () => {
    const body = { url: `${receiver.url}/bare`, events: ['sale.created'], name: 'Without headers' }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body })
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/edit`)
    await page.getByLabel('Name (optional)').fill('With headers')
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await button(page, 'Save').click()
    await page.getByRole('alert').getByText('Other changes were saved in the meantime').waitFor()
    expect(await page.getByText('Other changes were saved while you were editing.').count()).toBe(0)
    await world.expect(200, 'PATCH', `/v1/webhooks/${id}`, { body: { headers: { Authorization: 'secret' } } })
    await page.reload()
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'With headers' }).waitFor()
    const saved = await world.expect(200, 'GET', `/v1/webhooks/${id}`)
    expect(saved).toMatchObject({ name: 'With headers', headers: ['Authorization'] })
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('lists success, latency and volume of each endpoint, and pauses the selected ones with a preview', async () => {
    const ids = await Promise.all(
      ['Bulk one', 'Bulk two', 'Bulk three'].map(async name => (await makeEndpoint(name)).id),
    )
    receiver.behave(respond(500, 'no'))
    await failedPing(ids[0]!)
    receiver.behave(respond())
    await world.expect(200, 'POST', `/v1/webhooks/${ids[2]}/hold`)
    const events = ['message.status', 'sale.created', 'message.received']
    await world.expect(200, 'PATCH', `/v1/webhooks/${ids[2]}`, { body: { events } })
    const { page } = await openDashboard(browser, world, '/templates', { width: 1440 })
    const requests: string[] = []
    page.on('request', request => void requests.push(new URL(request.url()).pathname))
    await page.goto('/webhooks')
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
    await rowOf('Bulk one').getByText('Failing').waitFor()
    await rowOf('Bulk one').getByText('0%', { exact: true }).waitFor()
    const bars = /^Last 24 hours: 8 attempts, 0 succeeded\. Oldest first: (0; )*8/
    await rowOf('Bulk one').getByRole('img', { name: bars }).waitFor()
    await rowOf('Bulk three').getByText('–', { exact: true }).first().waitFor()
    await page.getByRole('figure', { name: 'Attempts' }).getByText('Failed, retried later').waitFor()
    // One request has the statistics of all endpoints.
    const statistics = requests.filter(path => /webhooks.*stats$|summary$/.test(path))
    expect([...new Set(statistics)]).toEqual(['/v1/activity/summary'])
    // It does not follow the time range, unlike the other columns.
    await page.getByRole('columnheader', { name: '95% within, last 50' }).waitFor()
    const otherEvents = '2 more: sale.created, message.received'
    await rowOf('Bulk three').getByText('message.status +2', { exact: true }).waitFor()
    await rowOf('Bulk three').getByRole('link', { name: 'Bulk three' }).focus()
    await page.keyboard.press('Tab')
    await rowOf('Bulk three').getByRole('link', { name: otherEvents }).and(page.locator(':focus')).waitFor()
    await page.getByRole('tooltip', { name: otherEvents }).waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    const chart = page.getByRole('figure', { name: 'Attempts' })
    const boxOf = async (part: Locator) => (await part.boundingBox())!
    const title = await boxOf(chart.getByText('Attempts', { exact: true }))
    const toggle = await boxOf(chart.getByRole('button', { name: 'Show as table: Attempts' }))
    const picker = await boxOf(chart.getByRole('button', { name: 'Last 24 hours' }))
    expect(toggle.y).toBeLessThan(title.y + title.height)
    expect(picker.y).toBeGreaterThanOrEqual(title.y + title.height)
    await page.setViewportSize({ width: 1440, height: 900 })
    await button(page, 'Endpoint').click()
    expect(await page.getByRole('row').nth(1).textContent()).toContain('Bulk one')

    const bar = page.getByRole('region', { name: 'Selected rows' })
    await rowOf('Bulk one').getByRole('checkbox').check()
    expect(await button(bar, 'Resume').isDisabled()).toBe(true)
    await button(bar, 'Pause').focus()
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip', { name: 'Select paused endpoints to resume.' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).toBe(0)
    for (const name of ['Bulk two', 'Bulk three']) await rowOf(name).getByRole('checkbox').check()
    await button(bar, 'Pause').click()
    const dialog = page.getByRole('dialog', { name: 'Pause endpoints' })
    await dialog.getByText('Bulk three: already paused').waitFor()
    // Somebody deletes one of them before the action runs.
    await world.expect(204, 'DELETE', `/v1/webhooks/${ids[1]}`)
    // The API asks to wait once, and the call is repeated.
    const late = {
      status: 429,
      headers: { 'Retry-After': '1' },
      json: { error: { code: 'rate_limited', message: 'Wait' } },
    }
    await page.route(`**/v1/webhooks/${ids[0]}/hold`, route => route.fulfill(late), { times: 1 })
    await button(dialog, 'Pause 2 endpoints').click()
    await dialog.getByText('1 succeeded.').waitFor()
    await dialog.getByText('Bulk two: No such webhook endpoint').waitFor()
    await button(dialog, 'Close').click()
    await rowOf('Bulk one').getByText('Paused').waitFor()
  })

  test('filters the deliveries by their response code and opens the recent ones by the keyboard', async () => {
    const { id } = await makeEndpoint('Codes')
    receiver.behave(respond(500, 'no \u202Etfard'))
    await failedPing(id)
    receiver.behave(respond())
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await eventually(
      'a ping arrives',
      async () => (await world.expect(200, 'GET', `/v1/webhooks/${id}/health`)).state === 'healthy',
    )
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    const attempts = page.getByRole('figure', { name: 'Attempts' })
    await attempts.getByRole('button', { name: /^Show as table: Attempts/ }).click()
    await attempts.getByRole('row').filter({ hasText: '7' }).getByRole('cell').first().waitFor()
    await page.getByRole('table', { name: 'Response codes' }).getByRole('button', { name: '500' }).click()
    await page.waitForURL(/statusCode=/)
    await page.getByText('The charts count attempts of every event type, status and response code.').waitFor()
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
    await rows.nth(2).waitFor({ state: 'detached' })
    await rows.nth(1).getByText('Failed').waitFor()

    const strip = page.getByRole('group', { name: 'Last 2 deliveries' })
    expect(await strip.getByRole('link').first().getAttribute('data-tone')).toBe('failed')
    await tabTo(page, strip.getByRole('link').last())
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ping Failed' }).waitFor()
    // A control that turns the letters after it is shown as an escape.
    await page.getByRole('region', { name: 'Response body' }).getByText('no \\u202etfard', { exact: true }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy as curl').click()
    await button(page, 'Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toStartWith(`curl -i -X POST '${receiver.url}'`)
  })

  /** Returns whether the notification with this text reports a failure. */
  const isFailure = async (page: Page, text: string) =>
    (await page.getByRole('alert').filter({ hasText: text }).getAttribute('style'))!.includes('red')

  test('reports in red that an action was not possible', async () => {
    const { id } = await makeEndpoint('Refuses tests')
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    const json = { error: { code: 'conflict', message: 'Not now.' }, request_id: 'none' }
    await page.route('**/test', route => route.fulfill({ status: 409, json }))
    await button(page, 'Send test event').click()
    expect(await isFailure(page, 'Not now.')).toBe(true)
    await button(page, 'Pause').click()
    expect(await isFailure(page, 'Paused. Deliveries are queued')).toBe(false)
  })

  test('sends the newest event of a type again, and only of a type that has one', async () => {
    const { id } = await makeEndpoint('Gets an event again')
    const customer = await world.expect(201, 'POST', '/v1/customers', { body: { phone: newPhone() } })
    await world.expect(200, 'POST', `/v1/customers/${customer.id}/opt-out`, { body: { reason: 'Asked by phone' } })
    const { page, complaints } = await openDashboard(browser, world, `/webhooks/${id}`)
    await button(page, 'More test events').click()
    await page.getByRole('menuitem', { name: /^customer.opted_out (now|.* ago)$/, disabled: false }).waitFor()
    await page.getByRole('menuitem', { name: 'run.failed No event yet', disabled: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await button(page, 'More test events').click()
    await page.getByRole('menuitem', { name: /^customer.opted_out/, disabled: false }).click()
    const dialog = page.getByRole('dialog', { name: 'Send the latest customer.opted_out to Gets an event again?' })
    await dialog.getByText('Asked by phone').waitFor()
    expect((await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries`)).data).toHaveLength(0)
    await button(dialog, 'Send event').click()
    await page.getByRole('heading', { name: /^customer.opted_out/ }).waitFor()
    expect(complaints).toEqual([])
    // A workspace has ten at most.
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('counts the deliveries since a chosen time, and offers nothing without their number', async () => {
    const { id } = await makeEndpoint('Recovered')
    receiver.behave(respond(503, 'no'))
    await failedPing(id)
    receiver.behave(respond())
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    await button(page, 'Retry deliveries…').click()
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' })
    await button(dialog, 'Retry 1 delivery').waitFor()
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    const recoveries = `**/v1/webhooks/${id}/recoveries`
    await page.route(recoveries, route => route.fulfill({ status: 500, json }))
    const choose = async (range: string) => {
      await dialog.getByRole('combobox', { name: 'Time range' }).click()
      await page.getByRole('option', { name: range }).click()
    }
    await choose('Last hour')
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByText('Counting…').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: /^Retry/ }).count()).toBe(0)
    await page.unroute(recoveries)
    await button(dialog, 'Try again').click()
    await button(dialog, 'Retry 1 delivery').waitFor()
    await choose('Custom')
    await dialog.getByLabel('Start time').click()
    const calendar = page.getByRole('dialog').last()
    const since = page.waitForRequest(recoveries)
    await calendar.getByLabel('Minutes').fill('7')
    expect(new Date((await since).postDataJSON().since).getMinutes()).toBe(7)
    await button(calendar, 'Apply').click()
    await dialog.getByText('Missed events', { exact: true }).click()
    await dialog.getByText('No deliveries to send in this range.').waitFor()
    expect(await dialog.getByRole('button', { name: /^(Retry|Send)/ }).count()).toBe(0)
    await dialog.getByText('Undelivered', { exact: true }).click()
    await button(dialog, 'Retry 1 delivery').click()
    await page.getByText('The delivery was attempted.').waitFor()
    // The menu of a healthy endpoint offers the time range of the list too.
    await page.goto(`/webhooks/${id}?range=7d`)
    await button(page, 'More').click()
    await page.getByRole('menuitem', { name: 'Retry deliveries…' }).click()
    const range = dialog.getByRole('combobox', { name: 'Time range' })
    await range.waitFor()
    expect(await range.inputValue()).toBe('Time range of the list')
  })

  test('includes the failed deliveries that are older than the waiting ones', async () => {
    const { id } = await makeEndpoint('Failed before')
    receiver.behave(respond(503, 'no'))
    await failedPing(id)
    await failedPing(id)
    // One of them failed two days ago, and the other one waits.
    await world.database.sql`
      with old as (
        update outbound_events set created_at = now() - interval '2 days'
        where id = (select event_id from deliveries where webhook_id = ${id} order by id limit 1)
      ), moved as (
        select id from deliveries where webhook_id = ${id} order by id limit 1
      )
      update deliveries set id = (lpad(to_hex((extract(epoch from now() - interval '2 days') * 1000)::bigint), 12, '0') ||
        right(replace(id::text, '-', ''), 20))::uuid
      where id = (select id from moved)`
    await world.database.sql`
      update deliveries set status = 'retrying', due_at = now() + interval '1 hour'
      where id = (select id from deliveries where webhook_id = ${id} order by id desc limit 1)`
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`, { width: 360 })
    await button(page, 'Retry deliveries…').click()
    const dialog = page.getByRole('dialog', { name: 'Retry deliveries' })
    await dialog.getByText('2 failed or retrying deliveries in this range.').waitFor()
    const range = dialog.getByRole('combobox', { name: 'Time range' })
    const descriptionOf = (input: Locator) =>
      input.evaluate(input => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent)
    const cutOf = (input: Locator) => input.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect([await range.inputValue(), await cutOf(range)]).toEqual(['Since the first undelivered event', 0])
    expect(await descriptionOf(range)).toMatch(/^Includes events from \w+ \d+, .+ until now\.$/)
    await range.click()
    await page.getByRole('option', { name: 'Since the first retrying event' }).click()
    await dialog.getByText('One failed or retrying delivery in this range.').waitFor()
    await dialog.getByText('Events that failed before this time are not included.').waitFor()
    expect(await cutOf(range)).toBe(0)
    receiver.behave(respond())
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('keeps the progress of a bulk retry, and the button that stops it, while a poll fails', async () => {
    const { id } = await makeEndpoint('Polled')
    receiver.behave(respond(503, 'no'))
    await failedPing(id)
    const held = Promise.withResolvers<void>()
    receiver.behave((socket, request) => void held.promise.then(() => respond()(socket, request)))
    const { page } = await openDashboard(browser, world, `/webhooks/${id}`)
    await button(page, 'Retry deliveries…').click()
    await button(page.getByRole('dialog'), 'Retry 1 delivery').click()
    await page.getByText('Retrying: 0 of 1 attempted.').waitFor()
    const stop = await button(page, 'Stop retrying').elementHandle()
    const polls = `**/v1/webhooks/${id}/recoveries/*`
    const answered = (status: number) =>
      page.waitForResponse(response => response.url().includes('/recoveries/') && response.status() === status)
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    await page.route(polls, route => route.fulfill({ status: 500, json }))
    // A failed read is repeated once before it counts as an error.
    for (let n = 0; n < 3; n++) await answered(500)
    await page.unroute(polls)
    await answered(200)
    expect(await stop!.evaluate(element => element.isConnected)).toBe(true)
    held.resolve()
    await page.getByText('The delivery was attempted.').waitFor()
  })

  test('exports the status that a paused endpoint shows', async () => {
    const { id } = await makeEndpoint('Exported')
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    const { page } = await openDashboard(browser, world, '/templates', { width: 1024 })
    const recent = { deliveryId: id, eventType: 'ping', at: new Date().toISOString(), durationMs: 5, error: null }
    const last50 = ['retrying', 'pending'].map(status => ({ ...recent, status, statusCode: 500 }))
    await page.route('**/health', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), last50 } })
    })
    await page.goto(`/webhooks/${id}`)
    await page.getByText('Queued 2', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('Queued', { exact: true }).waitFor()
    for (const name of ['Next attempt', 'Attempts', 'Duration'])
      await page.getByRole('columnheader', { name }).waitFor()
    await page.getByText('1 delivery queued').waitFor()
    await page.getByRole('link', { name: 'View queued deliveries' }).waitFor()
    const download = page.waitForEvent('download')
    await button(page, 'Export CSV').click()
    const lines = (await Bun.file(await (await download).path()).text()).trim().split('\r\n')
    expect(lines[1]).toContain(',ping,Queued,')
    await page.goto('/webhooks')
    // The keys choose a bar only when the statistics of every endpoint are known.
    await page.locator('figure ul:not([data-unknown])').waitFor()
    await page.getByRole('figure').getByRole('group').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/outbound\?since=.*&until=/)
  })

  test('says that a delivery is missing', async () => {
    // A workspace has a limit.
    const [webhook] = (await world.expect(200, 'GET', '/v1/webhooks')).data
    const { id } = webhook ?? (await makeEndpoint('Without deliveries'))
    const { page } = await openDashboard(browser, world, `/webhooks/${id}/deliveries/${crypto.randomUUID()}`)
    await page.getByRole('alert').getByText('Delivery not found').waitFor()
    expect(await page.getByText(/Something went wrong|Request ID/).count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
  })

  test('offers nothing to send an event to without an endpoint', async () => {
    await tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 1 })
    const { page } = await openDashboard(browser, world, '/templates')
    const endpoints = '**/v1/webhooks'
    await page.route(endpoints, route => route.fulfill({ json: { data: [], nextCursor: null } }))
    await page.goto('/outbound?type=campaign.completed')
    await page.getByRole('link', { name: 'campaign.completed' }).first().click()
    await button(page, 'Send to endpoint').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You have no endpoints yet.').waitFor()
    expect(await button(dialog, 'Send event').count()).toBe(0)
    await page.unroute(endpoints)
  })

  /** A workspace has at most 10 endpoints. */
  const deleteEndpoints = async () => {
    const { data } = await world.expect(200, 'GET', '/v1/webhooks')
    for (const { id } of data) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  }

  test('says at the fields what an endpoint lacks, and adds it', async () => {
    await deleteEndpoints()
    const { page } = await openDashboard(browser, world, '/webhooks/new')
    await button(page, 'Add endpoint').click()
    await page.getByText('Enter the full URL').waitFor()
    await page.getByText('Select at least one event.').waitFor()
    await page.getByLabel('Endpoint URL').fill(receiver.url)
    await page.getByRole('group', { name: 'Sales' }).getByLabel('sale.created').check()
    await button(page, 'Add header').click()
    await page.getByLabel('Custom headers: name 1').fill('Authorization')
    await button(page, 'Add endpoint').click()
    await page.getByText('Enter a value for each header.').waitFor()
    await page.getByLabel('Custom headers: value 1').fill('Bearer two')
    await button(page, 'Add endpoint').click()
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor()
  })

  test('opens the form of a key from its address, and shows who created the key', async () => {
    const { page } = await openDashboard(browser, world, '/api-keys/new')
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await button(form, 'Create API key').click()
    await form.getByText('Enter a name.').waitFor()
    await form.getByLabel('Name').fill('Stock <i>')
    await button(form, 'Create API key').click()
    const secret = page.getByRole('dialog', { name: 'API key “Stock <i>”' })
    await secret.getByLabel('I’ve saved it somewhere safe').check()
    await button(secret, 'Done').click()
    await page.waitForURL(/api-keys$/)
    const { name } = (await world.expect(200, 'GET', '/v1/auth/session')).user
    await page.getByRole('row', { name: 'Stock <i> Active' }).getByText(name).waitFor()
    await page.getByText('X-API-Key: YOUR_API_KEY').waitFor()
  })

  test('lists webhook events with the names of the customer and the endpoints, and filters them by a bar', async () => {
    // The status of an event is the worst of all endpoints.
    await deleteEndpoints()
    const { id } = await makeEndpoint('Warehouse <b>')
    await world.expect(201, 'POST', '/v1/webhooks', {
      body: { name: 'Till', url: receiver.url, events: ['sale.created'] },
    })
    const sandbox = await world.sandbox()
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', {
      body: { name: 'Ada <u>', phone: '+12025550177' },
    })
    const { id: conversation } = await world.expect(201, 'POST', '/v1/conversations', {
      body: { channelId: sandbox, customerId },
    })
    await world.expect(201, 'POST', `/v1/conversations/${conversation}/messages`, { body: { text: 'Hello' } })
    await eventually('the endpoint is told', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/webhooks/${id}/deliveries?status=delivered`)
      return data.length > 0
    })
    const { page } = await openDashboard(browser, world, '/outbound?range=24h')
    const row = page.getByRole('row').filter({ hasText: 'Ada <u>' }).first()
    await row.getByText('Warehouse <b>').waitFor()
    await row.getByText('Delivered', { exact: true }).waitFor()
    const choose = async (endpoint: string) => {
      await page.getByRole('combobox', { name: 'Endpoint' }).click()
      await page.getByRole('option', { name: endpoint }).click()
    }
    const successes = page
      .getByRole('figure', { name: /^Delivery attempts/ })
      .getByRole('listitem')
      .filter({ hasText: 'Succeeded' })
    await successes.waitFor()
    await choose('Till')
    await page.getByText('No events match these filters.').waitFor()
    // A series that is zero in all bars is not named.
    await successes.waitFor({ state: 'detached' })
    await choose('Warehouse <b>')
    await page.waitForURL(`**/outbound?*webhookId=${id}*`)
    await row.waitFor()
    const hours: { delivered: number }[] = (await world.expect(200, 'GET', `/v1/webhooks/${id}/stats`)).data
    const count = hours.reduce((sum, { delivered }) => sum + delivered, 0)
    await successes.filter({ hasText: new RegExp(`^Succeeded${count}$`) }).waitFor()
    const chart = page.getByRole('group', { name: /^Delivery attempts/ })
    await chart.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/since=/)
    await row.getByRole('link', { name: 'message.status' }).click()
    const panel = page.getByRole('complementary', { name: 'message.status' })
    await panel.getByRole('link', { name: 'Ada <u>' }).waitFor()
    await panel.getByRole('link', { name: 'Warehouse <b>' }).first().waitFor()
    await page.goto('/outbound?type=message.status')
    await page.getByText('The chart counts attempts of every event type and status.').waitFor()
  })

  test('shows no number before the statistics are loaded, and a failure with a retry in the height of the chart', async () => {
    const { id } = await makeEndpoint('Unknown numbers')
    await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
    await eventually(
      'a ping arrives',
      async () => (await world.expect(200, 'GET', `/v1/webhooks/${id}/health`)).state === 'healthy',
    )
    const { page } = await openDashboard(browser, world, '/templates')
    const answer = Promise.withResolvers<void>()
    let isFailing = true
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    await page.route(/\/v1\/(webhooks\/[^/]+\/stats|activity\/summary)/, async route => {
      await answer.promise
      await (isFailing ? route.fulfill({ status: 500, json }) : route.continue()).catch(() => {})
    })
    await page.goto(`/webhooks/${id}`)
    const attempts = page.getByRole('figure', { name: 'Attempts' })
    const succeeded = (text: string) =>
      attempts
        .getByRole('listitem')
        .filter({ hasText: `Succeeded${text}` })
        .waitFor()
    await succeeded('–')
    const { height } = (await attempts.boundingBox())!
    answer.resolve()
    await attempts.getByRole('alert').waitFor()
    await page.getByRole('figure', { name: 'Latency' }).getByRole('alert').waitFor()
    await page.getByRole('region', { name: 'Response codes' }).getByRole('alert').waitFor()
    await succeeded('–')
    expect(await page.getByText('No data in this time range.').count()).toBe(0)
    expect((await attempts.boundingBox())!.height).toBe(height)
    expect(await faultsOf(page)).toEqual([])
    for (const path of ['/webhooks', '/outbound', `/outbound?webhookId=${id}`]) {
      await page.goto(path)
      await page.getByRole('figure').getByRole('alert').waitFor()
      expect(await page.getByRole('figure').getByText('–', { exact: true }).count()).toBe(3)
    }
    await page.goto(`/webhooks/${id}`)
    await attempts.getByRole('alert').waitFor()
    isFailing = false
    await button(attempts, 'Try again').click()
    await succeeded('1')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect((await attempts.boundingBox())!.height).toBe(height)
  })

  test('counts the endpoints that do not fit into a row, and names them to the keyboard', async () => {
    for (const name of ['Warehouse in the north', 'Warehouse in the south', 'Bookkeeping'])
      await world.expect(201, 'POST', '/v1/webhooks', {
        body: { name, url: receiver.url, events: ['channel.recovered'] },
      })
    const [id] = await tell(world.database.sql, world.workspaceId, 'channel.recovered')
    const { page } = await openDashboard(browser, world, '/outbound?type=channel.recovered', { width: 1280 })
    const row = page.getByRole('row').filter({ hasText: 'channel.recovered' })
    await row.getByText('+2', { exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    const named = row.getByRole('link', { name: /^2 more: (Warehouse in the \w+|Bookkeeping), / })
    await row.getByRole('link', { name: 'channel.recovered' }).focus()
    await page.keyboard.press('Tab')
    while (!(await named.evaluate(link => link === document.activeElement))) await page.keyboard.press('Tab')
    await page
      .getByRole('tooltip')
      .getByText(/^2 more: /)
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/outbound/${id}*`)
    await page.getByRole('heading', { name: 'Destinations' }).waitFor()
  })

  test('updates the status of an event while the list is scrolled, without moving a row', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { name: 'Held', url: receiver.url, events: ['campaign.completed'] },
    })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 40 })
    const { page } = await openDashboard(browser, world, '/templates')
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/stream')
    await page.goto(`/outbound?type=campaign.completed&webhookId=${id}`)
    await stream
    const list = page.getByRole('table', { name: 'Webhook events' })
    const rows = list.getByRole('row').filter({ hasText: 'campaign.completed' })
    await rows.filter({ hasText: 'Pending' }).nth(10).waitFor()
    await list.locator('..').evaluate(element => element.scrollTo({ top: 300 }))
    await world.expect(200, 'POST', `/v1/webhooks/${id}/release`)
    await rows.filter({ hasText: 'Pending' }).first().waitFor({ state: 'detached' })
    expect(await list.locator('..').evaluate(element => element.scrollTop)).toBe(300)
  })

  test('revokes a key, which is refused from then on', async () => {
    const { key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: '<i>till</i>' } })
    const { page } = await openDashboard(browser, world, '/api-keys')
    await button(page, 'Revoke <i>till</i>').click()
    await button(page.getByRole('dialog'), 'Revoke API key').click()
    await page.getByRole('row', { name: '<i>till</i> Revoked' }).waitFor()
    expect((await world.call('GET', '/v1/events', { as: { 'X-API-Key': key } })).status).toBe(401)
  })

  test('revokes the selected keys after a preview, without those that are revoked', async () => {
    const names = ['Selected 1', 'Selected 2', 'Selected 3']
    const keys = []
    for (const name of names) keys.push(await world.expect(201, 'POST', '/v1/api-keys', { body: { name } }))
    await world.expect(204, 'DELETE', `/v1/api-keys/${keys[2].id}`)
    const { page } = await openDashboard(browser, world, '/api-keys')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await row('Selected 3').getByRole('checkbox').check()
    await bar.getByText('Select active keys to revoke.').waitFor()
    for (const name of ['Selected 1', 'Selected 2']) await row(name).getByRole('checkbox').check()
    await button(bar, 'Revoke').click()
    const dialog = page.getByRole('dialog', { name: 'Revoke API keys' })
    await dialog.getByText(/^Selected 3 \(ces_.*…\): already revoked$/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Revoke 2 keys').click()
    await dialog.getByText('2 succeeded.').waitFor()
    await button(dialog, 'Close').last().click()
    for (const name of names) await row(name).getByText('Revoked').waitFor()
    for (const { key } of keys)
      expect((await world.call('GET', '/v1/events', { as: { 'X-API-Key': key } })).status).toBe(401)
  })
})
