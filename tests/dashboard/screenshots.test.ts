/**
 * Every page: full, empty and failing, at three widths. Axe checks each in the light theme, and its targets on a phone.
 * An empty workspace loads each page by its address. A full one goes to it within the page that is open, also for its
 * dialogs, which costs a sixth of the processor time. On request, screenshots are written to `.data/screenshots`, and
 * for the README:
 *
 *     SCREENSHOTS=all bun tests/run.ts tests/dashboard/screenshots.test.ts # every combination of every state
 *     SCREENSHOTS=events,event bun tests/run.ts tests/dashboard/screenshots.test.ts # these pages only, every combination
 *     SCREENSHOTS=readme bun tests/run.ts tests/dashboard/screenshots.test.ts # updates the screenshots of the README
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { createLink } from '../../src/accounts/people/index.ts'
import { createIdentityLink } from '../../src/accounts/single-sign-on/index.ts'
import { type HistoryReceivers, makeHistory, startHistoryReceivers } from '../../src/app/cli/demo/history/index.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { faultsOf as axeFaultsOf, smallTargetsOf } from '../support/browser/axe.ts'
import { browserPath, TestBrowser } from '../support/browser/browser.ts'
import { cutControlsOf } from '../support/browser/dashboard.ts'
import { inFewColours } from '../support/browser/png.ts'
import { rawValuesIn } from '../support/browser/raw-values.ts'
import {
  executed,
  fill,
  fillHostile,
  type Ids,
  openShowcase,
  refuseChannel,
  type Showcase,
  secretsKey,
} from '../support/browser/showcase.ts'
import { use } from '../support/use.ts'

setDefaultTimeout(300_000)

const wanted = process.env.SCREENSHOTS
const names = wanted === undefined || ['all', 'readme'].includes(wanted) ? null : wanted.split(',')
const folder = join(
  import.meta.dirname,
  wanted === 'readme' ? '../../src/dashboard/screenshots' : '../../.data/screenshots',
)

type Look = readonly [width: number, scheme: 'light' | 'dark']
const everyLook = [1440, 1024, 360].flatMap(width => [[width, 'light'] as Look, [width, 'dark'] as Look])
/** Every combination for screenshots. Otherwise each width once, or only the largest and the smallest. */
const looksOf = (indices: number[]): Look[] => (wanted ? everyLook : indices.map(index => everyLook[index]!))
const looks = looksOf([0, 5])
/** Width of a phone, on which a finger needs larger targets. */
const phoneWidth = 360
const height = 900
/** Maximum file size of a README screenshot. */
const maxBytes = 150_000

interface Shot {
  /** File name. */
  name: string
  path: string
  /** Action before the screenshot. */
  act?: ((page: Page) => Promise<void>) | undefined
}
type ShotRow = [name: string, path: string, act?: Shot['act']]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const opens = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('dialog').waitFor()
}

const opensMenu = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('menu').waitFor()
}

/** Opens a menu or a list again that was hidden because its button or field moved to another place at this width. */
const openAgain = async (page: Page, act: Shot['act']) => {
  if ((await page.getByRole('menu').or(page.getByRole('option')).count()) > 0) return
  await page.keyboard.press('Escape')
  await act?.(page)
}

const opensList = (role: 'combobox' | 'textbox', name: string, text: string) => async (page: Page) => {
  await page.getByRole(role, { name }).fill(text)
  await page.getByRole('option').nth(1).waitFor()
}

/** Opens the list of a filter. In a narrow window the filters are behind a button. */
const opensFilter = (name: string) => async (page: Page) => {
  const filters = page.getByRole('button', { name: 'Filters', exact: true })
  const field = page.getByRole('combobox', { name })
  await filters.or(field).first().waitFor()
  if (!(await field.isVisible())) await filters.click()
  await opensList('combobox', name, '')(page)
}

/**
 * An open menu or list is outside of the landmarks, because it is drawn above the page. It has the focus, so it is found.
 * The options of a list have no focus of their own: the arrow keys of its field choose one, which scrolls into view.
 */
const isKnown = (name: string, fault: string): boolean =>
  (/^(menu|list)-/.test(name) && /^\w+: region: /.test(fault)) ||
  (name.startsWith('list-') && /^\w+: scrollable-region-focusable: /.test(fault))

