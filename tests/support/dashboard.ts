/** A page of the dashboard of somebody who is signed in already. */
import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { TestBrowser, WatchedPage } from './browser.ts'
import type { World } from './world.ts'

export interface Look {
  scheme?: 'light' | 'dark'
  width?: number
  /** Of the session; the owner's where nothing is said. */
  token?: string
  /** Where the dashboard is asked for; the world's own address where nothing is said. */
  url?: string
}

/** Opens an address of the dashboard in a profile of its own. What it complains of is in `complaints`. */
export const openDashboard = async (
  browser: TestBrowser,
  world: World,
  path: string,
  { scheme = 'light', width = 1280, token = world.owner.token, url = world.url }: Look = {},
): Promise<WatchedPage> => {
  const opened = await browser.open(url, {
    colorScheme: scheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  await opened.context.addCookies([{ name: 'session', value: token, url }])
  // Bundling for the first page of a process, on a machine that does other things beside.
  opened.page.setDefaultTimeout(30_000)
  await opened.page.goto(path)
  return opened
}

/** No part of the page is wider than the window. */
export const isWithinTheWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** The session of somebody who joined the workspace as an agent, for `Look.token`. */
export const agentOf = async (world: World): Promise<string> => {
  const { invitation } = await world.expect(201, 'POST', '/v1/members', {
    body: { email: `${crypto.randomUUID()}@shop.example`, role: 'agent' },
  })
  const { token } = await world.expect(200, 'POST', '/v1/auth/accept-invitation', {
    as: 'nobody',
    body: { token: invitation.url.split('#token=')[1], name: 'Agent', password: world.owner.password },
  })
  return token
}

/** A session of the owner's own, which may end without ending that of another test. */
export const newSession = async (world: World): Promise<string> => {
  const body = { email: world.owner.email, password: world.owner.password }
  return (await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body })).token
}

/** The button of exactly this name. */
export const button = (within: Pick<Page, 'getByRole'>, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/**
 * Nothing stands in the console but refusals that the way led to, which the browser writes down by itself, and nothing was
 * asked of another origin.
 */
export const expectQuiet = ({ complaints, warnings, elsewhere }: WatchedPage, ...refusals: RegExp[]): void => {
  const ours = complaints.filter(text => !refusals.some(refusal => refusal.test(text)))
  expect({ complaints: ours, warnings, elsewhere }).toEqual({ complaints: [], warnings: [], elsewhere: [] })
}

/**
 * Presses Tab, Shift+Tab or, within a menu, an arrow, until it is the one that has the focus: somebody without a mouse
 * gets there no other way.
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
