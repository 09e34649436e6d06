/** Tests of the home page and the search, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chartedOutcomes } from '../../src/dashboard/pages/events/outcome-counts.ts'
import { byLatestStatus, compare, periods, summaryQuery, toBars } from '../../src/dashboard/pages/home/period.ts'
import { events } from '../../src/dashboard/texts/en/events.ts'
import { home } from '../../src/dashboard/texts/en/home.ts'
import { toChartRange, toTimeQuery } from '../../src/dashboard/ui/time-range/time-range.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import {
  agentOf,
  expectQuiet,
  newSession,
  openDashboard,
  untilFocused,
  useBrowser,
} from '../support/browser/dashboard.ts'
import { tell } from '../support/outbox.ts'
import { eventually, useWorld } from '../support/world.ts'

/** Returns the swatches of a chart whose pattern is not rendered, so that they are blank. */
const undrawnSwatches = (chart: Element): (string | null)[] =>
  [...chart.querySelectorAll('li')]
    .filter(({ firstElementChild }) => {
      const id = firstElementChild!.querySelector('rect')!.getAttribute('fill')!.slice('url(#'.length, -1)
      return !document.getElementById(id)!.closest('svg')!.checkVisibility()
    })
    .map(({ textContent }) => textContent)

test('Home and Events have the same words for the outcome of an event', () => {
  for (const outcome of chartedOutcomes)
    expect<string>(home[`home.series.${outcome}`]).toBe(events[`events.series.${outcome}`])
})

