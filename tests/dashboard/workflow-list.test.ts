/** Tests of the workflow list, its starting points, automatic saving and the statistics of runs. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { button, expectQuiet, openDashboard, untilFocused, useBrowser } from '../support/browser/dashboard.ts'
import { play } from '../support/workflows.ts'
import { eventually, newPhone, useWorld } from '../support/world.ts'

setDefaultTimeout(120_000)

const points = [
  { name: 'Abandoned cart', type: 'cart.abandoned', text: 'your cart is still waiting: your items', optIn: true },
  { name: 'Review request', type: 'order.delivered', text: 'how do you like your order?', optIn: false },
  { name: 'Appointment reminder', type: 'appointment.upcoming', text: 'a reminder of your appointment', optIn: false },
  { name: 'Birthday', type: 'customer.birthday', text: 'Happy birthday, Ana!', optIn: true },
  { name: 'Win back', type: 'order.created', text: 'Use BACK10', optIn: true },
] as const

const simple = (type: string) => ({
  trigger: { eventType: type },
  start: 'say',
  steps: {
    say: { type: 'send_message', text: 'Hello', next: 'answer' },
    answer: { type: 'wait_for', timeout: '2d', onTimeout: null, any: [{ reply: {}, next: null }] },
  },
})

describe.skipIf(browserPath === null)('the workflow list', () => {
  const world = useWorld()
  const browser = useBrowser()
  const { event, parked, run, workflow } = play(() => world)
  const read = (id: string) => world.expect(200, 'GET', `/v1/workflows/${id}`)
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

  /** Shortens all waits of a published workflow, so that its message is sent immediately. */
  const hurry = async (id: string) => {
    const text = JSON.stringify((await read(id)).draft)
      .replace(/"for":"[^"]+"/, '"for":"500ms"')
      .replace(/"until":\{[^}]+\}/, '"for":"500ms"')
      .replace(/"timeout":"60d"/, '"timeout":"500ms"')
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: JSON.parse(text) } })
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`, { body: {} })
  }

  test('leaves no draft of a starting point that could not be published', async () => {
    const { page } = await openDashboard(browser, world, '/workflows')
    const failed = { error: { code: 'unprocessable', message: 'Not now.', details: {} } }
    await page.route('**/publish', route => route.fulfill({ status: 422, json: failed }))
    await page.getByRole('button', { name: points[0].name }).click()
    await page.getByText('Not now.').waitFor()
    expect((await world.expect(200, 'GET', '/v1/workflows')).data).toEqual([])
  })

  test('chooses and turns on each starting point, which sends its message in the sandbox', async () => {
    const opened = await openDashboard(browser, world, '/workflows')
    const { page } = opened
    await page.getByRole('heading', { name: 'No workflows yet' }).waitFor()
    await page.getByRole('heading', { name: 'Choose a starting point' }).waitFor()
    const winBack = page.getByRole('button', { name: 'Win back' }).getByRole('listitem')
    expect(await winBack.allInnerTexts()).toEqual(['Event', 'Wait', 'End', 'or\nTemplate'])
    // Alternatives stay in one line.
    const [end, alternative] = await Promise.all([2, 3].map(index => winBack.nth(index).boundingBox()))
    expect(alternative!.y).toBe(end!.y)
    expect(await faultsOf(page)).toEqual([])
    for (const [index, { name, type, text, optIn }] of points.entries()) {
      // The empty page shows the gallery itself.
      if (index > 0) await button(page, 'New workflow').click()
      await page.getByRole('button', { name }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.getByText('The workflow is off. Turn it on to start runs.').first().waitFor()
      // The input of the switch is above its label.
      await page.getByText('Off', { exact: true }).click({ force: true })
      await page.getByText('On', { exact: true }).waitFor()
      const id = page.url().match(/workflows\/([0-9a-f-]{36})/)![1]!
      await hurry(id)
      const phone = newPhone()
      const customer = await world.expect(201, 'POST', '/v1/customers', { body: { phone, name: 'Ana' } })
      if (optIn) await world.expect(200, 'POST', `/v1/customers/${customer.id}/opt-in`, { body: { evidence: 'Shop' } })
      await event(type, phone)
      await eventually(`the message of ${name}`, async () => {
        const { data } = await world.expect(200, 'GET', `/v1/messages?customerId=${customer.id}`)
        return data.find((message: { text: string; status: string }) => message.text.includes(text))
      })
      await page.getByRole('link', { name: 'Workflows' }).first().click()
    }
    // A second workflow from a starting point has another name.
    for (const number of [2, 3]) {
      await button(page, 'New workflow').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Birthday' }).click()
      await page.getByRole('heading', { name: `Birthday ${number}`, exact: true, level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Workflows' }).first().click()
    }
    const byName = (order: string) =>
      page.getByRole('columnheader', { name: 'Name' }).and(page.locator(`[aria-sort=${order}]`))
    await button(page, 'Name').click()
    await byName('ascending').waitFor()
    await page.getByRole('row').nth(1).getByText('Abandoned cart').waitFor()
    await button(page, 'Name').click()
    await byName('descending').waitFor()
    await page.getByRole('row').nth(1).getByText('Win back').waitFor()
    expect(new URL(page.url()).search).toBe('?sort=name_descending')
    const { data: channels } = await world.expect(200, 'GET', '/v1/channels')
    expect(channels.map(({ kind }: { kind: string }) => kind)).toEqual(['sandbox'])
    expectQuiet(opened)
  })

  test('sorts workflows without a run last, in both directions', async () => {
    for (const name of 'ABCDEF') await workflow(simple(`sorting.${name.toLowerCase()}`), `Sorting ${name}`)
    for (const name of 'be') await parked(`sorting.${name}`, newPhone())
    const { page } = await openDashboard(browser, world, '/workflows?q=Sorting&sort=name')
    const header = page.getByRole('columnheader', { name: 'Last run' })
    const names = async () =>
      (
        await page
          .getByRole('row', { name: /Sorting/ })
          .getByRole('link')
          .allTextContents()
      ).map(name => name.slice(-1))
    for (const [direction, order] of Object.entries({ descending: 'EBACDF', ascending: 'BEACDF' })) {
      await header.getByRole('button').click()
      await header.and(page.locator(`[aria-sort=${direction}]`)).waitFor()
      expect((await names()).join('')).toBe(order)
    }
  })

  test('says after publishing that a workflow is off, if the person leaves it off', async () => {
    const body = { name: 'Left off', definition: simple('order.off') }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body })
    const { page } = await openDashboard(browser, world, `/workflows/${id}`)
    await button(page, 'Publish').click()
    await page.getByRole('dialog').getByLabel('Turn on the workflow').uncheck()
    await button(page, 'Publish version').click()
    await page.getByText('The workflow is off. Turn it on to start runs.').waitFor()
    expect(await read(id)).toMatchObject({ enabled: false, publishedVersion: 1 })
  })

  test('starts from a blank workflow, whose missing trigger is no error until the person leaves it', async () => {
    const { page } = await openDashboard(browser, world, '/workflows?new=')
    await page.getByRole('dialog').getByRole('button', { name: 'Blank workflow' }).click()
    const type = page.getByRole('textbox', { name: 'Event type' })
    await type.waitFor()
    expect(await page.getByText('Enter the event type').count()).toBe(0)
    await type.focus()
    await type.blur()
    await page.getByText('Event: Enter the event type that starts the workflow.').waitFor()
    await type.fill('order.blank')
    await saved(page)
    expect((await read(page.url().match(/workflows\/([0-9a-f-]{36})/)![1]!)).triggerType).toBe('order.blank')
  })

  test('saves a draft by itself, shows and retries a failure, and keeps changes when the tab closes', async () => {
    const id = await workflow(simple('order.saved'), 'Saved by itself')
    const { page, context } = await openDashboard(browser, world, `/workflows/${id}?step=say`)
    const path = `**/v1/workflows/${id}`
    const text = (shown: Page) => shown.getByRole('textbox', { name: 'Text' })
    await page.route(path, (route, request) => (request.method() === 'PATCH' ? route.abort() : route.continue()))
    await text(page).fill('Half')
    await page.getByText('Not saved: The service does not answer.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.close()

    const later = await context.newPage()
    later.setDefaultTimeout(30_000)
    await later.goto('/workflows')
    await row(later, 'Saved by itself').getByText('Unsaved changes').waitFor()
    await row(later, 'Saved by itself').getByRole('link').click()
    await later.getByText('The draft has changes').waitFor()
    await eventually(
      'the change of the closed tab is saved',
      async () => (await read(id)).draft.steps.say.text === 'Half',
    )
    // Closing the tab immediately sends the last change, or keeps it in the browser.
    await later.getByRole('button', { name: /^Send message/ }).click()
    await text(later).fill('Whole')
    await later.goto('/workflows')
    await row(later, 'Saved by itself')
      .getByText(/Un(published|saved) changes/)
      .waitFor()
    await row(later, 'Saved by itself').getByRole('link').click()
    await eventually('the last change is saved', async () => (await read(id)).draft.steps.say.text === 'Whole')
    // Only now there is something to discard.
    await later.getByRole('button', { name: 'Actions for “Saved by itself”' }).click()
    await later.getByRole('menuitem', { name: 'Discard changes since publishing' }).click()
    await later.getByText('Version 1 is published.').waitFor()
    await saved(later)
    await later.getByRole('button', { name: 'Actions for “Saved by itself”' }).click()
    await later.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await later.getByRole('menuitem', { name: /Discard/ }).count()).toBe(0)
  })

  test('cuts a long event type with an ellipsis on a phone, and says that a workflow was deleted', async () => {
    const type = 'very.long.event.type.name.that.goes.on.and.on'
    const id = await workflow(simple(type), 'Deleted elsewhere')
    const { page } = await openDashboard(browser, world, '/workflows', { width: 360 })
    const text = row(page, 'Deleted elsewhere').getByText(type)
    await row(page, 'Deleted elsewhere').getByText('0 runs in 7 days').waitFor()
    const cut = await text.evaluate(element => ({
      overflow: getComputedStyle(element).textOverflow,
      isCut: element.scrollWidth > element.clientWidth,
    }))
    expect(cut).toEqual({ overflow: 'ellipsis', isCut: true })

    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`/workflows/${id}?step=say`)
    await page.getByRole('textbox', { name: 'Text' }).waitFor()
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { archived: true } })
    await world.expect(204, 'DELETE', `/v1/workflows/${id}`)
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello again')
    await page.getByText('Not saved: Someone else deleted this workflow.').waitFor()
    expect(await button(page, 'Retry').count()).toBe(0)
  })

  test('keeps the unsaved changes of a tab when another tab of the same person saves', async () => {
    const id = await workflow(simple('order.twice'), 'In two tabs')
    const path = `/workflows/${id}?step=say`
    const { page: first, context } = await openDashboard(browser, world, path)
    const second = await context.newPage()
    second.setDefaultTimeout(30_000)
    await second.goto(path)
    const text = (shown: Page) => shown.getByRole('textbox', { name: 'Text' })
    await second.route(`**/v1/workflows/${id}`, (route, request) =>
      request.method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await text(second).fill('of the second tab')
    await second.getByText('Not saved: The service does not answer.').waitFor()
    await text(first).fill('of the first tab')
    await eventually('it is saved', async () => (await read(id)).draft.steps.say.text === 'of the first tab')
    await saved(first)
    await second.reload()
    await second.getByRole('alert').filter({ hasText: 'Someone else saved this workflow' }).waitFor()
    expect(await text(second).inputValue()).toBe('of the second tab')
  })

  test('turns off, duplicates, archives, restores and deletes in the list', async () => {
    const id = await workflow(simple('order.listed'), 'Listed')
    await workflow(simple('order.other'), 'Other')
    await parked('order.listed', newPhone())
    const opened = await openDashboard(browser, world, '/workflows', { width: 1440 })
    const { page } = opened
    const menu = async (name: string, item: string) => {
      await button(page, `Actions for “${name}”`).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await page.getByRole('button', { name: /^Name/ }).click()
    expect(await faultsOf(page)).toEqual([])
    await row(page, 'Listed').getByText('On', { exact: true }).waitFor()
    await row(page, 'Listed').getByRole('switch').press('Space')
    const dialog = page.getByRole('dialog', { name: 'Turn off Listed' })
    await dialog.getByText('1 run in progress').first().waitFor()
    await dialog.getByLabel('Stop them now').check()
    await button(dialog, 'Turn off').click()
    await row(page, 'Listed').getByText('Off', { exact: true }).waitFor()
    await page.getByLabel('Search by name').fill('LIST')
    await page.waitForURL('**/workflows?q=LIST&sort=name')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'On', exact: true }).click()
    await page.getByText('No workflows match these filters.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    for (const type of ['order.listed', 'order.other']) {
      await page.getByRole('combobox', { name: 'Trigger event' }).fill(type.slice(0, -1))
      await page.getByRole('option', { name: type }).click()
      await page.waitForURL(`**/workflows?triggerType=${type}`)
    }
    await row(page, 'Other').waitFor()
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).last().click()

    await menu('Listed', 'Rename')
    await untilFocused(page.getByRole('dialog').getByRole('textbox'))
    await page.keyboard.press('Escape')
    await untilFocused(button(page, 'Actions for “Listed”'))
    await menu('Listed', 'Duplicate')
    await page.getByRole('heading', { name: 'Copy of Listed' }).waitFor()
    await page.getByText('Not published yet.').waitFor()
    await page.getByRole('link', { name: 'Workflows' }).first().click()
    await menu('Listed', 'Archive')
    await button(page.getByRole('dialog', { name: 'Archive Listed' }), 'Archive').click()
    await page.getByText('“Listed” was archived.').waitFor()
    expect((await read(id)).archivedAt).not.toBeNull()
    await page.getByText('Archived', { exact: true }).click()
    await button(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save view' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Search by name').fill('unknown')
    await page.getByText('No workflows match these filters.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await page.waitForURL('**/workflows?archived=true')
    await menu('Listed', 'Restore')
    await page.getByRole('heading', { name: 'No archived workflows' }).waitFor()
    await page.getByRole('link', { name: 'Show current workflows' }).click()
    await menu('Copy of Listed', 'Delete')
    await button(page.getByRole('dialog'), 'Delete workflow').click()
    await page.getByText('“Copy of Listed” was deleted.').waitFor()
    await row(page, 'Copy of Listed').waitFor({ state: 'detached' })
    // The row that had the focus is gone.
    await untilFocused(
      page
        .getByRole('main')
        .getByRole('region')
        .filter({ has: page.getByRole('table') }),
    )
    expectQuiet(opened)
  })

  test('shows a preview before it turns off or archives several workflows', async () => {
    const unpublished = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Unpublished', definition: simple('bulk.none') },
    })
    await world.expect(200, 'PATCH', `/v1/workflows/${unpublished.id}`, { body: { enabled: true } })
    const ids = [await workflow(simple('bulk.one'), 'Bulk one'), await workflow(simple('bulk.two'), 'Bulk two')]
    await parked('bulk.two', newPhone())
    const { page } = await openDashboard(browser, world, '/workflows', { width: 1440 })
    const state = row(page, 'Unpublished').getByRole('cell').filter({ hasText: 'On, not published' })
    expect(await state.evaluate(cell => cell.scrollWidth - cell.clientWidth)).toBeLessThanOrEqual(0)
    const choice = page.getByRole('navigation', { name: 'Show' })
    const filters = [
      choice,
      page.getByRole('textbox', { name: 'Search by name' }),
      button(page, 'Time range: Runs: Last 7 days'),
    ]
    const heights = await Promise.all(filters.map(async filter => (await filter.boundingBox())?.height))
    expect(heights).toEqual([30, 30, 30])
    const isCurrent = (links: (HTMLElement | SVGElement)[]) => links.map(link => link.ariaCurrent !== null)
    expect(await choice.getByRole('link').evaluateAll(isCurrent)).toEqual([true, false])
    for (const name of ['Bulk one', 'Bulk two']) await row(page, name).getByRole('checkbox').check()
    await button(page, 'Turn off…').click()
    const dialog = page.getByRole('dialog', { name: 'Turn off 2 workflows' })
    await dialog.getByRole('listitem').filter({ hasText: 'Bulk one' }).getByText('No runs in progress').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'Bulk two' }).getByText('1 run in progress').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Turn off').click()
    await page.getByText('2 workflows are off.').waitFor()
    for (const id of ids) expect((await read(id)).enabled).toBe(false)
  })

  test('turns on and restores several workflows', async () => {
    const draft = { name: 'Bulk draft', definition: simple('bulk.draft') }
    await world.expect(201, 'POST', '/v1/workflows', { body: draft })
    const ids = [await workflow(simple('bulk.on'), 'Bulk on 1'), await workflow(simple('bulk.on'), 'Bulk on 2')]
    for (const id of ids) await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { archived: true } })
    const opened = await openDashboard(browser, world, '/workflows?archived=true', { width: 1440 })
    const { page } = opened
    for (const name of ['Bulk on 1', 'Bulk on 2']) await row(page, name).getByRole('checkbox').check()
    await button(page, 'Restore…').click()
    await button(page.getByRole('dialog', { name: 'Restore workflows' }), 'Restore 2 workflows').click()
    await page.getByText('2 succeeded').waitFor()
    await button(page, 'Close').click()
    await row(page, 'Bulk on 1').waitFor({ state: 'detached' })
    for (const id of ids) expect(await read(id)).toMatchObject({ archivedAt: null, enabled: false })

    await page.goto('/workflows?q=bulk')
    await row(page, 'Bulk draft').getByRole('checkbox').check()
    expect(await button(page, 'Turn on…').isDisabled()).toBe(true)
    await button(page, 'Turn off…').hover()
    await page.getByRole('tooltip', { name: 'Select workflows that are on to turn off.' }).waitFor()
    expect(await button(page, 'Turn off…').isDisabled()).toBe(true)
    for (const name of ['Bulk on 1', 'Bulk on 2']) await row(page, name).getByRole('checkbox').check()
    await button(page, 'Turn on…').click()
    const dialog = page.getByRole('dialog', { name: 'Turn on workflows' })
    await dialog.getByText('Bulk draft: not published').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Turn on 2 workflows').click()
    await page.getByText('2 succeeded').waitFor()
    await button(page, 'Close').click()
    for (const id of ids) expect((await read(id)).enabled).toBe(true)
    expectQuiet(opened)
  })

  test('offers all runs if the default time range has none', async () => {
    const id = await workflow(simple('order.old'), 'Old runs')
    await parked('order.old', newPhone())
    const { page } = await openDashboard(browser, world, '/templates')
    // As if the run were older.
    const none = { json: { data: [], nextCursor: null } }
    await page.route(/\/runs\?.*since=/, route => route.fulfill(none))
    await page.goto(`/workflows/${id}?view=runs`)
    await page.getByText('No matching runs').waitFor()
    await button(page, 'All time').click()
    await page.waitForURL(/range=all/)
    await page.getByRole('row').nth(1).getByRole('link').first().waitFor()
  })

  test('shows the runs of a period on the steps and edges, and filters the list', async () => {
    // The API returns the steps in another order.
    const definition = JSON.parse(JSON.stringify(simple('order.funnel')).replaceAll('"say"', '"greeting"'))
    const id = await workflow(definition, 'Funnel')
    const phone = newPhone()
    const first = await parked('order.funnel', phone)
    await parked('order.funnel', newPhone())
    await world.expect(200, 'POST', `/v1/runs/${first}/stop`)
    await run(first, ({ status }) => status === 'stopped')
    await eventually('both messages are delivered', async () => {
      const { steps } = await world.expect(200, 'GET', `/v1/workflows/${id}/stats?by=step`)
      return steps.find(({ stepId }: { stepId: string }) => stepId === 'greeting').delivered === 2
    })
    const opened = await openDashboard(browser, world, `/workflows/${id}?view=runs&range=7d`, { width: 1440 })
    const { page } = opened
    const steps = page.getByRole('region', { name: 'Runs at each step' })
    await steps.getByText('1 waiting · 1 ended here').waitFor()
    await steps.getByText('2 · 100%').waitFor()
    await steps.getByText('2 sent · 2 delivered').waitFor()
    // The lines are as wide as the share of the runs. None has taken an edge after the wait.
    const widths = await steps
      .locator('.react-flow__edge-path')
      .evaluateAll(paths => paths.map(path => getComputedStyle(path).strokeWidth))
    expect(widths).toEqual(['14px', '14px', '1.5px', '1.5px'])
    await page
      .getByRole('figure', { name: /^Runs · / })
      .getByText('Stopped')
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    const toTable = button(page, 'Show as table: Runs at each step')
    await toTable.click()
    const table = page.getByRole('region', { name: 'Runs at each step as a table' })
    await table.getByRole('row', { name: 'Send message (greeting) 2 0 2 0 2 2' }).waitFor()
    await table.getByRole('row', { name: 'Wait for reply or event (answer) 2 1 0 1 – – – – –' }).waitFor()
    await table.getByText('Wait for reply or event (answer): 2 · 100%').waitFor()
    expect(await table.getByRole('rowheader').allTextContents()).toEqual([
      'Send message (greeting)',
      'Wait for reply or event (answer)',
    ])
    expect(await faultsOf(page)).toEqual([])
    await button(page, 'Show chart: Runs at each step').click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Stopped' }).click()
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    expect(page.url()).toContain('status=stopped')
    await page.getByText('The steps and the chart count runs of every status and customer.').waitFor()
    await page.getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('heading', { name: /^Run for /, level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Runs' }).click()
    await page.waitForURL(`**/workflows/${id}?view=runs`)
    expectQuiet(opened)
  })

  test('stops selected runs after a preview, without those that have ended', async () => {
    const id = await workflow(simple('order.stop'), 'Stop')
    const runs = [await parked('order.stop', newPhone()), await parked('order.stop', newPhone())]
    const ended = await parked('order.stop', newPhone())
    await world.expect(200, 'POST', `/v1/runs/${ended}/stop`)
    await run(ended, ({ status }) => status === 'stopped')
    const opened = await openDashboard(browser, world, `/workflows/${id}?view=runs`, { width: 1440 })
    const { page } = opened
    await page.getByRole('columnheader').getByRole('checkbox').click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await button(bar, 'Stop runs').click()
    const dialog = page.getByRole('dialog', { name: 'Stop runs' })
    await dialog.getByText('Wait for reply or event · up to 2 days (2)').waitFor()
    await dialog.getByText('Wait for reply or event · up to 2 days: Stopped').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Stop 2 runs').click()
    await dialog.getByText('2 succeeded.').waitFor()
    await button(dialog, 'Close').last().click()
    await bar.waitFor({ state: 'detached' })
    for (const one of runs) await run(one, ({ status }) => status === 'stopped')
    await page.getByRole('row').filter({ hasText: 'Stopped' }).nth(2).waitFor()
    expectQuiet(opened)
  })

  test('reads the statistics of shown rows only, and again only those of a workflow whose run changed', async () => {
    const idle: string[] = []
    for (let number = 0; number < 45; number++) {
      const body = { name: `Many ${number}`, definition: simple(`many.${number}`) }
      idle.push((await world.expect(201, 'POST', '/v1/workflows', { body })).id)
    }
    const busy = await workflow(simple('many.busy'), 'Many runs')
    const { page } = await openDashboard(browser, world, '/templates', { width: 1440 })
    const reads: { id: string; at: number }[] = []
    page.on('request', request => {
      const id = /\/v1\/workflows\/([0-9a-f-]{36})\/stats/.exec(request.url())?.[1]
      if (id) reads.push({ id, at: Date.now() })
    })
    const stream = page.waitForResponse(response => new URL(response.url()).pathname === '/v1/stream')
    await page.goto('/workflows?q=Many')
    await stream
    const runs = (name: string) => row(page, 'Many runs').getByRole('img', { name }).waitFor()
    await runs('0 in progress')
    expect(reads.map(({ id }) => id)).not.toContain(idle[0])
    await parked('many.busy', newPhone())
    await runs('1 in progress')
    const repeated = reads.filter(({ id }, index) => reads.findIndex(read => read.id === id) < index)
    expect([...new Set(repeated.map(({ id }) => id))]).toEqual([busy])
    await parked('many.busy', newPhone())
    await runs('2 in progress')
    const [before, last] = reads.filter(({ id }) => id === busy).slice(-2)
    expect(last!.at - before!.at).toBeGreaterThan(9_000)

    const oldest = page.waitForRequest(request => request.url().includes(`/v1/workflows/${idle[0]}/stats`))
    const list = page.getByRole('table', { name: 'Workflows' })
    await list.locator('..').evaluate(element => element.scrollTo({ top: element.scrollHeight }))
    await oldest
    // All rows were in view, so the list can be sorted.
    const header = page.getByRole('columnheader', { name: 'Runs' })
    await header.getByRole('button').click()
    await header.and(page.locator('[aria-sort=descending]')).waitFor()

    // The runs of a chosen period.
    await page.goto('/workflows?q=Many%20runs&since=2026-01-01T00:00:00Z&until=2026-01-05T00:00:00Z')
    const count = (runs: number) => row(page, 'Many runs').getByText(String(runs), { exact: true }).first().waitFor()
    await count(0)
    const read = page.waitForRequest(/\/stats\?by=day&since=/)
    await page.getByRole('button', { name: /^Time range: / }).click()
    await page.getByRole('menuitem', { name: 'Last 24 hours' }).click()
    expect(Date.now() - Date.parse(new URL((await read).url()).searchParams.get('since')!)).toBeLessThan(86_400_000)
    await count(2)
    // The oldest period is longer than the API counts.
    const cut = page.waitForRequest(/\/stats\?by=day&since=/)
    await page.goto('/workflows?q=Many%20runs&since=2020-01-01T00:00:00Z')
    expect(Date.now() - Date.parse(new URL((await cut).url()).searchParams.get('since')!)).toBeLessThan(
      400 * 86_400_000,
    )
    await count(2)
  })
})