const takesThePhone = async (page: Page) => {
  await press('Sandbox phone')(page)
  await page.getByRole('dialog', { name: 'Sandbox phone' }).getByText('Lovely, please do.').waitFor()
}

const opensErase = async (page: Page) => {
  await press(/^More actions/)(page)
  await page.getByRole('menuitem', { name: 'Erase customer' }).click()
  await page.getByRole('dialog').waitFor()
}

const shotOf = (path: string): Shot => ({ name: path.slice(1).replaceAll('/', '-') || 'home', path })

/** Pages of a person without a session. */
const ofSignedOut =
  '/sign-in /forgot-password /accept-invitation#token=none /reset-password#token=none /confirm-email#token=none /link-identity#token=none /sign-in/sso'
    .split(' ')
    .map((path): Shot => ({ ...shotOf(path.split('#')[0]!), path }))

/** Pages that are the same in an empty and in a full workspace. */
const isUnaffected = /\/(new|send|check|doctor|settings\/.*|account|nothing-is-here)$/

/** All pages of the navigation, and pages that need no record. */
const places = (
  '/ /inbox /customers /workflows /campaigns /campaigns/new /templates /templates/new /events /events/send ' +
  '/not-accepted /not-accepted/check /messages /sales /outbound /webhooks /webhooks/new /webhooks/doctor /api-keys /channels ' +
  '/channels/new /team /settings/workspace /settings/plan /settings/security /settings/opt-out-words /settings/notifications /audit /account /nothing-is-here'
)
  .split(' ')
  .map(shotOf)

const records = (ids: Ids & Awaited<ReturnType<typeof fillHostile>>): ShotRow[] => [
  ['event', `/events/${ids.event}`],
  ['event-nothing', `/events/${ids.smallCart}`],
  ['event-hostile', `/events/${ids.hostileEvent}`],
  ['refusal', `/not-accepted/${ids.refusal}`],
  ['outbound-event', `/outbound/${ids.outbound}`],
  ['message', `/messages/${ids.message}`],
  ['webhook', `/webhooks/${ids.webhook}`],
  ['webhook-settings', `/webhooks/${ids.webhook}/settings`],
  ['webhook-edit', `/webhooks/${ids.webhook}/edit`],
  ['delivery', `/webhooks/${ids.webhook}/deliveries/${ids.delivery}`],
  ['customer', `/customers/${ids.customer}`],
  ['customer-hostile', `/customers/${ids.hostileCustomer}`],
  ['inbox-statistics', '/inbox/statistics'],
  ['conversation', `/inbox/${ids.conversation}`],
  ['conversation-long', `/inbox/${ids.hostileConversation}?filter=all`],
  ['conversation-hostile', `/inbox/${ids.hostileMarkup}?filter=all`],
  ['workflow', `/workflows/${ids.winBack}`],
  ['workflow-step', `/workflows/${ids.winBack}?step=answer`],
  ['workflow-start', `/workflows/${ids.winBack}?step=start`],
  ['workflow-json', `/workflows/${ids.winBack}?view=json`],
  ['workflow-try', `/workflows/${ids.winBack}?view=try&event=${ids.event}`, press('Run test')],
  ['workflow-replay', `/workflows/${ids.winBack}?view=replay`],
  ['workflow-runs', `/workflows/${ids.winBack}?view=runs`],
  ['workflow-history', `/workflows/${ids.winBack}?view=history`],
  ['workflow-runs-empty', `/workflows/${ids.draft}?view=runs`],
  ['workflows-archived', '/workflows?archived=true'],
  ['workflow-draft', `/workflows/${ids.draft}`],
  ['workflow-hostile', `/workflows/${ids.hostileWorkflow}`],
  ['run', `/runs/${ids.run}`],
  ['run-waiting', `/runs/${ids.waitingRun}`],
  ['campaign', `/campaigns/${ids.campaign}`],
  ['campaign-draft', `/campaigns/${ids.campaignDraft}`],
  ['recipients', `/campaigns/${ids.campaign}/recipients`],
  ['template', `/templates/${ids.templates.gift}`],
  ['template-hostile', `/templates/${ids.hostileTemplate}`],
  ['channel', `/channels/${ids.sms}`],
  ['member', `/team/${ids.member}`],
  ['service-account', `/team/${ids.serviceAccount}`],
  ['audit-entry', `/audit/${ids.entry}`],
]

