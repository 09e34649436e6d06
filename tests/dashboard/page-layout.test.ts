/** Tests of what all pages have in common: the way back, and the space that their parts have in narrow windows. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('every page', () => {
  const receiver = use(startReceiver)
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }))
  const browser = useBrowser()
  const ids = { campaign: '', customer: '', run: '', template: '', webhook: '', workflow: '' }
  beforeAll(async () => {
    const create = async (path: string, body: object): Promise<string> =>
      (await world.expect(201, 'POST', path, { body })).id
    const definition = {
      trigger: { eventType: 'order.created' },
      exitOn: [{ event: 'order.paid', reason: 'paid' }, { optOut: true }],
      start: 'pause',
      steps: {
        pause: { type: 'delay', for: '1h', next: 'answer' },
        answer: {
          type: 'wait_for',
          timeout: '1d',
          onTimeout: 'end',
          any: [
            { reply: {}, next: 'end' },
            { event: 'order.paid', next: 'end' },
          ],
        },
        end: { type: 'exit', reason: 'done' },
      },
    }
    const workflow = await world.workflow(definition, 'Thank you')
    const event = { type: 'order.created', name: 'Ana', phone: '+12025550141', data: {} }
    const { outcomes, event: recorded } = await world.expect(201, 'POST', '/v1/events', { as: 'key', body: event })
    const template = await create('/v1/templates', { name: 'Sale', category: 'utility', body: 'Hello', variables: [] })
    const channelId = await world.sandbox()
    const content = { name: 'Spring', channelId, templateId: template, audience: { all: true } }
    Object.assign(ids, {
      template,
      campaign: await create('/v1/campaigns', content),
      customer: recorded.customerId,
      run: outcomes[0].runId,
      webhook: await create('/v1/webhooks', { name: 'Shop', url: receiver.url, events: ['message.received'] }),
      workflow,
    })
    await create(`/v1/channels/${channelId}/sandbox/messages`, { from: event.phone, text: 'Hello' })
    await world.expect(202, 'POST', `/v1/webhooks/${ids.webhook}/test`)
  })

  const path = (template: string) => template.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name])
  const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')

  test.each([
    ['/campaigns/new', ['Campaigns']],
    ['/campaigns/:campaign', ['Campaigns']],
    ['/campaigns/:campaign/recipients', ['Campaigns', 'Spring']],
    ['/customers/:customer', ['Customers']],
    ['/runs/:run', ['Workflows', 'Thank you', 'Runs']],
    ['/templates/new', ['Templates']],
    ['/templates/:template', ['Templates']],
    ['/webhooks/new', ['Webhooks']],
    ['/webhooks/doctor', ['Webhooks']],
    ['/webhooks/:webhook', ['Webhooks']],
    ['/webhooks/:webhook/settings', ['Webhooks']],
    ['/webhooks/:webhook/edit', ['Webhooks', 'Shop']],
    ['/workflows/:workflow', ['Workflows']],
  ])('%s names the pages above it, and leads to the nearest', async (address, labels) => {
    const { page } = await openDashboard(browser, world, path(address))
    // The name of a record appears once it is loaded.
    for (const [index, name] of labels.entries())
      await crumbs(page)
        .nth(index)
        .and(page.getByRole('link', { name, exact: true }))
        .waitFor()
    expect(await crumbs(page).allTextContents()).toEqual(labels)
    // The title is below, at the same left edge.
    // Both are measured together, because a loaded record replaces them.
    const [above, title] = await page.evaluate(() =>
      ['nav[aria-label=Breadcrumbs] a', 'h1'].map(found => document.querySelector(found)!.getBoundingClientRect()),
    )
    expect([Math.round(above!.x - title!.x), above!.y < title!.y]).toEqual([0, true])
    await crumbs(page).last().click()
    await page.waitForURL(url => url.pathname !== path(address))
    await page
      .locator('h1')
      .filter({ hasText: labels.at(-1) === 'Runs' ? 'Thank you' : labels.at(-1)! })
      .waitFor()
  })

  test.each([
    '/campaigns/:none',
    '/customers/:none',
    '/runs/:none',
    '/templates/:none',
    '/webhooks/:none',
    '/workflows/:none',
  ])('%s names the page above a record that does not exist', async address => {
    const { page } = await openDashboard(browser, world, address.replace(':none', Bun.randomUUIDv7()))
    await crumbs(page).first().waitFor()
    expect(await crumbs(page).count()).toBe(1)
  })

  /** Smallest horizontal space between the text of a segment and its edge, and the number of segments. */
  const segments = async (page: Page) => {
    const labels = page.locator('.mantine-SegmentedControl-label, nav[aria-label=Show] > a')
    await labels.first().waitFor()
    return labels.evaluateAll(all => ({
      count: all.length,
      space: Math.min(
        ...all.map(label => {
          const range = document.createRange()
          range.selectNodeContents(label)
          const [text, box] = [range.getBoundingClientRect(), label.getBoundingClientRect()]
          return Math.min(text.left - box.left, box.right - text.right)
        }),
      ),
    }))
  }

  test.each([1280, 360])('segments have space around their labels at %p px', async width => {
    const { page } = await openDashboard(browser, world, '/workflows', { width })
    const found: [string, { count: number; space: number }][] = []
    const measure = async (address: string) => {
      await page.goto(path(address))
      found.push([address, await segments(page)])
    }
    await page.getByRole('row').filter({ hasText: 'Thank you' }).waitFor()
    if (width === 360) await page.getByRole('button', { name: 'Filters' }).click()
    found.push(['/workflows', await segments(page)])
    await measure('/templates/new')
    await measure('/workflows/:workflow?step=pause')
    await measure('/workflows/:workflow?step=start')
    await measure('/workflows/:workflow?view=try')
    await page.goto(path('/campaigns/:campaign'))
    await page.getByRole('button', { name: 'Start or schedule', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    found.push(['start', await segments(page)])
    expect(found.filter(([, { count, space }]) => count < 2 || space < 8)).toEqual([])
  })

  test('a choice that is not selected has a visible ring in the dark', async () => {
    const { page } = await openDashboard(browser, world, `/webhooks/${ids.webhook}`, { scheme: 'dark' })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Retry deliveries…' }).click()
    const contrast = await page.getByRole('radio', { name: 'Both' }).evaluate(radio => {
      const luminance = (color: string) => {
        const [red, green, blue] = color.match(/[\d.]+/g)!.map(part => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
      }
      const surface = radio.closest('.mantine-Modal-content')!
      const [ring, around] = [getComputedStyle(radio).borderTopColor, getComputedStyle(surface).backgroundColor].map(
        luminance,
      )
      return (Math.max(ring!, around!) + 0.05) / (Math.min(ring!, around!) + 0.05)
    })
    expect(contrast).toBeGreaterThan(3)
  })

  const boxOf = async (found: Locator) => (await found.boundingBox())!

  test.each([
    ['/messages', 1440],
    ['/events', 1024],
    ['/webhooks/:webhook', 1024],
    ['/workflows', 1024],
    ['/audit', 1024],
  ])('the filters of %s are in one line at %p px, with their texts in full', async (address, width) => {
    const { page } = await openDashboard(browser, world, path(address), { width })
    const bar = page.getByRole('search')
    await bar.getByRole('button', { name: 'Views' }).waitFor()
    const { apart, cut } = await bar.evaluate(search => {
      // A select also has hidden inputs.
      const middles = [...search.children].flatMap(filter => {
        const { top, height } = filter.getBoundingClientRect()
        return height > 0 ? [top + height / 2] : []
      })
      const cutInputs = [...search.querySelectorAll('input')].filter(input => input.scrollWidth > input.clientWidth)
      return { apart: Math.max(...middles) - Math.min(...middles), cut: cutInputs.map(input => input.placeholder) }
    })
    expect(apart).toBeLessThan(4)
    expect(cut).toEqual([])
  })

  test.each([
    ['/workflows?archived=true&triggerType=a.b', 3, 2],
    ['/campaigns', 1, 0],
    ['/customers?consent=opted_in', 2, 1],
    ['/sales?voided=true', 3, 1],
    ['/templates', 1, 0],
    ['/events?started=true', 4, 1],
    ['/messages?status=failed', 4, 1],
    ['/outbound', 3, 0],
    ['/not-accepted?sender=none', 3, 1],
    ['/audit', 2, 0],
    ['/campaigns/:campaign/recipients', 2, 0],
    ['/webhooks/:webhook', 3, 0],
    ['/workflows/:workflow?view=runs', 2, 0],
  ])('a phone shows the first filter of %s, and the others on request', async (address, fields, active) => {
    const { page } = await openDashboard(browser, world, path(address), { width: 360 })
    const bar = page.getByRole('search')
    const toggle = bar.getByRole('button', { name: active === 0 ? 'Filters' : `${active} active`, exact: active === 0 })
    await toggle.waitFor()
    const parts = () =>
      bar.evaluate(search =>
        [...search.querySelectorAll('input:not([type=hidden]), button, nav')].flatMap(part => {
          const { left, right, top } = part.getBoundingClientRect()
          return part.checkVisibility() && part.closest('.mantine-Input-section') === null ? [{ left, right, top }] : []
        }),
      )
    const closed = await parts()
    expect([closed.length, new Set(closed.map(({ top }) => Math.round(top))).size]).toEqual([2, 1])
    await toggle.click()
    await bar.getByRole('button', { name: 'Views' }).waitFor()
    const open = await parts()
    expect(open.length).toBeGreaterThanOrEqual(closed.length + fields)
    expect(open.filter(({ left, right }) => left < 16 || right > 360 - 16)).toEqual([])
  })

  test('the search of the workflows comes first, as in other lists', async () => {
    const { page } = await openDashboard(browser, world, '/workflows', { width: 360 })
    await page.getByRole('search').getByRole('textbox', { name: 'Search by name' }).waitFor()
  })

  test.each([1440, 1024, 360])(
    'the filters of the inbox have words, in one line below the search at %p px',
    async width => {
      const { page } = await openDashboard(browser, world, '/inbox', { width })
      const buttons = page.getByRole('search').getByRole('button')
      await buttons.last().waitFor()
      expect(await buttons.allInnerTexts()).toEqual(['All time', 'Filters', 'Sort', 'Views'])
      const tops = await buttons.evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
      expect(new Set(tops).size).toBe(1)
    },
  )

  test('a run shows the result of a step inside of it, so that it covers no edge', async () => {
    const { page } = await openDashboard(browser, world, path('/runs/:run'), { width: 1440 })
    const step = page.locator('[data-way]').filter({ hasText: 'Delay' })
    const [outer, inner] = [await boxOf(step), await boxOf(step.getByText('Waiting', { exact: true }))]
    expect([inner.y > outer.y, inner.y + inner.height < outer.y + outer.height]).toEqual([true, true])
    await step.getByText('1 hr').waitFor()
    await page.getByRole('link', { name: 'View event' }).click()
    await page.waitForURL('**/events/*')
  })

  test('a phone shows the prefix of an API key', async () => {
    const { prefix } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'Till' } })
    const { page } = await openDashboard(browser, world, '/api-keys', { width: 360 })
    await page.getByRole('row').filter({ hasText: 'Till' }).getByText(`${prefix}…`).waitFor()
  })

  test('the messages name a workflow in full in a narrow window', async () => {
    const { page } = await openDashboard(browser, world, '/messages', { width: 1024 })
    const author = page.getByRole('cell', { name: 'Customer', exact: true }).first()
    const missing = await author.evaluate(cell => {
      const name = cell.ownerDocument.createElement('span')
      // As wide as the name of a workflow with its icon.
      name.style.paddingInlineStart = '20px'
      name.textContent = 'Order thank-you'
      cell.replaceChildren(name)
      return cell.scrollWidth - cell.clientWidth
    })
    expect(missing).toBe(0)
  })

  test('the audit log names an action in full beside the address', async () => {
    const { page } = await openDashboard(browser, world, '/audit', { width: 1024 })
    await page.getByRole('columnheader', { name: 'IP address' }).waitFor()
    const action = page.getByRole('row').getByText('Created a campaign', { exact: true })
    // One of the longest names.
    const missing = await action.evaluate(name => {
      name.textContent = 'Created a service account token'
      return name.scrollWidth - name.clientWidth
    })
    expect(missing).toBe(0)
  })

  test('an attribute has the width of its card in a narrow column', async () => {
    const attributes = { city: 'Amsterdam-Noord' }
    await world.expect(200, 'PATCH', `/v1/customers/${ids.customer}`, { body: { attributes } })
    const { page } = await openDashboard(browser, world, path('/customers/:customer'), { width: 1024 })
    const value = page.getByText('Amsterdam-Noord', { exact: true })
    const [isBelow, height] = await value.evaluate(text => {
      const { top, height } = text.getBoundingClientRect()
      return [top > text.closest('dd')!.previousElementSibling!.getBoundingClientRect().top + 8, height]
    })
    expect(isBelow).toBe(true)
    expect(height).toBeLessThan(24)
  })

  test('a placeholder in a narrow column is in words with its fallback, broken between words, and its message has a label', async () => {
    const { data } = await world.expect(200, 'GET', '/v1/channels')
    const create = (path: string, body: object) => world.expect(201, 'POST', path, { body })
    const variables = [{ name: 'town', sample: 'Berlin' }]
    const template = await create('/v1/templates', {
      name: 'Towns',
      category: 'utility',
      body: 'To {{town}}',
      variables,
    })
    const { id } = await create('/v1/campaigns', {
      name: 'Towns',
      channelId: data[0].id,
      templateId: template.id,
      variables: { town: '{{customer.attributes.municipality|your municipality}}' },
      audience: { all: true },
    })
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`, { body: {} })
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`, { width: 1024 })
    await page.getByRole('region', { name: 'Message' }).getByText('{{town}}').waitFor()
    const value = page.locator('dd').filter({ hasText: 'municipality' })
    const lines = await value.evaluate(value => {
      const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT)
      const lines: [word: string, count: number][] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          lines.push([word, range.getClientRects().length])
        }
      return lines
    })
    const words = ['Customer’s', 'municipality;', 'if', 'empty,', '“your', 'municipality”']
    expect(lines).toEqual(words.map(word => [word, 1]))
  })

  test('the checkbox of a header looks like those of the rows', async () => {
    const { page } = await openDashboard(browser, world, '/workflows', { width: 1024 })
    const styleOf = (found: Locator) =>
      found.evaluate(box => {
        const { borderTopWidth, borderTopColor, backgroundColor, width, height } = getComputedStyle(box)
        return [borderTopWidth, borderTopColor, backgroundColor, width, height]
      })
    const row = page.getByRole('row').nth(1).getByRole('checkbox').first()
    await row.waitFor()
    expect(await styleOf(page.locator('.mantine-CheckboxIndicator-indicator'))).toEqual(await styleOf(row))
  })

  test('a row with two lines keeps them, however long its name is', async () => {
    const body = { name: 'W'.repeat(80), category: 'utility', body: 'Hello', variables: [] }
    await world.expect(201, 'POST', '/v1/templates', { body })
    const { page } = await openDashboard(browser, world, '/audit', { width: 360 })
    const row = page.getByRole('row').filter({ hasText: 'WWW' })
    await row.waitFor()
    const [frame, action, name, person] = await Promise.all([
      boxOf(row),
      ...[1, 2, 3].map(index => boxOf(row.getByRole('cell').nth(index))),
    ])
    const middleOf = ({ y, height }: { y: number; height: number }) => Math.round(y + height / 2)
    expect(middleOf(name!)).toBe(middleOf(person!))
    expect(action!.y - frame!.y).toBeGreaterThan(4)
    expect(frame!.y + frame!.height - name!.y - name!.height).toBeGreaterThan(4)
  })

  test('a list beside a wide panel has the type of a delivery in full and the actions of the endpoint', async () => {
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${ids.webhook}/test`)
    const { page } = await openDashboard(browser, world, `/webhooks/${ids.webhook}/deliveries/${id}`, { width: 1024 })
    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'ping' })
    const [time, type, status] = await Promise.all([0, 1, 2].map(index => boxOf(row.getByRole('cell').nth(index))))
    expect([time!.y === status!.y, type!.y < status!.y, type!.width > 190]).toEqual([true, true, true])
    for (const name of ['Send test event', 'Pause', 'More'])
      await page.getByRole('button', { name, exact: true }).click({ trial: true })
  })

  test('the form of a template is wider than its preview', async () => {
    const { page } = await openDashboard(browser, world, path('/templates/:template'), { width: 1024 })
    const [form, preview] = [
      page.getByRole('textbox', { name: 'Text' }),
      page.getByRole('combobox', { name: 'Customer' }),
    ]
    await form.waitFor()
    expect((await boxOf(form)).width).toBeGreaterThan((await boxOf(preview)).width)
  })

  test('a phone shows the recipients above the form of a draft, and the timeline below the profile', async () => {
    const { page } = await openDashboard(browser, world, path('/campaigns/:campaign'), { width: 360 })
    const count = page.getByText('1 customer will receive it').first()
    expect((await boxOf(count)).y).toBeLessThan((await boxOf(page.getByRole('textbox', { name: 'Name' }))).y)
    await page.goto(path('/customers/:customer'))
    const heads = ['Profile', 'Timeline', 'Attributes'].map(name => page.getByRole('heading', { name, exact: true }))
    await heads[2]!.waitFor()
    const [profile, timeline, attributes] = await Promise.all(heads.map(boxOf))
    expect([profile!.y < timeline!.y, timeline!.y < attributes!.y]).toEqual([true, true])
    const { width, height } = await boxOf(page.getByRole('button', { name: 'Open navigation' }))
    expect([width, height]).toEqual([44, 44])
  })

  test('a phone says what the time of a customer and the runs of a workflow mean', async () => {
    const { page } = await openDashboard(browser, world, '/customers', { width: 360 })
    await page
      .getByRole('row')
      .filter({ hasText: 'Ana' })
      .getByText(/^Created .* ago$/)
      .waitFor()
    const runs = (text: string) =>
      page.getByRole('row').filter({ hasText: 'Thank you' }).getByText(text, { exact: true })
    for (const [query, text] of [
      ['', '1 run in 7 days'],
      ['?range=24h', '1 run in 24 hours'],
      ['?since=2026-01-01T00:00:00Z', '1 run'],
    ] as const) {
      await page.goto(`/workflows${query}`)
      await runs(text).waitFor()
    }
  })

  test('a phone shows two lines of the error of a rejected event', async () => {
    const body = { type: 'order.created', phone: '0664 12' }
    await world.expect(400, 'POST', '/v1/events', { as: 'key', body })
    const { page } = await openDashboard(browser, world, '/not-accepted', { width: 360 })
    const row = page.getByRole('row').filter({ hasText: 'E.164' })
    const error = row.getByRole('link')
    await error.waitFor()
    expect(await error.evaluate(({ clientHeight }) => Math.round(clientHeight / 18))).toBe(2)
    const [outer, sender] = [await boxOf(row), await boxOf(row.getByText('Custom'))]
    expect(sender.y + sender.height).toBeLessThan(outer.y + outer.height)
    // Without a phone, the error has one line.
    await page.setViewportSize({ width: 1440, height: 900 })
    await row.filter({ has: page.locator('code') }).waitFor()
    expect((await boxOf(row)).height).toBe(36)
  })

  test('the line under the templates has the edges and the icon of other lists on a phone', async () => {
    const footers = []
    for (const address of ['/customers', '/templates']) {
      const { page } = await openDashboard(browser, world, address, { width: 360 })
      const button = page.getByRole('button', { name: 'Export CSV' })
      await button.waitFor()
      const count = await boxOf(page.getByText(/^\d+ in total$/))
      const { x, width } = await boxOf(button)
      footers.push([count.x, x + width, await button.getByText('Export CSV').isVisible()])
    }
    expect(footers[1]).toEqual(footers[0]!)
    expect(footers[0]![2]).toBe(false)
  })

  test('the line under the tabs of a workflow is above the state of its draft on a phone', async () => {
    const { page } = await openDashboard(browser, world, path('/workflows/:workflow?view=runs'), { width: 360 })
    const tabs = page.getByRole('navigation', { name: 'Workflow pages' })
    const state = await boxOf(page.getByText('Version 1 is published.'))
    const { y, height } = await boxOf(tabs)
    expect(y + height).toBeLessThanOrEqual(state.y)
    const lines = await tabs.evaluate(nav =>
      [nav, nav.parentElement!].map(one => getComputedStyle(one).borderBottomWidth),
    )
    expect(lines).toEqual(['1px', '0px'])
  })

  test.each([
    ['an override', 'Spring \u202Etfard'],
    ['an override after the end of an isolate', 'Spring\u2069 \u202Etfard'],
    ['an isolate without an end', 'Spring \u2067'],
  ])('a sentence keeps its order around a name with %s', async (_, name) => {
    const body = { name, channelId: '', templateId: ids.template, audience: { all: true } }
    const { data } = await world.expect(200, 'GET', '/v1/channels')
    const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body: { ...body, channelId: data[0].id } })
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete campaign' }).click()
    const sentence = page.getByText('was deleted.', { exact: false })
    await sentence.waitFor()
    const places = await sentence.evaluate(element => {
      const node = element.firstChild!
      return ['“', '”', 'was', 'deleted.'].map(word => {
        const range = document.createRange()
        range.setStart(node, node.textContent!.lastIndexOf(word))
        range.setEnd(node, node.textContent!.lastIndexOf(word) + word.length)
        const { top, left } = range.getBoundingClientRect()
        return top * innerWidth + left
      })
    })
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('shows switches and the selected tab in forced colors', async () => {
    const { page } = await openDashboard(browser, world, '/settings/notifications')
    await page.emulateMedia({ forcedColors: 'active' })
    const style = (element: Locator, name: 'borderBottomWidth' | 'backgroundColor') =>
      element.evaluate((element, name) => getComputedStyle(element)[name], name)
    const track = page.locator('.mantine-Switch-track').first()
    await track.waitFor()
    expect(await style(track, 'borderBottomWidth')).toBe('1px')
    const thumb = page.locator('.mantine-Switch-thumb').first()
    expect(await style(thumb, 'backgroundColor')).not.toBe(await style(track, 'backgroundColor'))
    for (const [template, selected, other] of [
      ['/inbox', 'Unanswered', 'Closed'],
      ['/workflows/:workflow', 'Editor', 'Runs'],
      ['/webhooks/:webhook', 'Deliveries', 'Settings'],
    ] as const) {
      await page.goto(path(template))
      const tab = (name: string) =>
        page
          .getByRole('main')
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .first()
      await tab(selected).and(page.locator('[aria-current]')).waitFor()
      const lines = [await style(tab(selected), 'borderBottomWidth'), await style(tab(other), 'borderBottomWidth')]
      expect([template, ...lines]).toEqual([template, '2px', '0px'])
    }
  })

  test('names a missing delivery, and ends a long event type of a workflow with an ellipsis', async () => {
    const { page } = await openDashboard(browser, world, path(`/webhooks/:webhook/deliveries/${ids.workflow}`))
    await page.getByRole('alert').getByText('Delivery not found').waitFor()
    const type = `very.long.${'event.'.repeat(12)}type`
    const definition = { trigger: { eventType: type }, start: 'end', steps: { end: { type: 'exit', reason: 'done' } } }
    await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Long type', definition } })
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto('/workflows')
    const text = page.getByText(type, { exact: true })
    await text.waitFor()
    const cut = await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    const overflow = await text.evaluate(element => getComputedStyle(element).textOverflow)
    expect([cut, overflow]).toEqual([true, 'ellipsis'])
    expect((await text.boundingBox())!.x + (await text.boundingBox())!.width).toBeLessThanOrEqual(360)
  })

  test.each([1280, 360])('the title of a confirmation ends after a long name at %p px', async width => {
    const name = 'W'.repeat(80)
    await world.expect(201, 'POST', '/v1/api-keys', { body: { name } })
    const { page } = await openDashboard(browser, world, '/api-keys', { width })
    const row = page.getByRole('row').filter({ hasText: 'WWW' }).first()
    await row.getByRole('button', { name: /^Revoke/ }).click()
    const title = page.getByRole('dialog').getByRole('heading')
    expect(await title.textContent()).toBe(`Revoke “${'W'.repeat(39)}…”?`)
    expect(await title.evaluate(head => head.scrollHeight - head.clientHeight)).toBe(0)
  })
})
