/** Tests of the layout around every page of the dashboard, in a real browser if one is available. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, expectQuiet, firstViewOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const forPeople = { headers: { Accept: 'text/html' } }
/** Returns the paths of the files that the page references. */
const filesOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)

describe('the page', () => {
  test('is served at every address of the dashboard and loads nothing from other origins', async () => {
    for (const path of ['/', '/events', '/events/01a20380-d0cb-7327-93bc-fba9f86b236c']) {
      const answer = await fetch(`${world.url}${path}`, forPeople)
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      const policy = answer.headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/)
      expect(await answer.text()).toMatch(/<link rel="icon" [^>]*href="\/assets\/[^"]+\.svg"/)
    }
  })

  test('is not returned to a program that requests an unknown path', async () => {
    expect((await fetch(`${world.url}/events`)).status).toBe(404)
    expect((await fetch(`${world.url}/v1/nothing`, forPeople)).status).toBe(404)
    expect((await fetch(`${world.url}/assets/nothing.js`, forPeople)).status).toBe(404)
  })

  test('references few immutable, compressed files', async () => {
    const files = filesOf(await (await fetch(`${world.url}/`, forPeople)).text())
    expect(files.length).toBeGreaterThan(1)
    let bytes = 0
    for (const path of files) {
      const contents: Buffer[] = []
      for (const encoding of ['gzip', 'br']) {
        const answer = await fetch(`${world.url}${path}`, { headers: { 'Accept-Encoding': encoding } })
        expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, encoding])
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        contents.push(Buffer.from(await answer.arrayBuffer()))
      }
      // `fetch` has decompressed both.
      expect(contents[0]!.equals(contents[1]!)).toBe(true)
      expect((await fetch(`${world.url}${path}.br`)).status).toBe(404)
      bytes += gzipSync(contents[0]!).length
    }
    expect(bytes).toBeLessThan(300_000)
  })
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const browser = useBrowser()
  beforeAll(async () => {
    await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'order.created', phone: '+12025550101' },
    })
  })

  test.each([
    ['/', 'Get started'],
    ['/sign-in', 'Sign in'],
  ])('shows %s with less than 300 KB', async (path, heading) => {
    const { page } = await openDashboard(browser, world, path, path === '/' ? {} : { token: 'none' })
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.evaluate('document.fonts.ready')
    const { kilobytes } = await firstViewOf(page)
    // Less than the script alone would be an error of the measurement.
    expect(kilobytes).toBeWithin(200, 300)
  })

  test('renders Home from the files in the page without layout shifts', async () => {
    const named = filesOf(await (await fetch(`${world.url}/`, forPeople)).text())
    const { page } = await openDashboard(browser, world, '/sign-in')
    await page.route(/\/assets\/.*\.(js|css)$/, (route, request) =>
      named.includes(new URL(request.url()).pathname) ? route.continue() : route.abort(),
    )
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(globalThis, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/')
    await page
      .getByRole('link', { name: /^Events/ })
      .getByRole('img')
      .waitFor()
    const [checklist, tile] = [
      page.getByRole('heading', { name: 'Get started' }),
      page.getByRole('link', { name: /^Events/ }),
    ]
    await checklist.waitFor()
    expect((await checklist.boundingBox())!.y).toBeLessThan((await tile.last().boundingBox())!.y)
    const shifts = await page.evaluate<number[]>('shifts')
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05)
  })

  test('styles the sign-in form, although the styles of other pages are loaded later', async () => {
    const { page } = await browser.open(world.url)
    await page.goto('/')
    await page.getByLabel('Email').waitFor()
    expect((await page.getByLabel('Email').boundingBox())!.width).toBeLessThan(500)
  })

  test('returns to a shared address after the sign-in, without the form in the history', async () => {
    const opened = await browser.open(world.url)
    const { page } = opened
    page.setDefaultTimeout(30_000)
    await page.goto('/events?type=order.created')
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Events' }).waitFor()
    expect(page.url()).toBe(`${world.url}/events?type=order.created`)
    await page.goBack()
    expect(page.url()).toBe('about:blank')
    // The browser logs the expected 401 before the sign-in.
    expectQuiet(opened, /401/)
  })

  test('opens, leaves and moves between rows by keyboard, and supports the back button', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    await page.getByRole('link', { name: 'order.created' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Payload' }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
  })

  test('names the open part of a page in the title of the tab', async () => {
    const { page } = await openDashboard(browser, world, '/settings/plan')
    const titled = (start: string) => page.waitForFunction(start => document.title.startsWith(start), start)
    await titled('Plan · Settings · ')
    await page.getByRole('link', { name: 'Security', exact: true }).click()
    await titled('Security · Settings · ')
    await page.getByRole('link', { name: 'Home' }).click()
    await titled('Home · ')
  })

  test('keeps the focus on the row whose panel was open last', async () => {
    const phones = ['+12025550171', '+12025550172', '+12025550173']
    for (const phone of phones)
      await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'focus.test', phone, data: {} } })
    await world.sandbox()
    await world.sandbox()
    for (const path of ['/events?type=focus.test', '/channels']) {
      const { page } = await openDashboard(browser, world, path)
      const rows = page.locator('[role=row][aria-rowindex]')
      const isFocused = (index: number) =>
        page.waitForFunction(
          wanted => document.activeElement === document.querySelectorAll('[role=row][aria-rowindex]')[wanted],
          index,
        )
      const panel = page.getByRole('complementary')
      await rows.nth(1).waitFor()
      await page.keyboard.press('j')
      await isFocused(1)
      await page.keyboard.press('Enter')
      await panel.waitFor()
      await page.keyboard.press('Escape')
      await isFocused(1)
      await rows.nth(0).getByRole('link').first().click()
      await panel.waitFor()
      await page.keyboard.press('j')
      await page.locator('[role=row][data-selected][aria-rowindex="3"]').waitFor()
      await page.keyboard.press('Escape')
      await isFocused(1)
      await page.keyboard.press('k')
      await isFocused(0)
    }
  })

  test('reads search parameters as text and ignores invalid values', async () => {
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: '1', phone: '+12025550108' } })
    const draft = { trigger: { eventType: 'a.b' }, start: 'end', steps: { end: { type: 'exit', reason: 'done' } } }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Nonsense', definition: draft } })
    const opened = await openDashboard(browser, world, '/events?type=1')
    const { page } = opened
    await page.getByRole('link', { name: '1', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'order.created' }).count()).toBe(0)
    await page.goto(`/workflows/${id}?view=nonsense`)
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    const url = 'https://receiver.example/hooks'
    const webhook = await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['message.status'] } })
    const names =
      'action actorId again assigneeId channelId consent customerId delivery event eventType externalId filter ' +
      'outcome phone range reason sender since sort started status statusCode targetId until version webhook'
    const nonsense = new URLSearchParams(names.split(' ').map(name => [name, 'nonsense']))
    nonsense.set('externalId', '')
    // A word can be the name of a store plugin.
    nonsense.set('sender', 'two nonsense words')
    /** Each page with the request that its parameters filter. */
    const requests: [page: string, request: RegExp][] = [
      ['/?', /activity\/summary/],
      ['/events?', /activity\/events/],
      ['/events/send?', /activity\/events/],
      ['/not-accepted?', /activity\/not-accepted/],
      ['/outbound?type=nonsense&', /outbound-events/],
      ['/messages?', /messages/],
      ['/sales?', /sales/],
      ['/webhooks?', /webhooks/],
      [`/webhooks/${webhook.id}?`, /deliveries/],
      ['/inbox?', /conversations/],
      ['/inbox/statistics?', /inbox\/stats/],
      ['/channels?', /activity\/summary/],
      ['/channels/new?', /channel-kinds/],
      ['/audit?', /audit/],
      ['/team?new=nonsense&', /members/],
      ['/customers?', /customers/],
      ['/workflows?archived=nonsense&', /workflows/],
      [`/workflows/${id}?view=runs&`, /runs/],
    ]
    for (const [path, request] of requests) {
      const answered = page.waitForResponse(response => request.test(new URL(response.url()).pathname))
      await page.goto(`${path}${nonsense}`)
      expect([path, (await answered).status()]).toEqual([path, 200])
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect([path, await page.getByRole('alert').count(), page.url().includes('nonsense')]).toEqual([path, 0, false])
    }
    expectQuiet(opened)
  })

  const list = ({ pathname, searchParams }: URL) => pathname === '/v1/activity/events' && !searchParams.has('type')
  /**
   * Opens all events while their request fails, and returns the waits between the calls before the error is shown. The
   * code of the page is loaded: a page that appears after a failed prefetch would request its rows again.
   */
  const openFailing = async (page: Page, fail: (route: Route) => Promise<void>): Promise<number[]> => {
    await page.getByRole('link', { name: 'order.created' }).first().waitFor()
    const calls: number[] = []
    await page.route(list, route => {
      calls.push(performance.now())
      return fail(route)
    })
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await page.getByRole('main').getByRole('alert').waitFor()
    return calls.slice(1).map((at, index) => at - calls[index]!)
  }

  test('shows a response of 500 after one retry, within a second', async () => {
    const { page } = await openDashboard(browser, world, '/events?type=order.created')
    const waits = await openFailing(page, route => route.fulfill({ status: 500 }))
    expect(waits.map(ms => ms < 1000)).toEqual([true])
  })

  test('shows an error after one retry, within a second, and the rows by itself once the service answers', async () => {
    const { page } = await openDashboard(browser, world, '/events?type=order.created')
    const waits = await openFailing(page, route => route.abort())
    expect(waits.map(ms => ms < 1000)).toEqual([true])
    await page.unroute(list)
    await page.getByRole('link', { name: 'order.created' }).first().waitFor()
  })

  test('shows the title of a page whose code does not arrive, and an error after 20 seconds', async () => {
    const { page } = await openDashboard(browser, world, '/events?type=order.created')
    const row = page.getByRole('link', { name: 'order.created' }).first()
    await row.waitFor()
    await page.route(/\/assets\/.*\.js$/, () => {})
    await page.clock.install()
    await row.click()
    const panel = page.getByRole('main').getByRole('status').getByText('Loading…')
    await panel.waitFor()
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    await page.getByRole('link', { name: 'Webhook events', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhook events' }).waitFor()
    await panel.waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.title()).toStartWith('Webhook events · ')
    expect(await faultsOf(page)).toEqual([])
    await page.clock.fastForward(20_000)
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Webhook events' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'Webhook events' }).waitFor()
  })

  test('finds parts of names, templates and campaigns, and runs actions by keyboard alone', async () => {
    const create = (path: string, body: object) => world.expect(201, 'POST', path, { body })
    await create('/v1/customers', { name: 'Noor van Dijk', phone: '+12025550177' })
    const template = { name: 'Cart reminder', category: 'utility', body: 'Your cart waits' }
    const { id: templateId } = await create('/v1/templates', template)
    const channelId = await world.sandbox()
    await create('/v1/campaigns', { name: 'Harvest weeks', channelId, templateId, audience: { all: true } })
    const { page } = await openDashboard(browser, world, '/events')
    await page.getByRole('heading', { name: 'Events' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('cart')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const field = palette.getByRole('combobox', { name: 'Search' })
    await palette.getByRole('option', { name: 'Cart reminder' }).waitFor()
    const { data } = await world.expect(200, 'GET', '/v1/activity/events?type=order.created&limit=1')
    await field.fill(data[0].id)
    await palette.getByRole('option', { name: 'Event, about +12025550101, ' }).waitFor()
    expect(await palette.getByRole('option').allTextContents()).not.toContainEqual(
      expect.stringMatching(/\d{4}-\d\d-\d\dT/),
    )
    await field.fill('cart')
    await palette.getByRole('option', { name: 'Cart reminder' }).waitFor()
    expect(await field.inputValue()).toBe('cart')
    await field.fill('')
    await palette.getByRole('group', { name: 'Actions' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (const [query, found] of [
      ['dijk', 'Noor van Dijk'],
      ['0177', 'Noor van Dijk'],
      ['reminder', 'Cart reminder'],
      ['weeks', 'Harvest weeks'],
      ['new workflow', 'New workflow'],
      ['security', 'Security'],
      ['opt-out', 'Opt-out words'],
      ['notifications', 'Notifications'],
      ['statistics', 'Inbox statistics'],
      ['signature', 'Check signature'],
      ['docs', 'Documentation'],
      ['phone', 'Sandbox phone'],
      ['keyboard', 'Keyboard shortcuts'],
      ['sign out', 'Sign out'],
      ['logout', 'Sign out'],
    ] as const) {
      await field.fill(query)
      await palette.getByRole('option', { name: found }).first().waitFor()
    }
    await field.fill('dark')
    await palette.getByRole('option', { name: 'Use dark theme' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark')
    await page.keyboard.press('Control+k')
    await field.waitFor()
    expect(await field.inputValue()).toBe('')
    await page.keyboard.type('key')
    await palette.getByRole('option', { name: 'API keys', selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await palette.getByRole('option', { name: 'Create API key', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  })

  test('offers an agent no action of owners in the palette', async () => {
    const { page } = await openDashboard(browser, world, '/events', { token: await agentOf(world) })
    await page.getByRole('heading', { name: 'Events' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('option', { name: 'New customer' }).waitFor()
    for (const name of ['New template', 'New workflow', 'New campaign', 'Create API key'])
      expect(await palette.getByRole('option', { name, exact: true }).count()).toBe(0)
  })

  test('opens the phone, the shortcuts and the documentation from the palette, and signs out', async () => {
    await world.sandbox()
    const { page } = await openDashboard(browser, world, '/events')
    const shown = page.getByRole('heading', { name: 'Events' })
    await shown.waitFor()
    const run = async (query: string, name: string) => {
      await page.keyboard.press('Control+k')
      // The results of the last command are shown for a moment.
      await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type(query)
      await page.getByRole('option', { name, selected: true }).waitFor()
      await page.keyboard.press('Enter')
    }
    await run('phone', 'Sandbox phone')
    await page.getByRole('dialog', { name: 'Sandbox phone' }).waitFor()
    await page.goto(`${world.url}/events`)
    await shown.waitFor()
    await run('keyboard', 'Keyboard shortcuts')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await shortcuts.getByText('Next conversation').waitFor()
    await page.keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await run('docs', 'Documentation')
    await page.waitForURL('**/docs')
    await page.goto(`${world.url}/events`)
    await shown.waitFor()
    await page.route('**/v1/auth/sign-out', route => route.abort())
    await run('log out', 'Sign out')
    await page.getByText('The service does not answer.').first().waitFor()
    // The session of the other tests stays.
    await page.route('**/v1/auth/sign-out', route => route.fulfill({ status: 204 }))
    const left = page.waitForURL('**/sign-in')
    await run('sign out', 'Sign out')
    await left
  })

  test('shows an error for an unknown address next to the navigation, and finds what the address names', async () => {
    await world.expect(201, 'POST', '/v1/customers', { body: { name: 'Olga Lost', phone: '+12025550178' } })
    const { page } = await openDashboard(browser, world, '/people/olga%20lost')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Olga Lost' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto('/webhook/list')
    const links = page.getByRole('navigation', { name: 'Go to' }).getByRole('link')
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual(['Webhook events', 'Webhooks'])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('link', { name: 'order.created' }).waitFor()
  })
})