const dialogs = (ids: Ids): ShotRow[] => [
  ['dialog-search', '/events', page => page.keyboard.press('Control+k')],
  ['dialog-shortcuts', `/inbox/${ids.conversation}`, page => page.keyboard.press('?')],
  ['dialog-assign', `/inbox/${ids.conversation}`, page => page.keyboard.press('a')],
  ['dialog-inbox-filters', '/inbox', opens('Filters')],
  ['dialog-notifications', '/inbox', opens('Browser notifications')],
  ['dialog-key', '/api-keys/new'],
  ['dialog-revoke', '/api-keys', opens(/^Revoke/)],
  ['dialog-workflow', '/workflows', opens('New workflow')],
  ['dialog-publish', `/workflows/${ids.draft}`, opens('Publish')],
  ['dialog-sale', `/inbox/${ids.conversation}`, opens('Record sale')],
  ['dialog-customer', '/customers', opens('New customer')],
  ['dialog-erase', `/customers/${ids.customer}`, opensErase],
  ['dialog-start', `/campaigns/${ids.campaignDraft}`, opens('Start or schedule')],
  ['dialog-recovery', `/webhooks/${ids.broken}?status=failed`, opens('Retry deliveries…')],
  ['dialog-send', `/outbound/${ids.outbound}`, opens('Send to endpoint')],
  ['dialog-disconnect', `/channels/${ids.sms}`, opens('Disconnect')],
  ['dialog-invite', '/team', opens('Invite')],
  ['dialog-service-account', '/team', opens('Add service account')],
  ['dialog-token', '/account', opens('Create token')],
  ['phone', `/inbox/${ids.conversation}`, takesThePhone],
  ['list-customers', '/events', opensFilter('Customer')],
  ['list-templates', `/inbox/${ids.conversation}`, opensList('textbox', 'Reply', '/')],
  ['menu-step', `/workflows/${ids.draft}`, opensMenu(/^Add a step/)],
  ['menu-workflow', `/workflows/${ids.draft}`, opensMenu(/^Actions for/)],
  ['menu-webhook', `/webhooks/${ids.broken}`, opensMenu('More')],
]

const failing = (ids: Ids): ShotRow[] => [
  ['home', '/'],
  ['webhooks', '/webhooks'],
  ['webhook', `/webhooks/${ids.broken}`],
  ['delivery', `/webhooks/${ids.broken}/deliveries/${ids.failedDelivery}`],
  ['delivery-waiting', `/webhooks/${ids.broken}/deliveries/${ids.waitingDelivery}`],
  ['webhook-held', `/webhooks/${ids.quiet}`],
  ['channels', '/channels'],
  ['channel', `/channels/${ids.sms}`],
]

const shotsOf = (rows: ShotRow[]): Shot[] => rows.map(([name, path, act]) => ({ name, path, act }))

/** Screenshots of the README, from a workspace without hostile texts. */
const ofReadme = (ids: Ids): [name: string, path: string, look: Look, act?: Shot['act']][] => [
  ['home', '/?range=30d', [1440, 'light']],
  ['event', `/events/${ids.event}`, [1440, 'light']],
  ['workflow', `/workflows/${ids.winBack}`, [1440, 'light']],
  ['inbox', `/inbox/${ids.conversation}`, [1440, 'light']],
  ['deliveries', `/webhooks/${ids.broken}/deliveries/${ids.failedDelivery}`, [1440, 'dark']],
  ['phone', `/inbox/${ids.conversation}`, [360, 'dark']],
]

/** Adds the history of the demo, so that every chart is filled. The service stops while the history is recorded. */
const addHistory = async ({ world }: Showcase, receivers: HistoryReceivers): Promise<void> => {
  await world.service.stop()
  const targets = [receivers.crm, receivers.stock].map(({ target }) => target)
  const config: Config = {
    ...readConfig({ SECRETS_KEY: secretsKey, WEBHOOK_ALLOWED_PRIVATE_TARGETS: targets.join(',') }),
    rateLimits: { key: null, person: null, signInAttempts: null, callbacks: null, invitations: null },
  }
  const database = { ...world.database, embedded: false, close: async () => {} }
  await makeHistory({ config, database, log: pino({ level: 'error' }), owner: world.owner, receivers })
  await world.restart()
}

