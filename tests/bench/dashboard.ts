/** Measures the waiting times of a dashboard user, in the browser that the tests use. */
import type { Page } from 'playwright-core'
import { browserPath, TestBrowser } from '../support/browser/browser.ts'
import { type FirstView, firstViewOf } from '../support/browser/dashboard.ts'
import type { Environment } from './environment.ts'
import { each, type Figure, figure, median } from './figures.ts'
import { shopOf } from './ingest.ts'

export const aboutDashboard =
  'Chromium as the tests use it, without a window, in a workspace with 10,000 events stored. First view: to the largest contentful paint in an empty profile, and the compressed size of what arrived until then. First rows: from the click in the navigation, in a profile that has shown Home for a second, to the paint that shows them. Interactions: as the Event Timing API tells them, to the next paint, in steps of 8 ms; what took less than 16 ms is not told and counts as 16.'

const events = 10_000
const firstRowsGoal = 150
const firstViewGoal = 1000
const firstViewKbGoal = 300
const interactionGoal = 100

/** Measures the dashboard; `quick` takes fewer samples. Returns no figures if no browser can start. */
export const measureDashboard = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  if (browserPath === null) return []
  const shop = await shopOf(environment)
  await shop.addStored(events)
  await environment.sql`analyze`
  const workflows = await shop.call('GET', '/v1/workflows')
  const browser = await TestBrowser.start()
  try {
    const open = () => opened(browser, environment.service.url, shop.owner.token)
    const rounds = quick ? 5 : 20
    return [...(await firstRows(open, rounds)), ...(await interactions(await open(), workflows.data[0].id, rounds))]
  } finally {
    await browser.stop()
  }
}

/** Opens a page of a signed-in user in a new profile. */
const opened = async (browser: TestBrowser, url: string, token: string): Promise<Page> => {
  const { page, context } = await browser.open(url, { viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(60_000)
  await context.addCookies([{ name: 'session', value: token, url }])
  return page
}

const firstRows = async (open: () => Promise<Page>, rounds: number): Promise<Figure[]> => {
  const fresh: number[] = []
  const again: number[] = []
  const views: FirstView[] = []
  // The first load makes the service read and compress the files. It happens only once, so it is not counted.
  for (let round = 0; round <= rounds; round++) {
    const page = await open()
    await page.goto('/')
    await isQuiet(page)
    const view = await firstViewOf(page)
    const first = await fromClickToRows(page)
    await page.getByRole('link', { name: 'Home' }).first().click()
    await isQuiet(page)
    const second = await fromClickToRows(page)
    if (round > 0) {
      views.push(view)
      fresh.push(first)
      again.push(second)
    }
    await page.context().close()
  }
  const goal = median.atMost(firstRowsGoal)
  return [
    figure('dashboard', 'first view of Home, cold', 'ms', each(views, 'ms'), null, median.atMost(firstViewGoal)),
    figure(
      'dashboard',
      'loaded for it, compressed',
      'KB',
      each(views, 'kilobytes'),
      null,
      median.atMost(firstViewKbGoal),
    ),
    figure('dashboard', `first rows of Events, ${events} stored`, 'ms', fresh, null, goal),
    figure('dashboard', 'the same, when somebody comes back to it', 'ms', again),
  ]
}

/** Waits until deferred resources are loaded and no request is open. */
const isQuiet = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('figure', { name: 'Events received' }).waitFor()
  await page.evaluate(`new Promise(resolve => requestIdleCallback(() => setTimeout(resolve, 1000)))`)
}

/**
 * Measures in the page, whose clock also times its events. The contents of a frame are painted when the next task
 * begins.
 */
const fromClickToRows = async (page: Page): Promise<number> => {
  await page.evaluate(`void (globalThis.firstRows = new Promise(resolve => {
    const painted = from => requestAnimationFrame(() => {
      if (!document.querySelector('[role=row][aria-rowindex]')) return painted(from)
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now() - from)
      channel.port2.postMessage(null)
    })
    addEventListener('click', event => painted(event.timeStamp), { capture: true, once: true })
  }))`)
  await page.getByRole('link', { name: 'Events', exact: true }).first().click()
  return page.evaluate<number>('globalThis.firstRows')
}

const interactions = async (page: Page, workflowId: string, rounds: number): Promise<Figure[]> => {
  const measured = async (name: string, act: (round: number) => Promise<void>, after: () => Promise<void>) => {
    const times: number[] = []
    // The first round also loads resources. It was measured above.
    for (let round = 0; round <= rounds; round++) {
      await page.evaluate('void (globalThis.interactions = [])')
      await act(round)
      const told = await interactionsOf(page)
      if (round > 0) times.push(...told)
      await after()
    }
    return figure('dashboard', `${name}, to the next paint`, 'ms', times, null, median.atMost(interactionGoal))
  }
  await page.addInitScript(`
    globalThis.interactions = []
    new PerformanceObserver(list => globalThis.interactions.push(...list.getEntries()))
      .observe({ type: 'event', durationThreshold: 16 })`)
  await page.goto('/events')
  const rows = page.locator('[role=row][aria-rowindex]')
  await rows.first().waitFor()
  const panel = page.getByRole('heading', { name: 'Payload' })
  const openRow = async (round: number) => {
    const cells = rows.nth(round % 10).getByRole('cell')
    await cells.last().click()
    await panel.waitFor()
  }
  const closeRow = async () => {
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  }
  const row = await measured('a row is opened', openRow, closeRow)
  const type = page.getByRole('combobox', { name: 'Event type' })
  const typeKey = async () => {
    await type.press('o')
    await page.waitForFunction(`document.querySelector('[aria-label="Event type"]').value === 'o'`)
  }
  const clear = async () => {
    await type.fill('')
    await page.keyboard.press('Escape')
    await rows.first().waitFor()
  }
  const filter = await measured('a key is typed in a filter', typeKey, clear)
  await page.goto(`/workflows/${workflowId}`)
  await page.getByRole('link', { name: 'Runs', exact: true }).waitFor()
  const show = async (name: string, view: string) => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL(`**view=${view}**`)
  }
  const tabs = await measured(
    'another view of a workflow',
    () => show('JSON', 'json'),
    () => show('Runs', 'runs'),
  )
  return [row, filter, tabs]
}

/** Returns the longest event of each interaction so far. An interaction too short to be reported counts as 16 ms. */
const interactionsOf = async (page: Page): Promise<number[]> => {
  // The browser reports entries after the paint that ends them.
  await page.evaluate('new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 200)))')
  const entries = await page.evaluate<{ interactionId: number; duration: number }[]>(
    'globalThis.interactions.map(({ interactionId, duration }) => ({ interactionId, duration }))',
  )
  const longest = new Map<number, number>()
  for (const { interactionId, duration } of entries)
    if (interactionId !== 0) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0))
  return longest.size === 0 ? [16] : [...longest.values()]
}
