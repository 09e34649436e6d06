/** A page of the dashboard of somebody who is signed in already. */
import type { Page } from 'playwright-core'
import type { TestBrowser, WatchedPage } from './browser.ts'
import type { World } from './world.ts'

export interface Look {
  scheme?: 'light' | 'dark'
  width?: number
  /** Of the session; the owner's where nothing is said. */
  token?: string
}

/** Opens an address of the dashboard in a profile of its own. What it complains of is in `complaints`. */
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
