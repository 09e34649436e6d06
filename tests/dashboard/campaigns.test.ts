/** Tests of campaigns as an owner uses them: draft, preview, start, progress and end, in a real browser. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { acceptAndHang } from '../support/stand-in.ts'
import { startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { eventually, useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('Campaigns', () => {
  const twilio = use(startTwilio)
  const world = useWorld(() => ({ TWILIO_API_URL: twilio.apiUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }))
  const browser = useBrowser()
  let channelId: string
  let templateId: string
  beforeAll(async () => {
    channelId = await world.sandbox()
    templateId = (
      await world.expect(201, 'POST', '/v1/templates', {
        body: {
          name: 'Sale',
          category: 'utility',
          body: 'Hi {{name}}, all is cheaper.',
          variables: [{ name: 'name', sample: 'Ana' }],
        },
      })
    ).id
    const people: [string, string | null, string][] = [
      ['Ana', '+12025550141', 'Berlin'],
      ['Ben <i>', '+12025550142', 'Berlin'],
      ['Cem', null, 'Berlin'],
      ['Dua', '+12025550144', 'Rome'],
    ]
    for (const [name, phone, city] of people)
      await world.expect(201, 'POST', '/v1/customers', {
        body: { name, externalId: name.slice(0, 3), ...(phone && { phone }), attributes: { city } },
      })
  })

  const draft = (name: string) =>
    world.expect(201, 'POST', '/v1/campaigns', {
      body: { name, channelId, templateId, variables: { name: '{{customer.name|there}}' }, audience: { all: true } },
    })

  /** Words on the buttons of a dialog. The one in its corner has an icon. */
  const namesOf = async (dialog: Locator) => (await dialog.getByRole('button').allTextContents()).filter(Boolean)

  test('shows a preview before it cancels or deletes several campaigns', async () => {
    const { id: scheduled } = await draft('Scheduled one')
    await world.expect(202, 'POST', `/v1/campaigns/${scheduled}/start`, { body: { at: '2099-01-01T09:00:00Z' } })
    const { id: first } = await draft('First draft')
    const { page } = await openDashboard(browser, world, '/campaigns')
    const choose = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    await choose('Scheduled one')
    await choose('First draft')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel campaigns' })
    await dialog.getByText('First draft: Draft').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await namesOf(dialog)).toEqual(['Keep campaigns', 'Cancel 1 campaign'])
    await dialog.getByRole('button', { name: 'Cancel 1 campaign' }).click()
    await dialog.getByText('1 succeeded.').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${scheduled}`)).status).toBe('cancelled')
    await choose('First draft')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'First draft' }).waitFor({ state: 'detached' })
    expect(await world.answer('GET', `/v1/campaigns/${first}`)).toBe('404 not_found')
  })

  test('duplicates, cancels and deletes a campaign in the menu of its row', async () => {
    const { id } = await draft('From the menu')
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: { at: '2099-01-01T09:00:00Z' } })
    const { page } = await openDashboard(browser, world, '/campaigns?q=menu', { width: 1024 })
    const menu = async (name: string) => {
      await page.getByRole('button', { name: `Actions for “${name}”` }).click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
      return page.getByRole('menuitem').allTextContents()
    }
    expect(await menu('From the menu')).toEqual(['Duplicate', 'Cancel campaign', 'Delete'])
    await page.getByRole('menuitem', { name: 'Cancel campaign' }).click()
    const dialog = page.getByRole('dialog')
    // A click in the dialog does not open the row that it belongs to.
    await dialog.getByText('The campaign won’t start.').click()
    expect(await namesOf(dialog)).toEqual(['Keep campaign', 'Cancel campaign'])
    await dialog.getByRole('button', { name: 'Cancel campaign' }).click()
    const cancelled = page.getByRole('row').filter({ hasText: 'Cancelled' })
    await cancelled.waitFor()
    // It has no results, like a draft.
    const titles = await page.getByRole('columnheader').allTextContents()
    const results = ['Sent', 'Delivered', 'Failed', 'Read', 'Bought']
    const cells = await cancelled.getByRole('cell').allTextContents()
    expect(results.map(title => cells[titles.indexOf(title)])).toEqual(results.map(() => '–'))
    expect(await menu('From the menu')).toEqual(['Duplicate'])
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'From the menu (copy)' }).waitFor()
    await page.goBack()
    expect(await menu('From the menu (copy)')).toEqual(['Duplicate', 'Delete'])
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete campaign' }).click()
    await page.getByRole('row').filter({ hasText: '(copy)' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'From the menu' }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=menu')
    const opened = await openDashboard(browser, world, '/campaigns?q=menu', { token: await agentOf(world) })
    await opened.page.getByRole('link', { name: 'From the menu' }).waitFor()
    expect(await opened.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  })

  test('puts the audience and the variables of a campaign into words', async () => {
    const compare = (path: string, op: string, value?: unknown) => ({
      path: `customer.${path}`,
      op,
      ...(value !== undefined && { value }),
    })
    const where = {
      all: [
        compare('attributes.list', 'eq', 'regulars'),
        compare('attributes.city', 'ne', 'Rome'),
        { any: [compare('attributes.orders', 'gte', 3), compare('attributes.orders', 'lt', 1)] },
        { not: compare('name', 'in', ['Ana', 'Ben']) },
        compare('phone', 'exists', false),
      ],
    }
    const { id } = await draft('In words')
    const variables = { name: '{{customer.attributes.city|your town}}' }
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { audience: { where }, variables } })
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    const main = page.getByRole('main')
    for (const text of [
      '“list” is “regulars”',
      '“city” is not “Rome”',
      '“orders” is at least 3 or “orders” is less than 1',
      'Not (name is one of “Ana”, “Ben”)',
      'Phone number does not exist',
      'Customer’s city; if empty, “your town”',
    ])
      await main.getByText(text, { exact: true }).waitFor()
    const { id: single } = await draft('One condition')
    const audience = { where: compare('attributes.list', 'eq', 'regulars') }
    await world.expect(200, 'PATCH', `/v1/campaigns/${single}`, { body: { audience } })
    await world.expect(202, 'POST', `/v1/campaigns/${single}/start`)
    await page.goto(`${world.url}/campaigns/${single}`)
    await main.getByText('Customers whose “list” is “regulars”', { exact: true }).waitFor()
  })

  test('links an empty list to what a campaign needs', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    await page.route('**/v1/campaigns?*', route => route.fulfill({ json: { data: [], nextCursor: null } }))
    await page.goto('/campaigns')
    const main = page.getByRole('main')
    await main.getByText('No campaigns yet').waitFor()
    const audience = main.getByText(/^Audience\s*480/)
    await audience.waitFor()
    const [count, share] = await audience
      .locator('[title] > span')
      .evaluateAll(parts => parts.map(part => part.getBoundingClientRect()))
    expect(share!.left - count!.right).toBeGreaterThanOrEqual(8)
    // The percentage is as wide as its box, so it begins at the gap.
    const textWidth = await audience
      .locator('[title] > span')
      .nth(1)
      .evaluate(span => {
        const range = document.createRange()
        range.selectNodeContents(span)
        return range.getBoundingClientRect().width
      })
    expect(textWidth).toBeLessThanOrEqual(share!.width)
    await main.getByRole('link', { name: 'connected channel' }).and(page.locator('[href="/channels"]')).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await main.getByRole('link', { name: 'template', exact: true }).click()
    await page.waitForURL('**/templates')
  })

  test('finds campaigns by a part of the name and by status', async () => {
    await draft('Harvest sale')
    const { page } = await openDashboard(browser, world, '/campaigns')
    await page.getByLabel('Search by name').fill('VEST')
    await page.waitForURL('**/campaigns?q=VEST')
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
    await rows.filter({ hasText: 'Harvest sale' }).waitFor()
    await eventually('only it is listed', async () => (await rows.count()) === 1)
    await page.goto('/campaigns?q=harvest&status=running')
    await page.getByText('No campaigns match these filters.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await rows.filter({ hasText: 'Harvest sale' }).waitFor()
  })

  test('counts the audience and shows the messages of a campaign before it is saved', async () => {
    const opened = await openDashboard(browser, world, '/campaigns/new')
    const { page } = opened
    const main = page.getByRole('main')
    const hints = main.getByText('To count the recipients:').locator('+ ul').getByRole('listitem')
    await hints.first().waitFor()
    // The only channel and all customers are chosen at first.
    await hints.filter({ hasText: 'channel' }).waitFor({ state: 'detached' })
    expect(await hints.allTextContents()).toEqual(['Choose a template.'])
    await page.getByRole('radio', { name: 'Customers you choose' }).check()
    await hints.nth(1).waitFor()
    expect(await hints.allTextContents()).toEqual(['Choose a template.', 'Enter at least one customer ID.'])
    // A condition without the name of its attribute is not sent, because the API rejects it.
    await page.getByRole('radio', { name: 'Customers that match conditions' }).check()
    await hints.filter({ hasText: 'Enter the name of the attribute.' }).waitFor()
    await page.getByRole('radio', { name: 'All customers' }).check()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Sale' }).click()
    await main.getByText('3 customers will receive it').waitFor()
    const willSkip = main.getByRole('table', { name: 'Will be skipped' })
    await willSkip.getByText('No address on this channel').waitFor()
    // The number ends at the edge of the table.
    const edgeOf = (found: Locator) => found.evaluate(element => element.getBoundingClientRect().right)
    expect(await edgeOf(willSkip.getByRole('cell', { name: '1', exact: true }))).toBeCloseTo(await edgeOf(willSkip), 0)
    await main.getByText('Hi Ana, all is cheaper.').last().waitFor()
    // The sample of the template is not mistaken for the value of the customer.
    const examples = main.getByText('With example values for: name', { exact: true })
    await examples.waitFor()
    await page.getByRole('textbox', { name: 'Variable “name”' }).fill('{{customer.attributes.city}}')
    await main.getByText('Hi Berlin, all is cheaper.').waitFor()
    expect(await examples.count()).toBe(0)
    await page.getByRole('radio', { name: 'Customers that match conditions' }).check()
    await page.getByLabel('Attribute name').fill('city')
    await page.getByLabel('Value', { exact: true }).fill('Rome')
    await main.getByText('1 customer will receive it').waitFor()
    await page.getByRole('textbox', { name: 'Variable “name”' }).fill('{{event.id}}')
    await main.getByText('variables.name:').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.evaluate(() => sessionStorage.clear())
  })

  test('updates the preview of a draft while it is changed, and sends its message to one customer', async () => {
    const { id } = await draft('Tested')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    const main = page.getByRole('main')
    await main.getByText('3 customers will receive it').waitFor()
    const value = page.getByRole('textbox', { name: 'Variable “name”' })
    await value.fill('you')
    await main.getByText('Hi you, all is cheaper.').waitFor()
    const test = page.getByRole('button', { name: 'Send test' })
    expect(await test.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('“Tested” was saved.').first().waitFor()
    await test.click()
    const dialog = page.getByRole('dialog', { name: 'Send test' })
    const send = dialog.getByRole('button', { name: 'Send test' })
    await send.click()
    await dialog.getByText('Choose a customer.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const choose = async (name: string) => {
      await dialog.getByRole('combobox', { name: 'Customer' }).fill(name)
      await page.getByRole('option').filter({ hasText: name }).click()
      await send.click()
    }
    await choose('Cem')
    await dialog.getByText('The customer has no address on this channel.').waitFor()
    await choose('Dua')
    await page.getByText('The test is being sent.').waitFor()
    const { data } = await world.expect(200, 'GET', '/v1/messages?q=hi%20you')
    expect(data).toMatchObject([{ text: 'Hi you, all is cheaper.', sentBy: { type: 'user' } }])
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('draft')
  })

  test('keeps what two people change in a draft, and says that the other one saved', async () => {
    const { id } = await draft('Two owners')
    const saved = () => world.expect(200, 'GET', `/v1/campaigns/${id}`)
    const change = (body: object) => world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body })
    const berlin = { where: { path: 'customer.attributes.city', op: 'eq', value: 'Berlin' } }
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    const value = page.getByRole('textbox', { name: 'Variable “name”' })
    const notice = page.getByRole('alert').filter({ hasText: 'Other changes were saved while you were editing.' })
    const save = page.getByRole('button', { name: 'Save changes' })
    await value.fill('you')
    // The page reads the change of the other person only after its own save was rejected.
    let isStale = true
    await page.route(`**/v1/campaigns/${id}`, route => {
      if (route.request().method() === 'PATCH') isStale = false
      return isStale ? route.abort() : route.continue()
    })
    await change({ name: 'Only Berlin', audience: berlin })
    await save.click()
    await notice.waitFor()
    expect(await saved()).toMatchObject({ name: 'Only Berlin', audience: berlin })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Only Berlin')
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('Berlin')
    expect(await value.inputValue()).toBe('you')
    expect(await faultsOf(page)).toEqual([])
    await save.click()
    await page.getByText('“Only Berlin” was saved.').first().waitFor()
    await notice.waitFor({ state: 'detached' })
    expect(await saved()).toMatchObject({ name: 'Only Berlin', audience: berlin, variables: { name: 'you' } })

    // The live feed announces this change. The audience is one value: its parts are never those of two people.
    await page.getByLabel('Value', { exact: true }).fill('Rome')
    await change({ audience: { all: true } })
    await notice.waitFor()
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('Rome')
    await notice.getByRole('button', { name: 'Discard my changes and show theirs' }).click()
    await page.getByLabel('Value', { exact: true }).waitFor({ state: 'detached' })
    expect(await notice.count()).toBe(0)
  })

  test('starts no campaign that somebody else changed after its recipients were shown', async () => {
    const { id } = await draft('Changed before the start')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This sends to about 3 customers.').waitFor()
    let isStale = true
    await page.route(`**/v1/campaigns/${id}`, route => (isStale ? route.abort() : route.continue()))
    const rome = { where: { path: 'customer.attributes.city', op: 'eq', value: 'Rome' } }
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { audience: rome } })
    page.on('request', request => {
      if (request.url().endsWith('/start')) isStale = false
    })
    await dialog.getByRole('button', { name: 'Start campaign' }).click()
    await dialog.getByRole('alert').getByText('Other changes were saved in the meantime').waitFor()
    await dialog.getByText('This sends to about 1 customer.').waitFor()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('draft')
    expect(await faultsOf(page)).toEqual([])
  })

  test('starts no campaign that the page has read again since its recipients were shown', async () => {
    const { id } = await draft('Read again')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This sends to about 3 customers.').waitFor()
    const rome = { where: { path: 'customer.attributes.city', op: 'eq', value: 'Rome' } }
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { name: 'Only Rome', audience: rome } })
    await page.getByText('Only Rome').first().waitFor()
    await dialog.getByRole('button', { name: 'Start campaign' }).click()
    await dialog.getByRole('alert').getByText('Other changes were saved in the meantime').waitFor()
    await dialog.getByText('This sends to about 1 customer.').waitFor()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('draft')
  })

  test('schedules a campaign in local time, reschedules it and cancels it', async () => {
    const { id } = await draft('Later')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    await page.getByRole('dialog').getByText('Schedule for later').click()
    await page.getByLabel('Date and time').click()
    const calendar = page.getByRole('dialog').last()
    await calendar.getByRole('button', { name: 'Next month' }).click()
    await calendar.getByRole('button', { name: /^15 / }).click()
    await calendar.getByLabel('Hours').fill('9')
    expect(await faultsOf(page)).toEqual([])
    await calendar.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Schedule campaign' }).click()
    await page.getByText('Scheduled', { exact: true }).waitFor()
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    const { scheduledAt } = await world.expect(200, 'GET', `/v1/campaigns/${id}`)
    expect(Date.parse(scheduledAt)).toBeGreaterThan(Date.now())
    expect(new Date(scheduledAt).toLocaleString('sv', { timeZone: zone })).toMatch(/-15 09:\d\d:00$/)
    await page.getByRole('button', { name: 'Reschedule' }).waitFor()
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
  })

  test('shows the progress of a running campaign, pauses, resumes and cancels it', async () => {
    // The provider accepts messages without a response, so the campaign waits for the outcome.
    const body = { kind: 'twilio_sms', name: 'SMS', credentials: twilio.credentials }
    const { id: slow } = await world.expect(201, 'POST', '/v1/channels', { body })
    twilio.behave(acceptAndHang, acceptAndHang, acceptAndHang, acceptAndHang)
    const { id } = await draft('Slow')
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { channelId: slow } })
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.getByText('Remaining').waitFor()
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('cancelled')
  })

  test('edits a nested audience in the form, as JSON, and in the form again', async () => {
    const { id } = await draft('Nested')
    const city = { path: 'customer.attributes.city', op: 'eq', value: 'Rome' }
    const where = { any: [city, { not: { path: 'customer.phone', op: 'exists' } }] }
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { audience: { where } } })
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    const ways = page.getByRole('combobox', { name: 'Customers where' })
    const choose = async (way: string) => {
      await ways.click()
      await page.getByRole('option', { name: way }).click()
    }
    await page.getByLabel('Attribute name').fill('town')
    await page.getByLabel('Value', { exact: true }).first().fill('7')
    await choose('JSON condition')
    const json = page.getByRole('textbox', { name: 'JSON condition' })
    await json.fill((await json.inputValue()).replace('town', 'place'))
    await choose('All conditions match')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('“Nested” was saved.').first().waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).isEnabled()).toBe(true)
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).audience).toEqual({
      where: { all: [{ ...city, path: 'customer.attributes.place', value: 7 }, where.any[1]] },
    })
    expect(await faultsOf(page)).toEqual([])
  })

  test('shows the results of a sent campaign in the list, as a funnel and by recipient', async () => {
    const { id } = await draft('Sent')
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    await eventually('it is sent', async () => {
      const { delivered } = await world.expect(200, 'GET', `/v1/campaigns/${id}/results`)
      return delivered === 3
    })
    const body = { from: '+12025550141', type: 'text', text: 'I take it' }
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body })
    const sale = { amount: 20, currency: 'EUR', note: null }
    await world.expect(201, 'POST', `/v1/conversations/${conversationId}/sale`, { body: sale })
    // As if the channel had needed two minutes, and had sent in the last five seconds.
    const { sql } = world.database
    await sql`update campaigns set started_at = finished_at - interval '122 seconds' where id = ${id}`
    await sql`delete from campaign_outcomes where campaign_id = ${id}`
    await sql`
      insert into campaign_outcomes (workspace_id, campaign_id, second, sent, skipped)
      values (${world.workspaceId}, ${id}, 60, 0, 1), (${world.workspaceId}, ${id}, 120, 3, 0)`
    const { page } = await openDashboard(browser, world, '/campaigns', { width: 1440 })
    const row = page.getByRole('row').filter({ hasText: 'Sent' }).filter({ hasText: 'Completed' })
    await row.waitFor()
    const titles = await page.getByRole('columnheader').allTextContents()
    const cell = (title: string) => row.getByRole('cell').nth(titles.indexOf(title))
    await cell('Sent').getByText('3 of 4', { exact: true }).waitFor()
    await cell('Skipped').getByText('1', { exact: true }).waitFor()
    await cell('Failed').getByText('0', { exact: true }).waitFor()
    await cell('Name').getByText('Sandbox', { exact: true }).waitFor()
    const boughtCell = cell('Bought')
    await boughtCell.getByText('1', { exact: true }).waitFor()
    await boughtCell.getByText('25%', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Bought' }).click()
    await page.getByRole('columnheader', { name: 'Bought' }).and(page.locator('[aria-sort]')).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await row.getByRole('link').click()
    const funnel = page.getByRole('table', { name: 'Results' })
    await funnel.getByRole('row', { name: 'Audience 4 100%' }).waitFor()
    await funnel.getByRole('row', { name: 'Sent 3 75%' }).waitFor()
    const bought = funnel.getByRole('row', { name: 'Bought 1 25%' })
    await bought.waitFor()
    // All bars and percentages are shares of the audience, so that equal numbers have equal bars.
    const widthOf = (row: Locator) => row.locator('[data-tone]').evaluate(bar => (bar as HTMLElement).style.width)
    expect(parseFloat(await widthOf(bought))).toBeCloseTo(25)
    await funnel.getByRole('link', { name: 'Audience' }).and(page.locator('[href$="/recipients"]')).waitFor()
    await page.getByText('€20.00').waitFor()
    await page.getByRole('link', { name: 'Sales, by 1 customer' }).waitFor()
    const skipped = page.getByRole('table', { name: 'Skipped, by reason' })
    const noAddress = skipped.getByRole('row', { name: 'No address on this channel 1 100%' })
    await noAddress.waitFor()
    expect(parseFloat(await widthOf(noAddress))).toBe(100)
    // The bars and the numbers of both cards are below each other.
    const columnsOf = (row: Locator) =>
      row.locator('td').evaluateAll(cells =>
        cells.map(cell => {
          const { left, right } = cell.getBoundingClientRect()
          return [Math.round(left), Math.round(right)]
        }),
      )
    expect(await columnsOf(noAddress)).toEqual(await columnsOf(bought))
    // The end is called as in the status.
    await page.getByRole('term').getByText('Completed at', { exact: true }).waitFor()
    expect(await page.getByText(/^Ended/).count()).toBe(0)
    const chart = page.getByRole('figure', { name: 'Sends over time' })
    await chart.getByText('5 sec per bar').waitFor()
    const plot = chart.getByRole('group')
    await plot.focus()
    await plot.press('End')
    await chart.getByRole('status').getByText('Sent: 3').waitFor()
    await chart.getByRole('button', { name: 'Show as table' }).click()
    await chart.getByRole('table').waitFor()
    expect(await chart.getByRole('table').getByRole('row').count()).toBe(3)
    expect(await faultsOf(page)).toEqual([])
    await funnel.getByRole('link', { name: 'Replied' }).click()
    await page.waitForURL('**/recipients?outcome=replied')
    await page.getByRole('row').filter({ hasText: 'Ana' }).getByText('Replied').waitFor()
    expect(await page.getByRole('link', { name: 'Ben <i>' }).count()).toBe(0)

    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Sent' }).click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Sent (copy)' }).waitFor()
    await page.getByText('Draft', { exact: true }).waitFor()
    await page.goto(`/campaigns/${id}/recipients`)
    await page.getByRole('combobox', { name: 'Customer' }).click()
    await page.getByRole('combobox', { name: 'Customer' }).fill('0141')
    await page.getByRole('option').filter({ hasText: '0141' }).click()
    await page.waitForURL('**/recipients?customerId=*')
    await page.getByText('1 in total').waitFor()
  })

  test('says before the start how many recipients have not opted in', async () => {
    const { id } = await draft('Utility')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 recipients have not opted in.').waitFor()
    await dialog.getByText('Schedule for later').click()
    await page.getByLabel('Date and time').waitFor()
    // The campaign always has a time, so that the dialog can be submitted.
    expect(await dialog.locator('.mantine-InputClearButton-root').count()).toBe(0)
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('draft')
  })

  test('shows failures in the list, and the results with their time on a phone', async () => {
    const { id } = await draft('Autumn, rugs and throws')
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    const resultsOf = () => world.expect(200, 'GET', `/v1/campaigns/${id}/results`)
    await eventually('it is sent', async () => (await resultsOf()).delivered === 3)
    const { sql } = world.database
    await sql`
      update messages set status = 'failed', detail = '131026'
      where id = (select message_id from campaign_recipients where campaign_id = ${id} and message_id is not null limit 1)`
    expect((await resultsOf()).failed).toEqual([{ reason: '131026', count: 1 }])
    const { page } = await openDashboard(browser, world, '/campaigns', { width: 1024 })
    const row = page.getByRole('row').filter({ hasText: 'Autumn, rugs and throws' })
    await row.waitFor()
    const titles = await page.getByRole('columnheader').allTextContents()
    await row.getByRole('cell').nth(titles.indexOf('Failed')).getByText('1', { exact: true }).waitFor()
    expect(titles.indexOf('Failed') - titles.indexOf('Delivered')).toBe(1)
    const name = row.getByRole('cell').filter({ has: page.getByRole('link') })
    expect(await name.evaluate(cell => [cell.scrollWidth <= cell.clientWidth, cell.clientWidth >= 180])).toEqual([
      true,
      true,
    ])
    await page.setViewportSize({ width: 360, height: 800 })
    await row.getByText('3 sent · 1 skipped · 2 delivered · 1 failed').waitFor()
    await row.getByText('0 read · 0 bought').waitFor()
    await row.getByText(/^Created /).waitFor()
    await row.getByText('Completed').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('says in the list that results were not loaded, and reads them again', async () => {
    const { id } = await draft('Unread')
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    await eventually('it is sent', async () => {
      return (await world.expect(200, 'GET', `/v1/campaigns/${id}/results`)).delivered === 3
    })
    // Results of a campaign that ended recently are read again without a click.
    await world.database.sql`update campaigns set finished_at = finished_at - interval '1 hour' where id = ${id}`
    const { page } = await openDashboard(browser, world, '/templates', { width: 1440 })
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    await page.route('**/v1/campaigns/*/results', route => route.fulfill({ status: 500, json }))
    await page.goto(`${world.url}/campaigns?q=Unread`)
    const failure = page.getByRole('main').getByRole('alert').filter({ hasText: 'Couldn’t load results' })
    const again = failure.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Unread' })
    const titles = await page.getByRole('columnheader').allTextContents()
    const names = ['Delivered', 'Failed', 'Read', 'Replied', 'Bought']
    const cells = await row.getByRole('cell').allTextContents()
    expect(names.map(title => cells[titles.indexOf(title)])).toEqual(names.map(() => '–'))
    expect(await faultsOf(page)).toEqual([])
    await page.unroute('**/v1/campaigns/*/results')
    await again.click()
    await row.getByRole('cell').nth(titles.indexOf('Delivered')).getByText('3', { exact: true }).waitFor()
    expect(await failure.count()).toBe(0)
  })

  test('the list has the same times in all rows, and whole numbers at each width', async () => {
    for (const name of ['Ended', 'Waiting']) await draft(name)
    const { page } = await openDashboard(browser, world, '/templates', { width: 1440 })
    const audience = 20_000
    const ends = ['2026-01-15T09:00:00Z', new Date().toISOString()]
    await page.route('**/v1/campaigns?*', async route => {
      const { data } = await (await route.fetch()).json()
      const [base] = data
      const progress = { ...base.progress, audience, sent: 12_345, skipped: 7655 }
      const ended = ends.map((at, index) => {
        const times = { startedAt: at, finishedAt: at, createdAt: at }
        return { ...base, ...times, id: data[index].id, name: `Ended ${index}`, status: 'completed', progress }
      })
      const scheduled = { ...base, name: 'Waiting', status: 'scheduled', scheduledAt: '2099-12-20T09:00:00Z' }
      await route.fulfill({ json: { data: [...ended, { ...scheduled, id: data[2].id }], nextCursor: null } })
    })
    await page.route('**/v1/campaigns/*/results', async route => {
      const json = await (await route.fetch()).json()
      const sales = { ...json.sales, customers: 219 }
      await route.fulfill({ json: { ...json, delivered: 12_000, read: 8345, replied: 1219, sales } })
    })
    await page.goto(`${world.url}/campaigns`)
    const row = page.getByRole('row')
    const ended = row.filter({ hasText: 'Ended' })
    await ended.filter({ hasText: '219' }).nth(1).waitFor()
    const cutTexts = () =>
      row.getByRole('cell').evaluateAll(cells =>
        cells
          .flatMap(cell => [cell, ...cell.querySelectorAll('*')])
          .filter(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1)
          .map(part => part.textContent),
      )
    const timesOf = async () => (await ended.locator('time').count()) / (await ended.count())
    for (const [width, titles] of [
      [1920, ['Status', 'Sent', 'Skipped', 'Delivered', 'Failed', 'Read', 'Replied', 'Bought', 'Created']],
      [1440, ['Sent', 'Skipped', 'Delivered', 'Failed', 'Read', 'Replied', 'Bought']],
      [1024, ['Sent', 'Delivered', 'Failed', 'Read', 'Bought']],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      for (const name of titles) await page.getByRole('columnheader', { name, exact: true }).waitFor()
      expect([width, await cutTexts(), await timesOf()]).toEqual([width, [], 1])
      await row.filter({ hasText: 'Waiting' }).getByText('Dec 20, 2099').waitFor()
    }
    // Without its column, the skipped customers stand below the sent messages.
    await ended.getByText('7,655 skipped', { exact: true }).first().waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await ended.getByText('12,345 sent · 7,655 skipped · 12,000 delivered').first().waitFor()
    expect([await cutTexts(), await timesOf()]).toEqual([[], 1])
  })

  test('the name of a campaign has 240 pixels on a full screen', async () => {
    await draft('Back to school 2026, reminder')
    const { page } = await openDashboard(browser, world, '/campaigns', { width: 1440 })
    const cell = page
      .getByRole('cell')
      .filter({ has: page.getByRole('link', { name: 'Back to school 2026, reminder' }) })
    await page.getByRole('columnheader', { name: 'Created' }).waitFor()
    expect((await cell.boundingBox())!.width).toBeGreaterThanOrEqual(240)
    // It shows its template, and a narrower list the same time.
    await cell.getByText('Template: Sale', { exact: true }).waitFor()
    await page.setViewportSize({ width: 1024, height: 900 })
    await cell.getByText(/^Created /).waitFor()
    await cell.getByText('Template: Sale', { exact: true }).waitFor()
  })

  test('starts no campaign before its recipients are counted, and says if that failed', async () => {
    const { id } = await draft('Uncounted')
    const { page } = await openDashboard(browser, world, '/templates')
    const counted = Promise.withResolvers<void>()
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    await page.route('**/preview', async route => {
      await counted.promise
      await route.fulfill({ status: 500, json })
    })
    await page.goto(`/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const start = dialog.getByRole('button', { name: 'Start campaign' })
    await dialog.getByText('Counting…').waitFor()
    expect(await start.isDisabled()).toBe(true)
    counted.resolve()
    await dialog.getByRole('alert').waitFor()
    expect([await start.count(), await dialog.getByText('Counting…').count()]).toEqual([0, 0])
    await page.unroute('**/preview')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('3 recipients have not opted in.').waitFor()
    expect(await start.isEnabled()).toBe(true)
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('draft')
  })

  test('shows the deliveries of a campaign within seconds of its end', async () => {
    const { id } = await draft('Quick')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start campaign' }).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page
      .getByRole('table', { name: 'Results' })
      .getByRole('row', { name: 'Delivered 3' })
      .waitFor({ timeout: 14_000 })
  })

  test('the list shows the deliveries of a campaign that somebody else starts, within seconds of its end', async () => {
    const { id } = await draft('Elsewhere')
    const { page } = await openDashboard(browser, world, '/campaigns')
    const row = page.getByRole('row').filter({ hasText: 'Elsewhere' })
    await row.waitFor()
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: {} })
    await row.getByText('Completed').waitFor()
    const headers = await page.getByRole('columnheader').allInnerTexts()
    const delivered = row.getByRole('cell').nth(headers.findIndex(text => text.includes('Delivered')))
    await delivered.getByText('3', { exact: true }).waitFor({ timeout: 14_000 })
  })

  test('asks for a template before the form of a new campaign', async () => {
    const { page } = await openDashboard(browser, world, '/campaigns')
    const templates = '**/v1/templates?limit=100'
    await page.route(templates, route => route.fulfill({ json: { data: [], nextCursor: null } }))
    await page.goto('/campaigns/new')
    await page.getByRole('heading', { name: 'Connect a channel and create a template first' }).waitFor()
    const main = page.getByRole('main')
    await main.getByText('Connect channel').waitFor()
    expect(await main.getByRole('link', { name: 'Connect channel' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create draft' }).count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await page.unroute(templates)
    await main.getByRole('link', { name: 'New template' }).click()
    await page.waitForURL('**/templates/new')
  })

  test('names every missing field of a new campaign at the field', async () => {
    const { page } = await openDashboard(browser, world, '/campaigns/new')
    await page.getByRole('button', { name: 'Create draft' }).click()
    const form = page.getByRole('form', { name: 'New campaign' })
    await form.getByText('Enter a name.').waitFor()
    await form.getByText('Choose a template.').waitFor()
    const discard = page.getByRole('button', { name: 'Discard changes' })
    expect(await discard.count()).toBe(0)
    expect(await page.getByLabel('Name', { exact: true }).evaluate(field => field === document.activeElement)).toBe(
      true,
    )
    expect(await form.evaluate(element => (element as HTMLFormElement).noValidate)).toBe(true)
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Sale (Utility)' }).click()
    await discard.waitFor()
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText('Enter a value.').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})