/** Receivers of the history, which also receive the webhooks of today. */
const openReceivers = async () => {
  const receivers = await startHistoryReceivers()
  return { ...receivers, stop: () => Promise.all([receivers.crm.stop(), receivers.stock.stop()]) }
}

/** Runs in the page while it loads and records layout shifts that were not caused by input. */
const watchShifts = () => {
  const seen = window as unknown as { shifts: { value: number; what: string }[] }
  seen.shifts = []
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    })[])
      if (!entry.hadRecentInput)
        seen.shifts.push({
          value: entry.value,
          what: entry.sources
            .map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent))
            .join(' | '),
        })
  }).observe({ type: 'layout-shift', buffered: true })
}

/** An address without a page. */
const nowhere = '/nothing-is-here'

const push = (page: Page, path: string): Promise<void> => page.evaluate(path => history.pushState({}, '', path), path)

/**
 * Goes from `nowhere` to a page as a link does. That page comes between two others, so that no state of the last one is
 * kept, and its content is not mistaken for the next one.
 */
const go = async (page: Page, path: string): Promise<void> => {
  const missing = page.getByRole('heading', { level: 1, name: 'Page not found' })
  await missing.waitFor()
  if (path === nowhere) return
  await page.evaluate(() => {
    ;(window as unknown as { shifts: unknown[] }).shifts = []
  })
  await push(page, path)
  await missing.waitFor({ state: 'detached' })
}

/** Waits until responses are rendered, fonts are loaded, and no placeholder or hidden part is left. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true], [data-loading]') ===
        null &&
      document.fonts.status === 'loaded',
  )
  await drawn(page)
}

/** Waits for two frames, because components that measure themselves render again. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )

/** Returns what is wrong with the page in its current state. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(name => {
    const root = document.scrollingElement!
    const heads = [...document.querySelectorAll('h1')].filter(head => head.checkVisibility())
    return [
      ...(root.scrollWidth > innerWidth ? [`is ${root.scrollWidth} px wide`] : []),
      ...(heads.length === 1 ? [] : [`has ${heads.length} heads`]),
      ...(name in window ? ['executed what is only text'] : []),
    ]
  }, executed)

/** Returns a fault if the keyboard starts at the top of the page again after Escape. */
const focusFaultsOf = async (page: Page): Promise<string[]> => {
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('[role=dialog], [role=menu]') === null)
  const focused = await page.evaluate(() => document.activeElement?.localName)
  return focused === 'body' ? ['has lost the focus'] : []
}

/** Returns the layout shifts during loading, if they are large enough to notice. */
const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { shifts } = window as unknown as { shifts: { value: number; what: string }[] }
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    return sum > 0.05 ? [`moved by ${sum.toFixed(3)}: ${shifts.map(({ what }) => what).join('; ')}`] : []
  })

