/** What axe-core finds on a page as it is: one line for each fault, with the first element it was found on. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// The page allows no script of elsewhere: what a debugger evaluates is none.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const faultsOf = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(source)
  // Of what is in order nothing is gathered or sent: half of the time.
  const violations = (await page.evaluate(
    `axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    }).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} (${nodes[0]?.any[0]?.message ?? nodes.length})`,
  )
}
