/** Runs axe-core on a page as it is. Reports one line for each violation, with the first element that has it. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// The page's policy forbids scripts from other origins. Code that a debugger evaluates is exempt.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Rules whose result depends on the theme. All other rules give the same result in both themes. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** Returns the violations in the page's current theme. Rules that depend on colours also run in the other theme. */
export const faultsOf = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(source)
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const found = await violationsOf(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  await show(page, other)
  const foundInOther = await violationsOf(page, ofColours)
  await show(page, own)
  return [...found.map(fault => `${own}: ${fault}`), ...foundInOther.map(fault => `${other}: ${fault}`)]
}

/** Returns the first button or link that is smaller than 24 px, unless there is as much space around it. */
export const smallTargetsOf = (page: Page): Promise<string[]> => violationsOf(page, ['target-size'])

const show = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  // Waits until the page is drawn and all colour transitions have finished.
  await page.evaluate(
    `new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => Promise.allSettled(
      document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished)))`,
  )
}

const violationsOf = async (page: Page, runOnly: string[]): Promise<string[]> => {
  // Passed rules would double the time. The selectors of elements and the style sheets that `preload` reads for other
  // rules would add a third.
  const options = { runOnly, resultTypes: ['violations'], selectors: false, preload: false }
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} (${nodes[0]?.any[0]?.message ?? nodes.length})`,
  )
}