describe('the periods of Home', () => {
  const entry = (at: string, events: number) => ({
    at,
    events,
    unhandled: 0,
    refused: 0,
    runsStarted: 0,
    messages: { queued: 0, sent: 0, delivered: events, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 },
    deliveries: { delivered: 0, failed: 0, attempts: 0 },
  })
  const hours = (count: number, events: (index: number) => number) =>
    Array.from({ length: count }, (_, index) =>
      entry(new Date(Date.parse('2026-11-20T00:00:00Z') + index * 3_600_000).toISOString(), events(index)),
    )

  test('compare with the period before up to the same time', () => {
    const summary = hours(48, index => (index < 24 ? 10 : 5))
    // A quarter of the last hour has passed, so a quarter of the first hour of the period before counts.
    const now = Date.parse('2026-11-21T23:15:00Z')
    expect(compare('24h', summary, now, ({ events }) => events)).toEqual({ current: 120, previous: 233 })
  })

  test('ask for the period before too, and have at most 30 bars', () => {
    const now = Date.parse('2026-11-22T10:30:00Z')
    expect(summaryQuery('7d', now)).toEqual({
      by: 'day',
      from: '2026-11-09T00:00:00.000Z',
      to: '2026-11-22T23:59:59.999Z',
    })
    const bars = toBars(
      '7d',
      hours(14, index => index),
    )
    expect(bars.map(({ events }) => events)).toEqual([7, 8, 9, 10, 11, 12, 13])
  })

  test.each(periods)('count the same time as a list with the time range %s', period => {
    const now = Date.parse('2026-11-22T10:30:00Z')
    const { from, to, by } = summaryQuery(period, now)
    const unitMs = by === 'hour' ? 3_600_000 : 86_400_000
    const entries = Array.from({ length: (Date.parse(to) + 1 - Date.parse(from)) / unitMs }, (_, index) => ({
      at: new Date(Date.parse(from) + index * unitMs).toISOString(),
    }))
    const bars = toBars(period, entries)
    expect(bars[0]!.at).toBe(toTimeQuery({ range: period }, now).since!)
    expect(by).toBe(toChartRange({ range: period }, now).by)
    expect(entries).toHaveLength(2 * bars.length)
  })

  test('count each message in its latest status', () => {
    const none = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0, unknown: 0, received: 0 }
    const bars = [
      // Twelve messages: one is skipped, one gets no response, and one of those sent fails.
      { ...none, queued: 12, sent: 10, delivered: 4, skipped: 1, unknown: 1, failed: 1 },
      // Later statuses of the same messages, and three new ones.
      { ...none, queued: 3, sent: 1, delivered: 3, read: 5, received: 2 },
    ].map((messages, index) => ({ ...entry(`2026-11-20T0${index}:00:00Z`, 0), messages }))
    const counts = byLatestStatus(bars).map(({ messages }) => messages)
    expect(counts).toEqual([
      { ...none, sent: 3, delivered: 2, skipped: 1, unknown: 1, failed: 1 },
      { ...none, queued: 2, read: 5, received: 2 },
    ])
    // Each of the 15 messages and of the 2 received ones is counted once.
    expect(counts.flatMap(messages => Object.values(messages)).reduce((sum, count) => sum + count, 0)).toBe(17)
  })
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const world = useWorld({}, { liveFeedLimits: { minPollMs: 40, maxPollMs: 100, alertPollMs: 40 } })
  const browser = useBrowser()

  test('does not call an empty workspace healthy', async () => {
    const { page } = await openDashboard(browser, world, '/')
    await page.getByText('No open issues', { exact: true }).waitFor()
    await page.getByText('You haven’t received any events yet.').waitFor()
    await page.getByText('Events, messages and webhook deliveries appear here.').waitFor()
    expect(await page.getByRole('figure').count()).toBe(0)
    const cards = ['Activity', 'Needs attention'].map(name =>
      page
        .locator('section, div')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
        .last(),
    )
    const [activity, attention] = await Promise.all(cards.map(card => card.boundingBox()))
    expect(activity).toMatchObject({ y: attention!.y, height: attention!.height })
    const [left, right] = await page
      .getByRole('heading', { name: /^(Activity|Needs attention)$/ })
      .evaluateAll(titles =>
        titles.map(title => {
          const range = document.createRange()
          range.selectNodeContents(title)
          return range.getBoundingClientRect().y
        }),
      )
    expect(left).toBeCloseTo(right!, 0)
    expect(await page.getByText('All systems normal').count()).toBe(0)
    // A period has nothing to show yet, so the checklist comes first.
    await page.getByRole('navigation', { name: 'Time range' }).waitFor({ state: 'detached' })
    const textRight = (link: Element) => {
      const range = document.createRange()
      range.selectNodeContents(link)
      return range.getBoundingClientRect().right
    }
    const checklist = page.getByRole('region', { name: 'Get started' })
    const hide = await checklist.getByRole('button', { name: 'Hide checklist' }).evaluate(textRight)
    expect(hide - (await checklist.getByRole('link').last().evaluate(textRight))).toBeCloseTo(0, 0)
    await page.setViewportSize({ width: 360, height: 900 })
    const hideOnPhone = await checklist.getByRole('button', { name: 'Hide checklist' }).evaluate(textRight)
    expect(hideOnPhone - (await checklist.getByRole('link').last().evaluate(textRight))).toBeCloseTo(0, 0)
  })

  test('hides the sample request of the empty events page while an event is written', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    const sample = page.getByText('Or call the API with an API key:')
    await sample.waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Send event' }).click()
    await page.getByRole('heading', { name: 'Send event' }).waitFor()
    await sample.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await sample.waitFor()
  })

  test('says that neither the activity nor the alerts were loaded', async () => {
    const { page } = await openDashboard(browser, world, '/docs')
    const json = { error: { code: 'internal_error', message: 'Failed.' }, request_id: 'r' }
    await page.route(/\/v1\/(activity\/summary|attention)/, route => route.fulfill({ status: 500, json }))
    await page.goto('/')
    await page.getByRole('alert').filter({ hasText: 'Couldn’t load activity and alerts' }).waitFor()
    await page.getByRole('region', { name: 'Needs attention' }).getByText('Not loaded.').waitFor()
  })

  test('counts no service account as a team member, and finds an old workflow that is on', async () => {
    const definition = { trigger: { eventType: 'a.b' }, start: 'end', steps: { end: { type: 'exit', reason: 'x' } } }
    await world.workflow(definition)
    for (let n = 1; n <= 50; n++)
      await world.expect(201, 'POST', '/v1/workflows', { body: { name: `Draft ${n}`, definition } })
    const body = { kind: 'service', name: 'Terraform', role: 'agent' }
    await world.expect(201, 'POST', '/v1/members', { body })
    const { page } = await openDashboard(browser, world, '/')
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await step('Turn on a workflow').getByText('Done').waitFor({ state: 'attached' })
    await step('Invite a team member').getByText('To do').waitFor({ state: 'attached' })
  })

  test('counts accepted, unhandled and rejected events by period, with the change', async () => {
    await world.expect(200, 'PATCH', '/v1/auth/user', { body: { timezone: 'Asia/Tokyo' } })
    const { page } = await openDashboard(browser, world, '/', { width: 1440 })
    await world.database.sql`
      insert into hourly_stats (workspace_id, hour, events, refused, messages_sent, messages_delivered, messages_read,
        deliveries_failed, attempts)
      select ${world.workspaceId}, date_trunc('hour', now()) - n * interval '1 hour', 10, 1, 5, 3, 1, 1, 1
      from unnest(array[2, 30, 40, 200]) n`
    await world.database.sql`
      insert into group_stats (workspace_id, kind, unit, at, group_id, total, counts)
      select ${world.workspaceId}, 'type', unit, date_trunc(unit, now() - n * interval '1 hour', 'utc'), 'a.b',
        10 * count(*), jsonb_build_object('started', 6 * count(*), 'no_listener', 4 * count(*))
      from unnest(array[2, 30, 40, 200]) n, unnest(array['hour', 'day']) unit
      group by unit, date_trunc(unit, now() - n * interval '1 hour', 'utc')`
    await page.reload()
    const tile = page.getByRole('link', { name: /^Events/ }).filter({ hasText: 'vs.' })
    // The minus sign is as wide as the plus sign.
    await tile.getByText(/^−\d+%$/).waitFor()
    await tile.getByRole('img', { name: /^Events accepted, Last 24 hours\. Oldest first: .*; 10; 0; 0$/ }).waitFor()
    const statuses = page.getByRole('figure', { name: 'Messages by latest status' }).getByRole('listitem')
    for (const text of ['Sent2', 'Delivered2', 'Read1'])
      await statuses.filter({ hasText: new RegExp(`^${text}$`) }).waitFor()
    // A series without values is only in the table.
    expect(await statuses.filter({ hasText: 'Queued' }).count()).toBe(0)
    const messages = page.getByRole('figure', { name: 'Messages by latest status' })
    await messages.getByRole('button', { name: 'Show as table' }).click()
    await messages.getByRole('columnheader', { name: 'Queued' }).waitFor()
    expect(await messages.evaluate(undrawnSwatches)).toEqual([])
    await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: 'Last 7 days' }).click()
    await page.waitForURL('**/?range=7d')
    expect(await page.locator('main nav [aria-current]').allTextContents()).toEqual(['7 days'])
    const chart = page.getByRole('figure', { name: 'Events received' })
    // The hours of the last day stay until the new bars have arrived.
    await chart.filter({ hasNotText: /\d:00/ }).waitFor()
    const names = chart.getByRole('listitem')
    await names.filter({ hasText: /^No matching workflow12$/ }).waitFor()
    expect(await names.allTextContents()).toEqual(['Workflow started18', 'No matching workflow12', 'Rejected3'])
    // Buttons of several charts have different names, and the heads of all charts have one line.
    const tableButtons = page.getByRole('button', { name: /^Show (as table|chart): / })
    const labels = await tableButtons.evaluateAll(buttons => buttons.map(one => one.getAttribute('aria-label')))
    expect(labels).toEqual([
      'Show as table: Events received',
      'Show chart: Messages by latest status',
      'Show as table: Webhook attempts',
    ])
    expect(await page.getByText('Days in UTC').count()).toBe(3)
    const headings = await page.locator('figcaption').evaluateAll(heads =>
      heads.map(head => {
        const [title, toggle] = ['p', 'button'].map(one => head.querySelector(one)!.getBoundingClientRect())
        return Math.abs(title!.y + title!.height / 2 - toggle!.y - toggle!.height / 2) < 2
      }),
    )
    expect(headings).toEqual([true, true, true])
    // The titles of cards side by side have one height, and the cards end together.
    const [first, last] = await page.evaluate(() =>
      ['figcaption p', '#needs-attention'].map(found => {
        const title = document.querySelector(found)!.getBoundingClientRect()
        return title.y + title.height / 2
      }),
    )
    expect(first).toBeCloseTo(last!, 0)
    const bottoms = await page
      .locator('section:has(> figure), section:has(> #needs-attention)')
      .evaluateAll(cards => cards.slice(1).map(card => card.getBoundingClientRect().bottom))
    expect(bottoms).toEqual([bottoms[0]!, bottoms[0]!, bottoms[0]!])
    // Each total opens its list with the same time range.
    expect(
      await page
        .getByRole('region', { name: 'Totals, Last 7 days' })
        .getByRole('link')
        .evaluateAll(links => links.map(link => link.getAttribute('href'))),
    ).toEqual(['/events', '/workflows', '/messages', '/webhooks'].map(path => `${path}?range=7d`))
    // The chart is read by keyboard, and a bar opens its events.
    await chart.getByRole('group').focus()
    await page.keyboard.press('End')
    await chart
      .getByRole('status')
      .getByText(/^Workflow started: /)
      .waitFor()
    await page.getByRole('figure', { name: 'Webhook attempts' }).getByText('Failed').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/events\?since=.*&until=/)
    await untilFocused(page.getByRole('main'))
    await page.goto('/')
    const deliveries = page.getByRole('figure', { name: 'Webhook attempts' })
    await deliveries.getByText('Failed').first().waitFor()
    await deliveries.getByRole('group').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/outbound\?since=.*&until=/)
  })

  test('does not scroll while the page waits for the checklist, because nothing else is visible', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    // The page waits for as long as the test.
    await page.addInitScript(() => {
      const { setTimeout } = window
      window.setTimeout = ((action: TimerHandler, ms = 0, ...args: unknown[]) =>
        ms === 900 ? 0 : setTimeout(action, ms, ...args)) as typeof window.setTimeout
    })
    await page.route('**/v1/templates?limit=1', () => {})
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/')
      const home = page.getByRole('main').locator('[data-loading]')
      await home.waitFor()
      await home.getByRole('link', { includeHidden: true }).first().waitFor({ state: 'attached' })
      expect(await faultsOf(page)).toEqual([])
    }
  })

  test('shows the alerts while the checklist loads, and its error with a retry unless it is hidden', async () => {
    const { page } = await openDashboard(browser, world, '/')
    const templates = Promise.withResolvers<void>()
    await page.route('**/v1/templates?limit=1', async route => {
      await templates.promise
      // Only the retry succeeds. The page also repeats failed requests when its stream opens.
      const wasClicked = await page.evaluate(() => 'wasClicked' in window).catch(() => false)
      if (wasClicked) return route.continue()
      const error = { code: 'internal_error', message: 'Failed.' }
      await route.fulfill({ status: 500, json: { error, request_id: 'r' } })
    })
    await page.reload()
    await page.getByText(/^No open issues/).waitFor()
    expect(await page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
    templates.resolve()
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t load setup checklist' })
    await alert.waitFor()
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find(name => name.endsWith('home.checklist'))!
      dispatchEvent(new StorageEvent('storage', { key, newValue: '"hidden"', storageArea: localStorage }))
    })
    await alert.waitFor({ state: 'detached' })
    await page.reload()
    await alert.waitFor()
    await page.evaluate(() =>
      document.addEventListener('click', () => Object.assign(window, { wasClicked: true }), { capture: true }),
    )
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    expect(await alert.count()).toBe(0)
  })

  test.each([
    ['is complete', 2],
    ['is not complete', 1],
  ])('a checklist that loads slowly in a new browser moves nothing if it %s', async (_, memberCount) => {
    const { page } = await openDashboard(browser, world, '/templates')
    await page.evaluate(() => localStorage.clear())
    const templates = Promise.withResolvers<void>()
    const lists = ['api-keys', 'activity/events', 'channels', 'workflows', 'messages', 'webhooks'].map(
      name => `/v1/${name}`,
    )
    const answer = (length: number) => ({
      json: { data: Array(length).fill({ id: 'old', kind: 'person' }), nextCursor: null },
    })
    await page.route(
      url => lists.includes(url.pathname),
      route => route.fulfill(answer(1)),
    )
    await page.route('**/v1/members', route => route.fulfill(answer(memberCount)))
    await page.route('**/v1/templates?limit=1', async route => {
      await templates.promise
      await route.fulfill(answer(1))
    })
    await page.route('**/v1/webhooks/old/health', route =>
      route.fulfill({ json: { lastSuccessAt: '2020-01-01T00:00:00.000Z' } }),
    )
    await page.goto('/')
    const needs = page.getByRole('heading', { name: 'Needs attention' })
    const figure = page.getByRole('figure', { name: 'Webhook attempts' })
    await figure.waitFor()
    const before = await needs.boundingBox()
    templates.resolve()
    await page.waitForFunction(() => Object.keys(localStorage).some(name => name.endsWith('home.checklist')))
    const checklist = page.getByRole('region', { name: 'Get started' })
    if (memberCount === 1) {
      await checklist.waitFor()
      expect((await checklist.boundingBox())!.y).toBeGreaterThan((await figure.boundingBox())!.y)
    }
    expect(await checklist.count()).toBe(memberCount === 1 ? 1 : 0)
    expect(await needs.boundingBox()).toEqual(before)
    // The next visit has it at the top.
    await page.reload()
    await figure.waitFor()
    if (memberCount === 1) expect((await checklist.boundingBox())!.y).toBeLessThan((await needs.boundingBox())!.y)
  })

  test('ends the checklist by itself, and counts a delivery from before the statistics', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    const person = { kind: 'person' }
    let members = [person]
    const lists: Record<string, () => object[]> = {
      '/v1/members': () => members,
      '/v1/webhooks': () => [{ id: 'old' }],
    }
    for (const list of ['api-keys', 'activity/events', 'channels', 'templates', 'workflows', 'messages'])
      lists[`/v1/${list}`] = () => [{}]
    await page.route(
      url => url.pathname in lists,
      (route, request) =>
        route.fulfill({ json: { data: lists[new URL(request.url()).pathname]!(), nextCursor: null } }),
    )
    await page.route('**/v1/webhooks/old/health', route =>
      route.fulfill({ json: { lastSuccessAt: '2020-01-01T00:00:00.000Z' } }),
    )
    await page.goto('/')
    await page.getByText('7 of 8 done').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Receive your first webhook' })
      .getByText('Done')
      .waitFor({ state: 'attached' })
    members = [person, person]
    await page.reload()
    await page.getByRole('heading', { name: 'Setup complete' }).waitFor()
    await page.reload()
    await page
      .getByRole('link', { name: /^Events/ })
      .getByRole('img')
      .waitFor()
    expect(await page.getByText('Setup complete').count()).toBe(0)
    // A person who never had steps to do sees nothing of it.
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.waitForFunction(() => Object.values(localStorage).includes('"done"'))
    expect(await page.getByText('Setup complete').count()).toBe(0)
  })

  test('shows and removes alerts live', async () => {
    const { page } = await openDashboard(browser, world, '/')
    await page.getByText(/^No open issues/).waitFor()
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: 'https://till.example.com/hook', events: ['campaign.completed'], name: 'Till' },
    })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 1 })
    await page.getByText('1 delivery is queued for “Till”.').waitFor()
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    await page.getByText(/^No open issues/).waitFor()
  })

  test('updates alerts within 30 seconds while the stream is interrupted', async () => {
    const { page, context } = await openDashboard(browser, world, '/')
    await page.clock.install()
    await context.route('**/v1/stream', route => route.abort())
    await page.reload()
    await page.getByText(/^No open issues/).waitFor()
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
      body: { url: 'https://warehouse.example.com/hook', events: ['campaign.completed'], name: 'Warehouse' },
    })
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    await tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 1 })
    await eventually('it needs attention', async () => {
      const { data } = await world.expect(200, 'GET', '/v1/attention')
      return data.length > 0
    })
    await page.clock.fastForward(31_000)
    await page.getByRole('link', { name: '1 delivery is queued for “Warehouse”.' }).waitFor()
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  /** Opens an event from the search, which adds it to the search history. */
  const findEvent = async (page: Page, type: string) => {
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type, phone: '+12025550108' },
    })
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).fill(event.id)
    await page.getByRole('dialog').getByText(type).first().click()
    await page.waitForURL(`**/events/${event.id}`)
  }

  const searchFor = 'Search or go to…'
  const stored = (page: Page) => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))

  test('removes the stored data on a sign-out that another page sent', async () => {
    const token = await newSession(world)
    const { page } = await openDashboard(browser, world, '/docs', { token })
    await page.evaluate(() => sessionStorage.setItem('engagement-docs', '{"key":"ces_private"}'))
    expect(await page.evaluate(async () => (await fetch('/v1/auth/sign-out', { method: 'POST' })).status)).toBe(204)
    await page.waitForFunction(() => sessionStorage.length === 0)
  })

  test('removes the credentials of the docs when the session ends elsewhere, and on a sign-in', async () => {
    const token = await newSession(world)
    const { page } = await openDashboard(browser, world, '/', { token })
    const store = () => page.evaluate(() => sessionStorage.setItem('engagement-docs', '{"key":"ces_private"}'))
    const attention = page.getByRole('heading', { name: 'Needs attention' })
    await attention.waitFor()
    await store()
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: { Authorization: `Bearer ${token}` } })
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await stored(page)).not.toContain('ces_private')
    await store()
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await attention.waitFor()
    expect(await stored(page)).not.toContain('ces_private')
  })

  test('keeps the search history separate for each person', async () => {
    const { page, context } = await openDashboard(browser, world, '/', { token: await newSession(world) })
    await findEvent(page, 'cart.mine')
    await context.addCookies([{ name: 'session', value: await agentOf(world), url: world.url }])
    await page.goto('/')
    await page.getByRole('button', { name: 'You: Kim' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).waitFor()
    expect(await page.getByRole('dialog').getByText('cart.mine').count()).toBe(0)
  })

  test('reports a search and a sign-out without a response, and removes the stored data on sign-out', async () => {
    const opened = await openDashboard(browser, world, '/', { token: await newSession(world) })
    const { page, context } = opened
    await findEvent(page, 'cart.private')
    await page.evaluate(() => sessionStorage.setItem('engagement-docs', '{"key":"ces_private"}'))
    await page.keyboard.press('Control+k')
    const found = page.getByRole('dialog')
    await page.getByPlaceholder(searchFor).waitFor()
    const refusal = { error: { code: 'rate_limited', message: 'Too many calls for now.' }, request_id: 'none' }
    const refuse = { status: 429, headers: { 'Retry-After': '60' }, json: refusal }
    const refused = '**/v1/{search,auth/sign-out}**'
    await context.route(refused, route => route.fulfill(refuse))
    await page.getByPlaceholder(searchFor).fill('Ana')
    await found.getByRole('alert').getByText('Too many calls for now.').waitFor()
    expect(await found.getByText('No results').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^You:/ }).click()
    const signOut = page.getByRole('menuitem', { name: 'Sign out' })
    await signOut.click()
    await page.getByRole('alert').getByText('Too many calls for now.').waitFor()
    expect(await stored(page)).toContain('cart.private')
    await context.unroute(refused)
    await signOut.click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await stored(page)).not.toContain('private')
    expectQuiet(opened, /4(01|29)/)
  })

  test('opens the page of an id pasted into the search, and finds pages by the beginning of their title', async () => {
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'cart.left', phone: '+12025550107' },
    })
    const { page } = await openDashboard(browser, world, '/')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).fill(event.id)
    await page.getByRole('dialog').getByText('cart.left').first().click()
    await page.waitForURL(`**/events/${event.id}`)
    // Enter pressed before the results arrive opens the first result.
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).fill(event.id)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/events/${event.id}`)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).fill('Ev')
    await page.getByRole('dialog').getByRole('option', { name: 'Events', exact: true }).click()
    await page.waitForURL('**/events')
  })

  test('offers to search the messages, last in the search', async () => {
    const { page } = await openDashboard(browser, world, '/')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(searchFor).fill('Sales')
    const options = page.getByRole('dialog').getByRole('option')
    await options.last().getByText('Search messages for “Sales”').waitFor()
    expect(await options.first().getAttribute('aria-selected')).toBe('true')
    expect(await page.getByText('No results for').count()).toBe(0)
    await page.getByPlaceholder(searchFor).fill('parcel lost')
    await page.getByText('No results for “parcel lost”.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\?q=parcel/)
    await page.getByText('No messages match these filters.').waitFor()
  })

  test('shows rejected events and event types without listeners, with links to their lists', async () => {
    const { page } = await openDashboard(browser, world, '/')
    await world.call('POST', '/v1/events', { as: 'key', body: { type: 'order.paid' } })
    const body = { type: 'order.shipped', phone: '+4915112345678' }
    const send = (type: string) => world.expect(201, 'POST', '/v1/events', { as: 'key', body: { ...body, type } })
    for (const type of ['order.shipped', 'order.sent', 'order.lost', 'order.found']) await send(type)
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await needs.getByText('Events rejected').waitFor()
    await needs.getByText('The most common error is in the field “phone” of the event.').waitFor()
    await needs.getByText('No matching workflow').first().waitFor()
    expect(await page.getByText('All systems normal').count()).toBe(0)
    // Each row says where it leads, and all of it is the link.
    const showAll = (page: Page) => page.getByRole('button', { name: /^Show all \d+$/ }).click()
    await showAll(page)
    // The mouse is still on the button.
    expect(await faultsOf(page)).toEqual([])
    const unhandled = needs.getByRole('listitem').filter({ hasText: 'No workflow that is on handles “order.shipped”.' })
    const action = unhandled.getByRole('link')
    await action.getByText('New workflow', { exact: true }).waitFor()
    await unhandled.click({ position: { x: 60, y: 16 } })
    await page.getByRole('dialog', { name: 'New workflow' }).waitFor()
    expect(new URL(page.url()).search).toBe('?new=order.shipped')
    const definition = { trigger: { eventType: 'order.shipped' }, start: 'end', steps: { end: { type: 'exit' } } }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Shipped', definition } })
    // Without an answer, the row does not say that there is no workflow.
    const workflows = '**/v1/workflows?triggerType=order.shipped*'
    const answered = Promise.withResolvers<void>()
    await page.route(workflows, async route => {
      await answered.promise
      await route.fulfill({ status: 422, json: { error: { code: 'unprocessable', message: 'No.' }, request_id: 'r' } })
    })
    await page.goto('/')
    await showAll(page)
    await unhandled.waitFor()
    expect(await action.count()).toBe(0)
    answered.resolve()
    await action.getByText('View events').waitFor()
    await page.unroute(workflows)
    await page.goto('/')
    await showAll(page)
    await action.getByText('View workflow').click()
    await page.waitForURL(`**/workflows/${id}`)
    const agent = await openDashboard(browser, world, '/', { token: await agentOf(world) })
    const events = agent.page.getByRole('link', {
      name: /^View events No workflow that is on handles “order\.sent”\.$/,
    })
    await showAll(agent.page)
    await events.click()
    await agent.page.getByRole('row', { name: /order\.sent/ }).waitFor()
    expect(new URL(agent.page.url()).search).toBe('?type=order.sent')
    await page.goto('/')
    // The alert and the chart of the same hours have one number.
    const { data } = await world.expect(200, 'GET', '/v1/activity/summary')
    const count = data.reduce((sum: number, { refused }: { refused: number }) => sum + refused, 0)
    const name = new RegExp(`^View rejected events ${count} events? w(as|ere) rejected in the last 24 hours\\.$`)
    await needs.getByRole('link', { name }).click()
    await page.waitForURL('**/not-accepted?range=24h')
    await page.getByRole('row').filter({ hasText: 'phone' }).first().waitFor()
  })
})
