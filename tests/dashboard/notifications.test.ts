/** Notifications cover no control of any page, panel or dialog, and move nothing, in a real browser if one is available. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { fill, type Ids, openShowcase } from '../support/browser/showcase.ts'
import { use } from '../support/use.ts'

setDefaultTimeout(120_000)

const zones: Record<number, string> = { 1440: 'Lisbon', 1441: 'Oslo', 1024: 'Rome', 360: 'Madrid', 361: 'Vienna' }

const toastOf = (page: Page) => page.locator('.mantine-Notification-root').first()

/** Saves another time zone. The timer that closes its notification never fires. */
const showToast = async (page: Page, zone: string): Promise<void> => {
  await page.evaluate(() => {
    const { setTimeout } = window
    window.setTimeout = ((does: TimerHandler, ms = 0, ...of: unknown[]) =>
      ms === 4000 ? 0 : setTimeout(does, ms, ...of)) as typeof window.setTimeout
  })
  await page.getByRole('combobox', { name: 'Time zone' }).fill(zone)
  await page.getByRole('option', { name: zone }).click()
  await toastOf(page).waitFor()
}

/** Navigates within the application, so that the notification stays. */
const visit = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(to => history.pushState({}, '', to), path)
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('h1')].some(one => one.checkVisibility()) &&
      document.querySelector('main .mantine-Skeleton-root, main [aria-busy=true]') === null,
  )
}

/** Returns the controls of which a part is under the notification, and `window` if the notification is outside of it. */
const coveredBy = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const toast = document.querySelector('.mantine-Notification-root') as HTMLElement
    const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=row], [tabindex="0"]'
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const found = new Set<string>()
    if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) found.add('window')
    const root = toast.closest<HTMLElement>('.mantine-Notifications-root')!
    root.style.visibility = 'hidden'
    for (let x = left; x < right; x += 4)
      for (let y = top; y < bottom; y += 4) {
        const control = document.elementFromPoint(x, y)?.closest<HTMLElement>(controls)
        if (control)
          found.add(control.getAttribute('aria-label') ?? control.textContent.slice(0, 40) ?? control.tagName)
      }
    root.style.visibility = ''
    return [...found]
  })

/** Returns the parts of the page and of the navigation that are elsewhere, or have another size, because of the notification. */
const movedBy = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>('main, main *, nav, nav *')].filter(
      one => one.checkVisibility() && !one.closest('svg'),
    )
    const positions = () => parts.map(one => JSON.stringify(one.getBoundingClientRect()))
    const root = document
      .querySelector('.mantine-Notification-root')!
      .closest<HTMLElement>('.mantine-Notifications-root')!
    const shown = positions()
    root.style.display = 'none'
    const without = positions()
    root.style.display = ''
    // The navigation scrolls if it is higher than its space.
    return parts
      .filter((one, index) => shown[index] !== without[index] && !one.matches('header > nav'))
      .map(one => `${one.tagName} ${one.textContent.slice(0, 40)}`)
  })

describe.skipIf(browserPath === null)('a notification', () => {
  const stage = use(() => openShowcase())
  const browser = useBrowser()
  let ids: Ids
  beforeAll(async () => {
    ids = await fill(stage)
  })

  test.each([1440, 1024, 360])('covers no control and moves nothing at a width of %i px', async width => {
    const { page } = await openDashboard(browser, stage.world, '/account', { width })
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor()
    await showToast(page, zones[width]!)
    const faults: Record<string, string[]> = {}
    const check = async (path: string) => {
      faults[path] = [...(await coveredBy(page)), ...(await movedBy(page))]
    }
    await check('/account')
    for (const path of [
      '/',
      '/customers',
      `/customers/${ids.customer}`,
      `/inbox/${ids.conversation}`,
      `/workflows/${ids.winBack}`,
      `/workflows/${ids.winBack}?step=answer`,
      `/campaigns/${ids.campaign}`,
      `/events/${ids.event}`,
      `/webhooks/${ids.webhook}/deliveries/${ids.delivery}`,
      '/settings/workspace',
    ]) {
      await visit(page, path)
      await check(path)
    }
    await toastOf(page).getByRole('button', { name: 'Close' }).click()
    expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([])
  })

  test.each([1440, 360])('covers no control of a dialog at a width of %i px', async width => {
    const { page } = await openDashboard(browser, stage.world, '/account', { width })
    await showToast(page, zones[width + 1]!)
    await page.setViewportSize({ width, height: 480 })
    for (const path of ['/api-keys/new', '/workflows?new=', '/team?new=true']) {
      await visit(page, path)
      await page.getByRole('dialog').waitFor()
      expect([path, await coveredBy(page)]).toEqual([path, []])
    }
  })
})
