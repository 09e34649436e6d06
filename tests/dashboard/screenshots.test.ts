/**
 * Screenshots of every page: full, empty and failing, in both themes and at three widths, written to
 * `.data/screenshots`. Each page is opened once per state. It is then resized and switched to the other theme.
 *
 *     SCREENSHOTS=all bun test tests/dashboard/screenshots.test.ts # every combination of every state
 *     SCREENSHOTS=events,event bun test tests/dashboard/screenshots.test.ts # these pages only
 *     SCREENSHOTS=readme bun test tests/dashboard/screenshots.test.ts # updates the screenshots of the README
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { browserPath, TestBrowser } from '../support/browser/browser.ts'
import { inFewColours } from '../support/browser/png.ts'
import {
  executed,
  fill,
  fillHostile,
  type Ids,
  openShowcase,
  refuseChannel,
  type Showcase,
} from '../support/browser/showcase.ts'

const wanted = process.env.SCREENSHOTS
const names = wanted === undefined || ['all', 'readme'].includes(wanted) ? null : wanted.split(',')
const folder = join(
  import.meta.dirname,
  wanted === 'readme' ? '../../src/dashboard/screenshots' : '../../.data/screenshots',
)
const limit = 300_000

type Scheme = 'light' | 'dark'
interface Look {
  width: number
  scheme: Scheme
}
const everyLook: Look[] = [1440, 1024, 360].flatMap(width => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
])
/**
 * Each width and each theme once. `SCREENSHOTS=all` adds the other three combinations, which take one more minute.
 */
const someLooks: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 1024, scheme: 'dark' },
  { width: 360, scheme: 'light' },
]
const fewLooks: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 360, scheme: 'dark' },
]
const height = 900
/** Maximum file size of a README screenshot. */
const maxBytes = 150_000

interface Shot {
  /** File name. */
  name: string
  path: string
  /** Action before the screenshot. */
  act?: (page: Page) => Promise<void>
  /** Opened without a session, because a signed-in person is redirected. */
  signedOut?: true
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const opens = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page)
  await page.getByRole('dialog').waitFor()
}

const takesThePhone = async (page: Page) => {
  await press('Sandbox phone')(page)
  await page.getByRole('dialog', { name: 'Sandbox phone' }).getByText('Lovely, please do.').waitFor()
}

const signedOut: Shot[] = [
  { name: 'sign-in', path: '/sign-in', signedOut: true },
  { name: 'forgot-password', path: '/forgot-password', signedOut: true },
  { name: 'accept-invitation', path: '/accept-invitation#token=none', signedOut: true },
  { name: 'reset-password', path: '/reset-password#token=none', signedOut: true },
  { name: 'confirm-email', path: '/confirm-email#token=none', signedOut: true },
]