describe.skipIf(browserPath === null)('every page', () => {
  const receivers = use(openReceivers)
  const stage = use(() => openShowcase([receivers.crm.target, receivers.stock.target]))
  const browser = use(TestBrowser.start)
  let ids: Ids
  const faults: string[] = []
  beforeAll(() => {
    if (names === null && wanted !== 'readme') rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  })

  const openContext = async (signedIn: boolean): Promise<BrowserContext> => {
    const { context, page } = await browser.open(stage.world.url, {
      reducedMotion: 'reduce',
      viewport: { width: 1440, height },
      timezoneId: 'Europe/Berlin',
    })
    await page.close()
    await context.addInitScript(watchShifts)
    if (signedIn) await context.addCookies([{ name: 'session', value: stage.world.owner.token, url: stage.world.url }])
    return context
  }

  const sessions = new WeakMap<Page, CDPSession>()
  const shoot = async (page: Page, file: string): Promise<void> => {
    const to = sessions.get(page) ?? (await page.context().newCDPSession(page))
    sessions.set(page, to)
    const { data } = await to.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: wanted !== 'readme' })
    const picture = wanted === 'readme' ? await inFewColours(page, data) : Buffer.from(data, 'base64')
    await Bun.write(join(folder, file), picture)
  }

  /** A tab of the browser and the complaints of its current page. */
  interface Tab {
    page: Page
    complaints: string[]
  }

  interface Visit {
    allow?: RegExp
    ready?: (page: Page) => Promise<void>
    before?: (page: Page) => Promise<void>
    file?: string
    looks?: Look[]
    /** Whether axe checks each page, or the pages that it checks. */
    axe?: boolean | ((shot: Shot) => boolean)
    /** Opens the pages without a session, because a signed-in person is redirected. */
    signedOut?: boolean
    /** Goes from page to page without loading them. */
    within?: boolean
    /** Closes the dialog or menu of each page by Escape, and expects the focus elsewhere. The docked phone stays open. */
    closes?: boolean
  }
  /** Opens each page, takes its screenshots and expects no fault. */
  const visit = async (state: string, shots: Shot[], options: Visit = {}) => {
    const { allow = /^$/, ready = settled, before, file, looks: ours = looks, axe, signedOut = false, within } = options
    const context = await openContext(!signedOut)
    const queue = shots.filter(({ name }) => names === null || names.includes(name))
    // A page that is opened again in the same tab costs half of the processor time of a new tab.
    const openTab = async (): Promise<Tab> => {
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error' && !allow.test(message.text())) complaints.push(message.text())
      })
      page.on('request', request => {
        const url = request.url()
        if (!url.startsWith(stage.world.url) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`)
      })
      page.setDefaultTimeout(10_000)
      await before?.(page)
      return { page, complaints }
    }
    const worker = async () => {
      let tab: Tab | null = null
      for (let shot = queue.shift(); shot; shot = queue.shift()) {
        tab ??= await openTab()
        const isIntact = await visitOne(tab, shot)
        if (isIntact) continue
        await tab.page.close()
        tab = null
      }
    }
    /** Returns whether the page is intact, so that the tab can open the next one. */
    const visitOne = async ({ page, complaints }: Tab, shot: Shot): Promise<boolean> => {
      const { name, path, act } = shot
      const isChecked = typeof axe === 'function' ? axe(shot) : axe
      const say = (look: string, all: string[]) =>
        faults.push(...all.map(fault => `${name} ${state} ${look}: ${fault}`))
      let isIntact = true
      try {
        const [[width, colorScheme]] = ours as [Look]
        const isWithin = within && page.url() !== 'about:blank'
        // The search stays open on every page until it is closed.
        if (isWithin) await page.keyboard.press('Escape')
        // The previous page would render again in the new size.
        if (isWithin) await push(page, nowhere)
        else await page.goto('about:blank')
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height })
        if (isWithin) await go(page, path)
        else await page.goto(path)
        await ready(page)
        say('as it loads', await shiftsOf(page))
        await act?.(page)
        if (act) await ready(page)
        if (isChecked)
          say(
            'axe',
            (await axeFaultsOf(page)).filter(fault => !isKnown(name, fault)),
          )
        say('', await rawValuesIn(page))
        for (const [width, colorScheme] of ours) {
          await page.setViewportSize({ width, height })
          // Only a screenshot depends on the theme.
          const look = wanted === undefined ? String(width) : `${width}-${colorScheme}`
          if (wanted !== undefined) await page.emulateMedia({ colorScheme })
          await drawn(page)
          if (/^(menu|list)-/.test(name)) await openAgain(page, act)
          say(look, [...(await faultsOf(page)), ...(await cutControlsOf(page))])
          if (isChecked && width === phoneWidth) say(look, await smallTargetsOf(page))
          if (wanted !== undefined) await shoot(page, file ?? `${name}-${state}-${look}.png`)
        }
        if (options.closes && name !== 'phone') say('closed', await focusFaultsOf(page))
      } catch (error) {
        isIntact = false
        say('', [String(error)])
        await shoot(page, `${name}-${state}-broken.png`)
      }
      // The browser logs expected statuses: 401 without a session and 404 for a missing record.
      say(
        '',
        complaints.splice(0).filter(text => !(signedOut && text.includes('401'))),
      )
      return isIntact
    }
    await Promise.all([worker(), worker()])
    await context.close()
    expect(faults.splice(0)).toEqual([])
  }
  if (wanted === 'readme') {
    test('renders the screenshots of the README', async () => {
      await addHistory(stage, receivers)
      ids = await fill(stage)
      for (const [name, path, look, act] of ofReadme(ids)) {
        await visit('readme', [{ name, path, act }], { file: `${name}.png`, looks: [look] })
        expect([name, Bun.file(join(folder, `${name}.png`)).size < maxBytes]).toEqual([name, true])
      }
    })
    return
  }

  test('renders an empty workspace', () => visit('empty', places, { axe: ({ path }) => !isUnaffected.test(path) }))

  test('renders the pages of a signed-out person', async () => {
    const { expect: call, database } = stage.world
    const body = { email: 'tomas@oak-and-lamp.example', role: 'agent' }
    const { id, invitation } = await call(201, 'POST', '/v1/members', { body })
    const user = await call(200, 'GET', '/v1/auth/user')
    const confirmation = await createLink(database.sql, user.id, 'confirmation', { mailed: true })
    const identity = { issuer: 'https://login.oak-and-lamp.example', subject: 'maren', session: null }
    const linked = await createIdentityLink(database.sql, user.id, identity)
    const tokens: Record<string, string> = {
      'accept-invitation': invitation.token,
      'confirm-email': confirmation,
      'link-identity': linked!,
    }
    const shots = ofSignedOut.map(shot => ({ ...shot, path: shot.path.replace('none', tokens[shot.name] ?? 'none') }))
    const provider = new URL(identity.issuer).host
    const before = async (page: Page): Promise<void> => {
      await page.route('**/v1/auth/sso', route => route.fulfill({ json: { provider } }))
    }
    await visit('empty', shots, { axe: true, signedOut: true, before })
    await call(204, 'DELETE', `/v1/members/${id}`)
  })

  describe('renders a full workspace with untrusted texts', () => {
    const looks = looksOf([0, 3, 4])
    let hostile: Awaited<ReturnType<typeof fillHostile>>
    beforeAll(async () => {
      // Only for screenshots: it takes half a minute, and no check needs it.
      if (wanted !== undefined) await addHistory(stage, receivers)
      ids = await fill(stage)
      hostile = await fillHostile(stage, ids)
    })
    test('in its lists', () => visit('full', places, { looks, axe: true, within: true }))
    test('in its records', () =>
      visit('full', shotsOf(records({ ...ids, ...hostile })), { looks, axe: true, within: true }))
    test('in its dialogs', () => visit('full', shotsOf(dialogs(ids)), { looks, axe: true, within: true, closes: true }))
  })

  test('renders a failing endpoint and a rejected channel', async () => {
    await refuseChannel(stage, ids)
    await visit('failing', shotsOf(failing(ids)), { axe: true })
  })

  test('shows an error on each page when the API answers 500 and 503', async () => {
    // Alternates between the two statuses. The session request succeeds.
    let count = 0
    const request_id = '01a20380-d0cb-7327-93bc-fba9f86b236c'
    const error = { code: 'internal_error', message: 'An internal error occurred. Retry with backoff.' }
    const answer = {
      contentType: 'application/json',
      headers: { 'X-Request-Id': request_id },
      json: { error, request_id },
    }
    const before = async (page: Page) => {
      await page.route(/\/v1\/(?!auth\/(session|workspaces)|stream)/, route =>
        route.fulfill({ ...answer, status: count++ % 2 ? 503 : 500 }),
      )
      // Runs retries without delay.
      await page.addInitScript(() => {
        const { setTimeout } = window
        window.setTimeout = ((does: TimerHandler, ms = 0, ...of: unknown[]) =>
          setTimeout(does, ms >= 1000 && ms <= 4000 ? 0 : ms, ...of)) as typeof window.setTimeout
      })
    }
    const loading =
      /^\/(|inbox|customers|workflows|campaigns|templates|events|outbound|webhooks|channels|team|settings\/plan)$/
    const ready = (page: Page) => page.getByRole('alert').first().waitFor()
    await visit(
      'refused',
      places.filter(({ path }) => loading.test(path)),
      { allow: /50[03]/, before, ready, axe: true },
    )
  })
})
