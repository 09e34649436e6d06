/** What axe-core finds on a page as it is: one line for each fault, with the first element it was found on. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// The page allows no script of elsewhere: what a debugger evaluates is none.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What they tell of depends on the theme; all else that axe looks at is the same in both. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** In the theme that the page has by the choice of its system, and of what depends on colours in the other one too. */
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

const show = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  // Once it is drawn, and whatever changes its colour by and by has done so.
  await page.evaluate(
    `new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => Promise.allSettled(
      document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished)))`,
  )
}

const violationsOf = async (page: Page, runOnly: string[]): Promise<string[]> => {
  // Of what is in order nothing is gathered or sent: half of the time.
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} (${nodes[0]?.any[0]?.message ?? nodes.length})`,
  )
}
