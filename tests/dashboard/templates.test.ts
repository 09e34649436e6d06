/** Tests of templates as an owner uses them: write, preview, change and remove, in a real browser. */
import { describe, expect, test } from 'bun:test'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { cutControlsOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('Templates', () => {
  const world = useWorld()
  const browser = useBrowser()

  const write = (name: string) =>
    world.expect(201, 'POST', '/v1/templates', {
      body: { name, category: 'utility', body: 'Hello {{name}}!', variables: [{ name: 'name', sample: 'Ana' }] },
    })

  test('removes a template deleted by another person once the window gets focus', async () => {
    const { id } = await write('Removed elsewhere')
    const { page } = await openDashboard(browser, world, '/templates')
    const row = page.getByRole('link', { name: 'Removed elsewhere' })
    await row.waitFor()
    await world.expect(204, 'DELETE', `/v1/templates/${id}`)
    await page.clock.setFixedTime(Date.now() + 60_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await row.waitFor({ state: 'detached' })
  })

  test('searches and orders the templates, and exports those that match', async () => {
    const ids: string[] = []
    for (const name of ['Zebra order', 'Apple order', 'Birthday']) ids.push((await write(name)).id)
    const { page, complaints } = await openDashboard(browser, world, '/templates')
    const cards = page.getByRole('list', { name: 'Templates' }).getByRole('listitem')
    await cards.filter({ hasText: 'Birthday' }).waitFor()
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'Sort: Name' }).click()
    await cards.first().getByText('Apple order').waitFor()
    await page.getByPlaceholder('Search name or text').fill('ÖRDER hello')
    await cards.filter({ hasText: 'Birthday' }).waitFor({ state: 'detached' })
    expect(await cards.getByRole('link').allTextContents()).toEqual(['Apple order', 'Zebra order'])
    expect(new URL(page.url()).search).toBe('?q=%C3%96RDER+hello&order=name')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Orders')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('View “Orders” saved.').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await Bun.file(await file.path()).text()).trim().split('\r\n')
    expect(lines.map(line => line.split(',')[0])).toEqual(['Name', 'Apple order', 'Zebra order'])
    await page.getByPlaceholder('Search name or text').fill('nothing like this')
    await page.getByRole('heading', { name: 'No matching templates' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await cards.filter({ hasText: 'Birthday' }).waitFor()
    for (const id of ids) await world.expect(204, 'DELETE', `/v1/templates/${id}`)
    expect(complaints).toEqual([])
  })

  test('writes a template with variables, previews it, changes it and removes it', async () => {
    await world.expect(201, 'POST', '/v1/customers', { body: { name: 'Noor <b>', phone: '+12025550177' } })
    const { page, complaints, elsewhere } = await openDashboard(browser, world, '/templates')
    await page.getByRole('link', { name: 'New template' }).click()
    await page.getByLabel('Name', { exact: true }).fill('On its way')
    await page.getByLabel('Text', { exact: true }).fill('Hello {{who}}, {{order}} is on its way.')
    await page.getByLabel('Example for who').fill('Ana')
    await page.getByLabel('Example for order').fill('A-1042')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Hello Ana, A-1042 is on its way.').waitFor()

    // The input is kept while another page is open.
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: 'New template' }).click()
    expect(await page.getByLabel('Example for order').inputValue()).toBe('A-1042')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('heading', { name: 'On its way' }).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await preview.getByRole('combobox', { name: 'Customer' }).fill('Noor')
    await page.getByRole('option', { name: /^Noor <b>/ }).click()
    await preview.getByLabel('Value of who').fill('{{customer.name|there}}')
    await preview.getByText('Hello Noor <b>, A-1042 is on its way.').waitFor()

    await page.getByLabel('Text', { exact: true }).fill('{{order}} is on its way.')
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Save changes' }).isEnabled()).toBe(true)
    const [saved] = (await world.expect(200, 'GET', '/v1/templates')).data
    expect([saved.body, saved.variables]).toEqual(['{{order}} is on its way.', [{ name: 'order', sample: 'A-1042' }]])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click()
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    expect(complaints.filter(text => !text.includes('404'))).toEqual([])
    expect(elsewhere).toEqual([])
  })

  test('keeps a template that is in use and names its users', async () => {
    const template = await write('Sale')
    const channel = await world.sandbox()
    const campaign = await world.expect(201, 'POST', '/v1/campaigns', {
      body: {
        name: 'Spring',
        channelId: channel,
        templateId: template.id,
        variables: { name: 'you' },
        audience: { all: true },
      },
    })
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await world.expect(202, 'POST', `/v1/campaigns/${campaign.id}/start`, { body: { at } })
    const { page } = await openDashboard(browser, world, `/templates/${template.id}`)
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Templates' }).click()
    const card = page.getByRole('listitem').filter({ hasText: 'Sale' })
    await card.getByText('1 campaign').waitFor()
    await card.getByText('Hello Ana!').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await card.click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete template' }).click()
    await dialog.getByRole('alert').getByText('Spring').first().waitFor()
    expect(await dialog.getByRole('alert').textContent()).not.toContain(campaign.id)
  })

  test('deletes the selected templates after a preview of their use, except those in use', async () => {
    const used = await write('Bulk used')
    const templates = [used, await write('Bulk free'), await write('Bulk kept')]
    const channelId = await world.sandbox()
    const body = { name: 'Autumn', channelId, templateId: used.id, variables: { name: 'you' }, audience: { all: true } }
    const campaign = await world.expect(201, 'POST', '/v1/campaigns', { body })
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await world.expect(202, 'POST', `/v1/campaigns/${campaign.id}/start`, { body: { at } })
    const { page } = await openDashboard(browser, world, '/templates?q=Bulk')
    for (const name of ['Bulk used', 'Bulk free']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('2 selected').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete templates' })
    await dialog.getByText('Bulk used · 1 campaign').waitFor()
    await dialog.getByRole('button', { name: 'Delete 2 templates' }).click()
    await dialog.getByText('1 succeeded.').waitFor()
    await dialog.getByRole('alert').getByText('Bulk used').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('listitem').filter({ hasText: 'Bulk free' }).waitFor({ state: 'detached' })
    const statuses = await Promise.all(templates.map(({ id }) => world.call('GET', `/v1/templates/${id}`)))
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200])
  })

  test('shows the checkboxes of the cards on a phone once a person selects, as other lists do', async () => {
    await write('On a phone')
    const { page } = await openDashboard(browser, world, '/templates?q=phone', { width: 360 })
    await page.getByRole('link', { name: 'On a phone' }).waitFor()
    const checkbox = page.getByRole('checkbox', { name: 'Select On a phone' })
    expect(await checkbox.count()).toBe(0)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await checkbox.check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('1 selected').waitFor()
    expect([await faultsOf(page), await cutControlsOf(page)]).toEqual([[], []])
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await checkbox.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Select', exact: true }).waitFor()
  })

  test('a card breaks its use between workflows and campaigns only, and its date never', async () => {
    const { id, name } = await write('Used often')
    const channelId = await world.sandbox()
    const body = { name: 'Winter', channelId, templateId: id, variables: { name: 'you' }, audience: { all: true } }
    await world.expect(201, 'POST', '/v1/campaigns', { body })
    const steps = { say: { type: 'send_template', templateId: id, channelId, variables: { name: 'you' }, next: null } }
    const definition = { trigger: { eventType: 'used.often' }, start: 'say', steps }
    for (const number of [1, 2]) {
      const workflow = { name: `Uses it ${number}`, definition }
      await world.expect(201, 'POST', '/v1/workflows', { body: workflow })
    }
    const { page } = await openDashboard(browser, world, '/templates?q=Used', { width: 1440 })
    const card = page.getByRole('listitem').filter({ hasText: name })
    await card.evaluate(element => element.style.setProperty('width', '230px'))
    const use = card.getByText('2 workflows · 1 campaign', { exact: true })
    expect(await use.textContent()).toBe('2\u00A0workflows\u00A0· 1\u00A0campaign')
    const date = card.locator('span').filter({ hasText: /^Changed / })
    const boxes = await Promise.all([date, date.locator('time'), use].map(part => part.boundingBox()))
    const [all, time, left] = boxes.map(box => box!)
    expect([time!.y < all!.y + 8, left!.x + left!.width <= all!.x]).toEqual([true, true])
  })

  test('warns about a concurrent change and offers the other version', async () => {
    const template = await write('Shared')
    const { page } = await openDashboard(browser, world, `/templates/${template.id}`)
    await page.getByLabel('Text', { exact: true }).fill('Mine, {{name}}')
    await world.expect(200, 'PATCH', `/v1/templates/${template.id}`, { body: { body: 'Theirs, {{name}}' } })
    await page.reload()
    await page.getByText('Other changes were saved while you were editing.').waitFor()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Mine, {{name}}')
    await page.getByRole('button', { name: 'Discard my changes and show theirs' }).click()
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Theirs, {{name}}')
  })

  test('keeps what two people change in a template, and says so before a save replaces the same field', async () => {
    const { id } = await write('Of two')
    const saved = () => world.expect(200, 'GET', `/v1/templates/${id}`)
    const { page } = await openDashboard(browser, world, `/templates/${id}`)
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('Mine, {{name}}')
    await world.expect(200, 'PATCH', `/v1/templates/${id}`, { body: { name: 'Theirs', body: 'Theirs, {{name}}' } })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Other changes were saved while you were editing.').waitFor()
    expect(await saved()).toMatchObject({ name: 'Theirs', body: 'Theirs, {{name}}' })
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    expect(await text.inputValue()).toBe('Mine, {{name}}')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Other changes were saved').waitFor({ state: 'detached' })
    expect(await saved()).toMatchObject({ name: 'Theirs', body: 'Mine, {{name}}' })
  })

  test('keeps what is typed while a save runs, and each part of a field that two people change', async () => {
    const { id } = await write('Typed on')
    const change = (provider: object) => world.expect(200, 'PATCH', `/v1/templates/${id}`, { body: { provider } })
    await change({ name: 'typed_on', language: 'en' })
    const saved = () => world.expect(200, 'GET', `/v1/templates/${id}`)
    const { page } = await openDashboard(browser, world, `/templates/${id}`)
    const text = page.getByLabel('Text', { exact: true })
    const save = page.getByRole('button', { name: 'Save changes' })
    const release = Promise.withResolvers<void>()
    await page.route(`**/v1/templates/${id}`, async route => {
      if (route.request().method() === 'PATCH') await release.promise
      await route.continue()
    })
    await text.fill('First, {{name}}')
    await save.click()
    await page.locator('button[data-loading]').waitFor()
    await text.fill('Second, {{name}}')
    release.resolve()
    await page.getByText('“Typed on” was saved.').waitFor()
    expect(await saved()).toMatchObject({ body: 'First, {{name}}' })
    expect(await text.inputValue()).toBe('Second, {{name}}')

    await page.getByLabel('Language').fill('de')
    await change({ name: 'renamed', language: 'en' })
    await save.click()
    await page.getByText('Other changes were saved while you were editing.').waitFor()
    await save.click()
    await page.getByText('Other changes were saved').waitFor({ state: 'detached' })
    expect(await saved()).toMatchObject({
      body: 'Second, {{name}}',
      provider: { name: 'renamed', language: 'de' },
    })
  })

  test('shows a change by another person while the page is open', async () => {
    const { id } = await write('Old name')
    const { page } = await openDashboard(browser, world, '/templates')
    await page.clock.install()
    await page.goto(`/templates/${id}`)
    await page.getByRole('heading', { name: 'Old name' }).waitFor()
    await world.expect(200, 'PATCH', `/v1/templates/${id}`, { body: { name: 'New name' } })
    await page.clock.fastForward(15_000)
    await page.getByRole('heading', { name: 'New name' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('New name')
  })

  test('inserts variables at the cursor and names every missing field at the field', async () => {
    const { page } = await openDashboard(browser, world, '/templates/new')
    const text = page.getByLabel('Text', { exact: true })
    const discard = page.getByRole('button', { name: 'Discard changes' })
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByText('Enter a text.').waitFor()
    expect(await discard.count()).toBe(0)
    await text.fill('Hello , welcome.')
    await discard.waitFor()
    await text.evaluate(field => (field as HTMLTextAreaElement).setSelectionRange(6, 6))
    const chips = page.getByRole('group', { name: 'Insert a variable' })
    await chips.getByRole('button', { name: '{{name}}' }).click()
    await page.keyboard.type('!')
    expect(await text.inputValue()).toBe('Hello {{name}}!, welcome.')
    await chips.getByRole('button', { name: 'New variable' }).click()
    await page.keyboard.type('shop')
    expect(await text.inputValue()).toBe('Hello {{name}}!{{shop}}, welcome.')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByText('Enter an example.').first().waitFor()
    const padding = await page
      .getByRole('radiogroup', { name: 'Category' })
      .locator('label')
      .first()
      .evaluate(label => Number.parseFloat(getComputedStyle(label).paddingLeft))
    expect(padding).toBeGreaterThanOrEqual(10)
    expect(await faultsOf(page)).toEqual([])
  })
})