/** All pages of the navigation, and pages that need no record. */
const places: Shot[] = [
  { name: 'home', path: '/' },
  { name: 'inbox', path: '/inbox' },
  { name: 'customers', path: '/customers' },
  { name: 'workflows', path: '/workflows' },
  { name: 'campaigns', path: '/campaigns' },
  { name: 'campaign-new', path: '/campaigns/new' },
  { name: 'templates', path: '/templates' },
  { name: 'template-new', path: '/templates/new' },
  { name: 'events', path: '/events' },
  { name: 'event-send', path: '/events/send' },
  { name: 'not-accepted', path: '/not-accepted' },
  { name: 'not-accepted-check', path: '/not-accepted/check' },
  { name: 'outbound', path: '/outbound' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook-new', path: '/webhooks/new' },
  { name: 'doctor', path: '/webhooks/doctor' },
  { name: 'api-keys', path: '/api-keys' },
  { name: 'channels', path: '/channels' },
  { name: 'channel-new', path: '/channels/new' },
  { name: 'team', path: '/team' },
  { name: 'workspace', path: '/team/workspace' },
  { name: 'plan', path: '/plan' },
  { name: 'audit', path: '/audit' },
  { name: 'account', path: '/account' },
  { name: 'not-found', path: '/nothing-is-here' },
]

const records = (ids: Ids & Awaited<ReturnType<typeof fillHostile>>): Shot[] => [
  { name: 'event', path: `/events/${ids.event}` },
  { name: 'event-nothing', path: `/events/${ids.smallCart}` },
  { name: 'event-hostile', path: `/events/${ids.hostileEvent}` },
  { name: 'refusal', path: `/not-accepted/${ids.refusal}` },
  { name: 'outbound-event', path: `/outbound/${ids.outbound}` },
  { name: 'message', path: `/messages/${ids.message}` },
  { name: 'webhook', path: `/webhooks/${ids.webhook}` },
  { name: 'webhook-settings', path: `/webhooks/${ids.webhook}/settings` },
  { name: 'webhook-edit', path: `/webhooks/${ids.webhook}/edit` },
  { name: 'delivery', path: `/webhooks/${ids.webhook}/deliveries/${ids.delivery}` },
  { name: 'customer', path: `/customers/${ids.customer}` },
  { name: 'customer-hostile', path: `/customers/${ids.hostileCustomer}` },
  { name: 'conversation', path: `/inbox/${ids.conversation}` },
  { name: 'conversation-long', path: `/inbox/${ids.hostileConversation}?filter=all` },
  { name: 'conversation-hostile', path: `/inbox/${ids.hostileMarkup}?filter=all` },
  { name: 'workflow', path: `/workflows/${ids.winBack}` },
  { name: 'workflow-step', path: `/workflows/${ids.winBack}?step=answer` },
  { name: 'workflow-start', path: `/workflows/${ids.winBack}?step=start` },
  { name: 'workflow-json', path: `/workflows/${ids.winBack}?view=json` },
  { name: 'workflow-try', path: `/workflows/${ids.winBack}?view=try&event=${ids.event}`, act: press('Run test') },
  { name: 'workflow-replay', path: `/workflows/${ids.winBack}?view=replay` },
  { name: 'workflow-runs', path: `/workflows/${ids.winBack}?view=runs` },
  { name: 'workflow-history', path: `/workflows/${ids.winBack}?view=history` },
  { name: 'workflow-draft', path: `/workflows/${ids.draft}` },
  { name: 'workflow-hostile', path: `/workflows/${ids.hostileWorkflow}` },
  { name: 'run', path: `/runs/${ids.run}` },
  { name: 'run-waiting', path: `/runs/${ids.waitingRun}` },
  { name: 'campaign', path: `/campaigns/${ids.campaign}` },
  { name: 'campaign-draft', path: `/campaigns/${ids.campaignDraft}` },
  { name: 'recipients', path: `/campaigns/${ids.campaign}/recipients` },
  { name: 'template', path: `/templates/${ids.templates.gift}` },
  { name: 'template-hostile', path: `/templates/${ids.hostileTemplate}` },
  { name: 'channel', path: `/channels/${ids.sms}` },
  { name: 'member', path: `/team/${ids.member}` },
  { name: 'audit-entry', path: `/audit/${ids.entry}` },
]

const dialogs = (ids: Ids): Shot[] => [
  { name: 'dialog-search', path: '/events', act: page => page.keyboard.press('Control+k') },
  { name: 'dialog-key', path: '/api-keys', act: opens('Create API key') },
  { name: 'dialog-workflow', path: '/workflows', act: opens('New workflow') },
  { name: 'dialog-publish', path: `/workflows/${ids.draft}`, act: opens('Publish') },
  { name: 'dialog-sale', path: `/inbox/${ids.conversation}`, act: opens('Sale') },
  { name: 'dialog-erase', path: `/customers/${ids.customer}`, act: opens('Erase') },
  { name: 'dialog-start', path: `/campaigns/${ids.campaignDraft}`, act: opens('Start') },
  { name: 'dialog-recovery', path: `/webhooks/${ids.broken}?status=failed`, act: opens('Retry all…') },
  { name: 'dialog-invite', path: '/team', act: opens('Invite') },
  { name: 'phone', path: `/inbox/${ids.conversation}`, act: takesThePhone },
]

const failing = (ids: Ids): Shot[] => [
  { name: 'home', path: '/' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook', path: `/webhooks/${ids.broken}` },
  { name: 'delivery', path: `/webhooks/${ids.broken}/deliveries/${ids.failedDelivery}` },
  { name: 'delivery-waiting', path: `/webhooks/${ids.broken}/deliveries/${ids.waitingDelivery}` },
  { name: 'webhook-held', path: `/webhooks/${ids.quiet}` },
  { name: 'channels', path: '/channels' },
  { name: 'channel', path: `/channels/${ids.sms}` },
]

/** Screenshots of the README, from a workspace without hostile texts. */
const ofReadme = (ids: Ids): (Shot & Look)[] => [
  { name: 'home', path: '/', width: 1440, scheme: 'light' },
  { name: 'event', path: `/events/${ids.event}`, width: 1440, scheme: 'light' },
  { name: 'workflow', path: `/workflows/${ids.winBack}`, width: 1440, scheme: 'light' },
  { name: 'inbox', path: `/inbox/${ids.conversation}`, width: 1440, scheme: 'light' },
  { name: 'deliveries', path: `/webhooks/${ids.broken}/deliveries/${ids.failedDelivery}`, width: 1440, scheme: 'dark' },
  { name: 'phone', path: `/inbox/${ids.conversation}`, width: 360, scheme: 'dark' },
]

/** Statistics of yesterday and this morning, which cannot be created through the API. */
const rememberHours = ({ world: { database, workspaceId } }: Showcase) => database.sql`
  insert into hourly_stats (workspace_id, hour, events, runs_started, messages_delivered, deliveries_delivered)
  select ${workspaceId}, date_trunc('hour', now()) - n * interval '1 hour', 20 + busy, 14 + busy * 0.8, 25 + busy * 1.4, 30 + busy * 2
  from (select n, (60 * (1 + sin(n / 3.8)) + n * 7 % 11)::integer as busy from generate_series(1, 40) n) hours`

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

/** Waits until responses are rendered, fonts are loaded and no placeholder is left. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]') === null &&
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

/** Returns the layout shifts during loading, if they are large enough to notice. */
const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { shifts } = window as unknown as { shifts: { value: number; what: string }[] }
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    return sum > 0.05 ? [`moved by ${sum.toFixed(3)}: ${shifts.map(({ what }) => what).join('; ')}`] : []
  })

