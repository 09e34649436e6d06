/** Dashboard pages of a signed-in user. */
import { afterEach, expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { use } from '../use.ts'
import type { World } from '../world.ts'
import { TestBrowser, type WatchedPage } from './browser.ts'

/** Returns a browser for the tests of a file or of a `describe`. The pages of a test close after it. */
export const useBrowser = (): TestBrowser => {
  const browser = use(TestBrowser.start)
  afterEach(() => browser.stop())
  return browser
}

export interface Look {
  scheme?: 'light' | 'dark'
  width?: number
  /** Session token. Defaults to the owner's. */
  token?: string
}

/** Opens an address of the dashboard in a new profile. Errors are collected in `complaints`. */
export const openDashboard = async (
  browser: TestBrowser,
  world: World,
  path: string,
  { scheme = 'light', width = 1280, token = world.owner.token }: Look = {},
): Promise<WatchedPage> => {
  const opened = await browser.open(world.url, {
    colorScheme: scheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  await opened.context.addCookies([{ name: 'session', value: token, url: world.url }])
  opened.page.setDefaultTimeout(30_000)
  await opened.page.goto(path)
  return opened
}

export interface FirstView {
  /** From the start of the navigation to the largest contentful paint. */
  ms: number
  /** Compressed size of the page, and of everything that arrived before that paint. */
  kilobytes: number
}

/** Measures the view with which the page began. */
export const firstViewOf = (page: Page): Promise<FirstView> =>
  page.evaluate<FirstView>(`new Promise(resolve => new PerformanceObserver(list => {
    const ms = list.getEntries().at(-1).startTime
    const loaded = ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
    const bytes = loaded.filter(({ responseStart }) => responseStart < ms)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    resolve({ ms, kilobytes: bytes / 1000 })
  }).observe({ type: 'largest-contentful-paint', buffered: true }))`)

/** Returns whether every part of the page fits the width of the window. */
export const isWithinTheWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/**
 * Returns the controls that end beyond the window and cannot be scrolled into view. An element around them cuts them, so
 * that the page itself is not wider than the window.
 */
export const cutControlsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    return [...document.querySelectorAll('a, button, input')]
      .filter(control => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter(control => control.getBoundingClientRect().right > innerWidth && !scrolls(control))
      .map(control => `cuts ${control.outerHTML.slice(0, 120)}`)
  })

/** Returns the session of an agent called Kim, for `Look.token`. */
export const agentOf = async (world: World): Promise<string> =>
  (await world.person()).as.Authorization!.slice('Bearer '.length)

/** Returns a new session of the owner. Ending it does not end the session of another test. */
export const newSession = async (world: World): Promise<string> => {
  const body = { email: world.owner.email, password: world.owner.password }
  return (await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body })).token
}

/** Finds the button with exactly this name. */
export const button = (within: Pick<Page, 'getByRole'>, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/** Waits until the element has the focus. */
export const untilFocused = async (wanted: Locator): Promise<void> => {
  const element = await wanted.elementHandle()
  await wanted.page().waitForFunction(wanted => wanted === document.activeElement, element)
}

/**
 * Expects no request to another origin and an empty console. The browser logs refused requests on its own; expected
 * ones are passed in `refusals`.
 */
export const expectQuiet = ({ complaints, warnings, elsewhere }: WatchedPage, ...refusals: RegExp[]): void => {
  const ours = complaints.filter(text => !refusals.some(refusal => refusal.test(text)))
  expect({ complaints: ours, warnings, elsewhere }).toEqual({ complaints: [], warnings: [], elsewhere: [] })
}

/**
 * Presses Tab, Shift+Tab or, within a menu, an arrow key until the element has the focus. A person without a mouse has
 * no other way.
 */
export const tabTo = async (
  page: Page,
  wanted: Locator,
  key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab',
): Promise<void> => {
  await wanted.waitFor()
  for (let pressed = 0; pressed < 80; pressed++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached by ${key}.`)
}
