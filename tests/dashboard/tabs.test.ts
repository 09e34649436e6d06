/** Tests of several tabs, several workspaces and ended sessions. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, button, expectQuiet, newSession, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('in a browser', () => {
  const world = useWorld({}, { liveFeedLimits: { accessCheckMs: 200 } })
  const browser = useBrowser()
  /** Headers for the workspace that the owner joined second. */
  let other: Record<string, string>
  let conversation: string
  beforeAll(async () => {
    // A stream with an ended session is closed within 200 ms.
    const sandbox = await world.sandbox()
    const body = { from: '+12025550301', name: 'Dora', text: 'Is it there in blue?', type: 'text' }
    const written = await world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, { body })
    conversation = written.conversationId
    other = await world.otherOwner()
    const invited = { email: world.owner.email, role: 'agent' }
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { as: other, body: invited })
    const token = invitation.url.split('#token=')[1]
    await world.expect(200, 'POST', '/v1/auth/accept-invitation', { body: { token } })
  })

  const record = (as: Record<string, string> | 'owner', type: string) =>
    world.expect(201, 'POST', '/v1/events', { as, body: { type, phone: '+12025550302' } })
  const go = (page: Page, to: string) => page.getByRole('link', { name: to, exact: true }).first().click()
  const event = (page: Page, type: string) => page.getByRole('link', { name: type, exact: true })
  const switchTo = async (page: Page, from: string, to: string) => {
    await page
      .getByRole('button', { name: new RegExp(from) })
      .first()
      .click()
    await page.getByRole('menuitem', { name: to, exact: true }).click()
    await page
      .getByRole('button', { name: new RegExp(to) })
      .first()
      .waitFor()
  }
  const end = (token: string) =>
    world.expect(204, 'POST', '/v1/auth/sign-out', { as: { Authorization: `Bearer ${token}` } })
  /** Simulates a return to the window. */
  const look = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const lost = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
  const signIn = async (page: Page) => {
    await lost(page).getByLabel('Password', { exact: true }).fill(world.owner.password)
    await button(lost(page), 'Sign in').click()
    await lost(page).waitFor({ state: 'detached' })
  }

  test('keeps the workspace of a tab when another tab chooses a different one', async () => {
    await record('owner', 'of.the.first')
    await record(other, 'of.the.second')
    const opened = await openDashboard(browser, world, '/events', { token: await newSession(world) })
    const { page: first, context } = opened
    await event(first, 'of.the.first').waitFor()
    const second = await context.newPage()
    await second.goto('/events')
    await event(second, 'of.the.first').waitFor()
    await switchTo(second, 'Shop', 'Other')
    await go(second, 'Events')
    await event(second, 'of.the.second').waitFor()
    await record(other, 'later.in.the.second')
    await event(second, 'later.in.the.second').waitFor()

    await go(first, 'Customers')
    await first.getByRole('link', { name: 'Dora' }).first().waitFor()
    await record('owner', 'later.in.the.first')
    await go(first, 'Events')
    await event(first, 'later.in.the.first').waitFor()
    expect(await event(second, 'later.in.the.first').count()).toBe(0)
    expectQuiet(opened)
  })

  test('shows what changed between the fetch of a list and the opening of its page', async () => {
    const opened = await openDashboard(browser, world, '/customers', { token: await newSession(world) })
    const { page, context } = opened
    const second = await context.newPage()
    await second.goto('/events')
    await second.getByRole('table', { name: 'Events' }).waitFor()
    await page.bringToFront()
    const fetched = page.waitForResponse(answer => new URL(answer.url()).pathname === '/v1/activity/events')
    await page.getByRole('link', { name: 'Events', exact: true }).first().hover()
    await fetched
    await record('owner', 'since.the.fetch')
    await event(second, 'since.the.fetch').waitFor()
    await go(page, 'Events')
    // Later, the list would be fetched again in any case.
    await event(page, 'since.the.fetch').waitFor({ timeout: 4_000 })
    expectQuiet(opened)
  })

  test('reports an ended session live over open dialogs, and needs one sign-in for two tabs', async () => {
    const token = await newSession(world)
    const opened = await openDashboard(browser, world, `/inbox/${conversation}`, { token })
    const { page, context } = opened
    const second = await context.newPage()
    await second.goto('/events')
    await second.getByRole('table', { name: 'Events' }).waitFor()
    await button(page, 'Record sale').click()
    const sale = page.getByRole('dialog', { name: /^Record sale for/ })
    await sale.getByLabel('Amount').fill('12.5')
    await end(token)
    await lost(page).waitFor()
    await lost(second).waitFor()
    await page.keyboard.press('Escape')
    await signIn(page)
    expect(await sale.getByLabel('Amount').inputValue()).toBe('12.5')
    await second.bringToFront()
    await look(second)
    await lost(second).waitFor({ state: 'detached' })
    expectQuiet(opened, /401/)
  })

  test('closes the stream of a hidden tab and loads the missed changes when it is shown again', async () => {
    const opened = await openDashboard(browser, world, '/events', { token: await newSession(world) })
    const { page } = opened
    await page.getByRole('table', { name: 'Events' }).waitFor()
    const isStream = (asked: Request) => asked.url().endsWith('/v1/stream')
    // A tab that is hidden before its stream is open has no stream to close. The page before must not answer for it.
    await page.goto('about:blank')
    const live = page.waitForResponse(answer => isStream(answer.request()))
    await page.goto('/events')
    await live
    const show = (state: DocumentVisibilityState) =>
      page.evaluate(state => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      }, state)
    const missWhileHidden = async (type: string) => {
      const closed = page.waitForEvent('requestfailed', isStream)
      await show('hidden')
      await closed
      await record('owner', type)
      const again = page.waitForRequest(isStream)
      await show('visible')
      expect((await again).headers()).toHaveProperty('last-event-id')
      await event(page, type).waitFor()
    }
    await missWhileHidden('before.any')
    await record('owner', 'heard.of')
    await event(page, 'heard.of').waitFor()
    await missWhileHidden('of.meanwhile')
    await page.getByText('Live updates are interrupted').waitFor({ state: 'detached' })
    expectQuiet(opened)
  })

  test('shows only their own data to another person who signs in, in this or another tab', async () => {
    const token = await newSession(world)
    const opened = await openDashboard(browser, world, '/audit', { token })
    const { page, context } = opened
    await page.getByRole('table', { name: 'Audit log' }).waitFor()
    await context.addCookies([{ name: 'session', value: await agentOf(world), url: world.url }])
    await look(page)
    await page.getByText('Only workspace owners can view the audit log.').waitFor()
    await page.getByRole('link', { name: 'API keys' }).first().waitFor({ state: 'detached' })

    // A person from another workspace, without access to the current workspace of this tab.
    await context.addCookies([{ name: 'session', value: await newSession(world), url: world.url }])
    await look(page)
    await page.getByRole('table', { name: 'Audit log' }).waitFor()
    const stranger = (await world.otherOwner()).Authorization!.slice('Bearer '.length)
    await context.addCookies([{ name: 'session', value: stranger, url: world.url }])
    await look(page)
    await page.getByRole('banner').getByText('Other', { exact: true }).waitFor()
    expect(await page.getByText('Shop', { exact: true }).count()).toBe(0)
    expectQuiet(opened, /40[134]/)
  })
})