describe.skipIf(browserPath === null)('every page', () => {
  let browser: TestBrowser
  let stage: Showcase
  let ids: Ids
  const faults: string[] = []
  beforeAll(async () => {
    if (names === null && wanted !== 'readme') rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    ;[browser, stage] = await Promise.all([TestBrowser.start(), openShowcase()])
  }, limit)
  afterAll(async () => {
    await browser?.stop()
    await stage?.stop()
  })

  const openContext = async (signedIn: boolean): Promise<BrowserContext> => {
    const { context, page, complaints, elsewhere } = await browser.open(stage.world.url, {
      reducedMotion: 'reduce',
      viewport: { width: 1440, height },
      timezoneId: 'Europe/Berlin',
    })
    Object.assign(context, { complaints, elsewhere })
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

  /** Opens each page, takes its screenshots and records what is wrong. */
  const lookAt = async (
    state: string,
    shots: Shot[],
    looks: Look[],
    {
      allow = /^$/,
      ready = settled,
      before,
      file,
    }: {
      allow?: RegExp
      ready?: (page: Page) => Promise<void>
      before?: (page: Page) => Promise<void>
      file?: string
    } = {},
  ) => {
    const contexts = { in: await openContext(true), out: await openContext(false) }
    const line = shots.filter(({ name }) => names === null || names.includes(name))
    const worker = async () => {
      for (let shot = line.shift(); shot; shot = line.shift()) await lookAtOne(shot)
    }
    const lookAtOne = async ({ name, path, act, signedOut: out }: Shot) => {
      const say = (look: string, all: string[]) =>
        faults.push(...all.map(fault => `${name} ${state} ${look}: ${fault}`))
      const page = await contexts[out ? 'out' : 'in'].newPage()
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
      try {
        const [{ width, scheme }] = looks as [Look]
        await page.emulateMedia({ colorScheme: scheme })
        await page.setViewportSize({ width, height })
        await before?.(page)
        await page.goto(path)
        await ready(page)
        say('as it loads', await shiftsOf(page))
        await act?.(page)
        if (act) await ready(page)
        for (const look of looks) {
          await page.setViewportSize({ width: look.width, height })
          await page.emulateMedia({ colorScheme: look.scheme })
          await drawn(page)
          say(`${look.width} ${look.scheme}`, await faultsOf(page))
          await shoot(page, file ?? `${name}-${state}-${look.width}-${look.scheme}.png`)
        }
      } catch (error) {
        say('', [String(error)])
        await shoot(page, `${name}-${state}-broken.png`)
      }
      // The browser logs expected statuses: 401 without a session and 404 for a missing record.
      say(
        '',
        complaints.filter(text => !(out && text.includes('401'))),
      )
      await page.close()
    }
    await Promise.all([worker(), worker()])
    await Promise.all(Object.values(contexts).map(context => context.close()))
  }
  if (wanted === 'readme') {
    test(
      'renders the screenshots of the README',
      async () => {
        ids = await fill(stage)
        await rememberHours(stage)
        for (const { width, scheme, ...shot } of ofReadme(ids))
          await lookAt('readme', [shot], [{ width, scheme }], { file: `${shot.name}.png` })
        expect(faults.splice(0)).toEqual([])
        for (const { name } of ofReadme(ids))
          expect([name, Bun.file(join(folder, `${name}.png`)).size < maxBytes]).toEqual([name, true])
      },
      limit,
    )
    return
  }
  const looksOf = (few: Look[]) => (wanted === 'all' ? everyLook : few)

  test(
    'renders an empty workspace',
    async () => {
      await lookAt('empty', [...signedOut, ...places], looksOf(fewLooks))
      expect(faults.splice(0)).toEqual([])
    },
    limit,
  )

  test(
    'renders a full workspace with untrusted texts',
    async () => {
      ids = await fill(stage)
      const hostile = await fillHostile(stage, ids)
      await lookAt('full', [...places, ...records({ ...ids, ...hostile }), ...dialogs(ids)], looksOf(someLooks))
      expect(faults.splice(0)).toEqual([])
    },
    limit,
  )

  test(
    'renders a failing endpoint and a rejected channel',
    async () => {
      await refuseChannel(stage, ids)
      await lookAt('failing', failing(ids), looksOf(fewLooks))
      expect(faults.splice(0)).toEqual([])
    },
    limit,
  )

  test(
    'shows an error on each page when the API answers 500 and 503',
    async () => {
      // Alternates between the two statuses. The session request succeeds.
      let count = 0
      const refuse = async (page: Page) => {
        await page.route(/\/v1\/(?!auth\/(session|workspaces)|stream)/, route =>
          route.fulfill({
            status: count++ % 2 ? 503 : 500,
            contentType: 'application/json',
            headers: { 'X-Request-Id': '01a20380-d0cb-7327-93bc-fba9f86b236c' },
            json: {
              error: { code: 'internal_error', message: 'An internal error occurred. Retry with backoff.' },
              request_id: '01a20380-d0cb-7327-93bc-fba9f86b236c',
            },
          }),
        )
        // Runs retries without delay.
        await page.addInitScript(() => {
          const { setTimeout } = window
          window.setTimeout = ((does: TimerHandler, ms = 0, ...of: unknown[]) =>
            setTimeout(does, ms >= 1000 && ms <= 4000 ? 0 : ms, ...of)) as typeof window.setTimeout
        })
      }
      await lookAt(
        'refused',
        [
          'home',
          'inbox',
          'customers',
          'workflows',
          'campaigns',
          'templates',
          'events',
          'outbound',
          'webhooks',
          'channels',
          'team',
          'plan',
        ].map(name => places.find(place => place.name === name)!),
        looksOf(fewLooks),
        { allow: /50[03]/, before: refuse, ready: async page => await page.getByRole('alert').first().waitFor() },
      )
      expect(faults.splice(0)).toEqual([])
    },
    limit,
  )
})
