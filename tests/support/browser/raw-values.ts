/** Finds ids and times in their form for programs within the sentences of a page. */
import type { Page } from 'playwright-core'

/**
 * Returns the visible sentences that contain a UUID or an ISO 8601 time. A value that stands alone, data in `code` and
 * `pre`, and what a person typed are no sentences.
 */
export const rawValuesIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const raw = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d/i
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (!raw.test(text) || !/\s/.test(text) || !element?.checkVisibility()) continue
      if (element.closest('code, pre, textarea, script, style, [role="tree"]')) continue
      found.add(`has a raw value in “${text.slice(0, 160)}”`)
    }
    return [...found]
  })
