/**
 * The components in every state, with axe in both themes. `SCREENSHOTS=all` covers every width and theme, and writes
 * screenshots to `.data/screenshots/states-*.png`.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath, TestBrowser } from '../support/browser/browser.ts'
import { serveStates } from '../support/browser/states.ts'
import { use } from '../support/use.ts'

setDefaultTimeout(120_000)

const folder = join(import.meta.dirname, '../../.data/screenshots')
const isPictured = process.env.SCREENSHOTS === 'all'
const looks = [
  [1440, 'light'],
  [360, 'dark'],
  ...(isPictured
    ? ([
        [1440, 'dark'],
        [360, 'light'],
      ] as const)
    : []),
] as const

/** An open menu is outside of the landmarks, because it is drawn above the page. It takes the focus, so it is found. */
const known = [/^(menu|time-range): \w+: region: /]

/** Actions that bring a component into its state. */
const acts: Record<string, (page: Page) => Promise<void>> = {
  'confirm-failed': page => page.getByRole('button', { name: 'Delete' }).click(),
  'form-dialog': page => page.getByRole('button', { name: 'Add' }).click(),
  'half-typed': page => page.getByRole('button', { name: 'Edit Name' }).click(),
  'list-selected': page => page.getByRole('checkbox').nth(2).check(),
  charts: async page => {
    await page.getByRole('button', { name: 'Show as table' }).last().click()
    await page.getByRole('application').or(page.locator('[tabindex="0"]')).first().press('End')
  },
}

/** Waits for two frames, because components that measure themselves render again. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )

describe.skipIf(browserPath === null)('the components', () => {
  const states = use(() => serveStates())
  const browser = use(TestBrowser.start)

  test('render in every state without faults and axe violations, in both themes and widths', async () => {
    mkdirSync(folder, { recursive: true })
    const { page, complaints, elsewhere } = await browser.open(states.url, { reducedMotion: 'reduce' })
    page.setDefaultTimeout(10_000)
    await page.goto('/')
    await page.locator('[data-state]').first().waitFor()
    const names = await page.locator('[data-state]').evaluateAll(links => links.map(link => link.textContent!))
    expect(names.length).toBeGreaterThan(20)
    const faults: string[] = []
    for (const name of names) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`/?state=${name}`)
      await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor({ state: 'attached' })
      await acts[name]?.(page)
      faults.push(...(await faultsOf(page)).map(fault => `${name}: ${fault}`))
      for (const [width, colorScheme] of looks) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await drawn(page)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (overflow > 0) faults.push(`${name}: is ${overflow} px too wide at ${width} px`)
        if (isPictured)
          await page.screenshot({ path: join(folder, `states-${name}-${width}-${colorScheme}.png`), fullPage: true })
      }
    }
    const others = faults.filter(fault => !known.some(pattern => pattern.test(fault)))
    expect([others, complaints, elsewhere]).toEqual([[], [], []])
  })
})
