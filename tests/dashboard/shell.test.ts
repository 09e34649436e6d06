/** Tests of the layout around every page of the dashboard, in a real browser if one is available. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { expectQuiet, isWithinTheWindow, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { eventually, startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

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
      const answer = await fetch(`${world.url}${path}`, { headers: { 'Accept-Encoding': 'gzip' } })
      expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, 'gzip'])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      bytes += gzipSync(await answer.arrayBuffer()).length
    }
    expect(bytes).toBeLessThan(300_000)
  })
})

describe.skipIf(browserPath === null)('in a browser', () => {
  const browser = useBrowser()
  beforeAll(async () => {
    await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: {
        type: 'order.created',
        phone: '+12025550101',
        name: '<b>Ana</b> & co',
        data: { total: 12, note: '<i>x</i>' },
      },
    })
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
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    const shifts = await page.evaluate<number[]>('shifts')
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05)
  })

  /** The browser logs the expected 401 before the sign-in. */
  const withoutFirst401 = (complaints: string[]) => complaints.filter(text => !text.includes('401'))

  test('returns to a shared address after the sign-in', async () => {
    const { page, complaints, elsewhere } = await browser.open(world.url)
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
    expect(withoutFirst401(complaints)).toEqual([])
    expect(elsewhere).toEqual([])
  })

  test('has no axe violations on a list and its panel, in both themes', async () => {
    const { page, complaints } = await openDashboard(browser, world, '/events')
    await page.getByRole('link', { name: 'order.created' }).click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('shows markup in names and data as text', async () => {
    const { page } = await openDashboard(browser, world, '/events')
    await page.getByText('<b>Ana</b> & co').waitFor()
    await page.getByRole('link', { name: 'order.created' }).click()
    await page.getByText('<i>x</i>').waitFor()
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

  test('reads search parameters as text and ignores invalid values', async () => {
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: '1', phone: '+12025550108' } })
    const draft = { trigger: { eventType: 'a.b' }, start: 'end', steps: { end: { type: 'exit', reason: 'done' } } }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Nonsense', definition: draft } })
    const opened = await openDashboard(browser, world, '/events?type=1')
    const { page } = opened
    await page.getByRole('link', { name: '1', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'order.created' }).count()).toBe(0)
    await page.goto(`/workflows/${id}?view=nonsense`)
    await page.getByRole('button', { name: 'Save draft' }).waitFor()
    await page.goto('/outbound?type=nonsense')
    await page.getByRole('heading', { name: 'No webhook events yet' }).waitFor()
    expectQuiet(opened)
  })

  test('does not return to the sign-in form with the back button', async () => {
    const { page } = await browser.open(world.url)
    await page.goto('/customers')
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Customers' }).waitFor()
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  test('shows an error for an unknown address next to the navigation', async () => {
    const { page } = await openDashboard(browser, world, '/nothing-is-here')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('link', { name: 'order.created' }).waitFor()
  })

  test('recovers on a page without live updates once the server answers', async () => {
    const { page } = await openDashboard(browser, world, '/account')
    await page.getByText('This device').waitFor()
    // Pages that do not poll.
    await page.clock.install()
    await page.route(/\/v1\/(?!stream)/, route => route.abort())
    await page.getByRole('link', { name: 'Plan', exact: true }).click()
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    const failure = page.getByRole('alert', { name: 'Something went wrong' })
    await eventually('an error message is shown', async () => {
      await page.clock.fastForward(4_000)
      return (await failure.count()) > 0
    })
    await page.unroute(/\/v1\/(?!stream)/)
    await eventually('the error message is gone', async () => {
      await page.clock.fastForward(30_000)
      return (await failure.count()) === 0
    })
  })

  test('fits the width of a phone', async () => {
    const { page } = await openDashboard(browser, world, '/events', { width: 360 })
    await page.getByRole('link', { name: 'order.created' }).waitFor()
    expect(await isWithinTheWindow(page)).toBe(true)
  })

  test('asks for a sign-in over the page when the session ends, and keeps the page', async () => {
    const { token } = await world.expect(200, 'POST', '/v1/auth/sign-in', {
      as: 'nobody',
      body: { email: world.owner.email, password: world.owner.password },
    })
    const { page } = await openDashboard(browser, world, '/events', { token })
    await page.getByRole('link', { name: 'order.created' }).waitFor()
    await page.getByRole('combobox', { name: 'Event type' }).fill('order')
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: { Authorization: `Bearer ${token}` } })
    // The person returns to the window.
    await page.evaluate("dispatchEvent(new Event('focus'))")
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('combobox', { name: 'Event type' }).inputValue()).toBe('order')
  })
})
