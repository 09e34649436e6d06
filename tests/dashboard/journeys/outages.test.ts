/** Tests of the dashboard during outages: clear messages, no lost input and a limited number of requests. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { browserPath, type WatchedPage } from '../../support/browser/browser.ts'
import { expectQuiet, openDashboard, useBrowser } from '../../support/browser/dashboard.ts'
import { freePort } from '../../support/http-server.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

setDefaultTimeout(120_000)

/** Records all API calls of the pages, such as `GET /v1/events`. */
const callsOf = ({ context }: WatchedPage): string[] => {
  const calls: string[] = []
  context.on('request', asked => {
    const { pathname, searchParams } = new URL(asked.url())
    // The inbox reads the chosen list of conversations and the list of possible opt-outs.
    const list = searchParams.has('looksLikeOptOut') ? '?looksLikeOptOut' : ''
    if (pathname.startsWith('/v1/')) calls.push(`${asked.method()} ${pathname}${list}`)
  })
  return calls
}

/** Counts each call, most frequent first. */
const counted = (calls: readonly string[]): [call: string, times: number][] => {
  const times = Map.groupBy(calls, call => call)
  return [...times].map(([call, all]): [string, number] => [call, all.length]).sort((a, b) => b[1] - a[1])
}

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
const thread = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const failure = (page: Page) => page.getByRole('alert', { name: 'Can’t reach the server' })
const limited = (page: Page) => page.getByRole('alert', { name: 'Too many requests' })
const interrupted = (page: Page) => page.getByText('Live updates are interrupted. Reconnecting…')
const nothingRefused = 'No rejected events'
/** Errors that the browser logs when the server is unreachable. */
const noAnswer =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|ABORTED)/

describe.skipIf(browserPath === null)('in a browser', () => {
  let world: World
  const browser = useBrowser()
  afterEach(() => world?.stop())

  const start = async (settings: Record<string, string> = {}): Promise<{ sandbox: string; id: string }> => {
    world = await startWorld({ PORT: String(await freePort()), ...settings })
    const sandbox = await world.sandbox()
    return { sandbox, id: (await writes(sandbox, 'Is it there in blue?')).conversationId }
  }
  const writes = (sandbox: string, text: string): Promise<{ conversationId: string }> =>
    world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, {
      body: { from: '+12025550201', text, type: 'text', name: 'Dora' },
    })
  const sentIn = async (id: string): Promise<string[]> => {
    const { data } = await world.expect(200, 'GET', `/v1/conversations/${id}/messages`)
    return data
      .filter(({ direction }: { direction: string }) => direction === 'outbound')
      .map(({ text }: { text: string }) => text)
  }

  test('reports a service restart, recovers automatically and loses no input', async () => {
    const { sandbox, id } = await start()
    const opened = await openDashboard(browser, world, `/inbox/${id}`)
    const { page, context } = opened
    const go = (to: string, on = page) =>
      on
        .getByRole('link', { name: new RegExp(`^${to}`) })
        .first()
        .click()
    await thread(page).getByText('Is it there in blue?').waitFor()
    await reply(page).fill('In blue too.')
    const offline = page.getByText('You are offline. Loaded data may be out of date.')
    await context.setOffline(true)
    await offline.waitFor()
    await context.setOffline(false)
    await offline.waitFor({ state: 'hidden' })
    const other = await context.newPage()
    other.setDefaultTimeout(30_000)
    await other.goto('/not-accepted')
    await other.getByText(nothingRefused).waitFor()
    const calls = callsOf(opened)

    await world.service.stop(1000)
    await interrupted(page).waitFor()
    await reply(page).press('Control+Enter')
    await failure(page).getByText('Can’t reach the server').waitFor()
    expect(await reply(page).inputValue()).toBe('In blue too.')
    // A change is not repeated automatically, and loaded data stays visible.
    expect(calls.filter(call => call.startsWith('POST'))).toHaveLength(1)
    await thread(page).getByText('Is it there in blue?').waitFor()
    // A page that was never opened, and a list that this tab has not requested yet. No live update will trigger a
    // refetch.
    await go('Webhooks', other)
    await failure(other).getByText('Can’t reach the server').waitFor()
    await go('Rejected events')
    await page.getByRole('heading', { name: 'Rejected events' }).waitFor()
    await failure(page).getByText('Can’t reach the server').waitFor()

    await world.restart()
    await page.getByText(nothingRefused).waitFor()
    await interrupted(page).waitFor({ state: 'detached' })
    await other.getByRole('heading', { name: 'No endpoints yet' }).waitFor()
    expect(counted(calls).filter(([, times]) => times > 15)).toEqual([])
    await go('Inbox')
    await page.getByRole('link', { name: 'Dora' }).click()
    await reply(page).waitFor()
    expect(await reply(page).inputValue()).toBe('In blue too.')
    await writes(sandbox, 'Hello?')
    await thread(page).getByText('Hello?').waitFor()
    await reply(page).press('Control+Enter')
    await thread(page).getByText('In blue too.').waitFor()
    expect(await sentIn(id)).toEqual(['In blue too.'])
    expectQuiet(opened, noAnswer)
  })

  test('shows placeholders while responses take a second, and sends a repeated submission once', async () => {
    const { id } = await start()
    const opened = await openDashboard(browser, world, '/account')
    const { page, context } = opened
    await context.route('**/v1/**', async route => {
      await Bun.sleep(1_000)
      await route.continue()
    })
    const calls = callsOf(opened)
    await page.goto(`/inbox/${id}`)
    await page.getByRole('table', { name: 'Conversations' }).and(page.locator('[aria-busy=true]')).waitFor()
    await thread(page).getByText('Is it there in blue?').waitFor()
    expect(await failure(page).count()).toBe(0)
    await reply(page).fill('In blue too.')
    await reply(page).press('Control+Enter')
    await reply(page).press('Control+Enter')
    // The next reply is started while this one is being sent.
    await reply(page).pressSequentially(' And in red.')
    await thread(page).getByText('In blue too.').waitFor()
    expect(await reply(page).inputValue()).toBe(' And in red.')
    expect(await sentIn(id)).toEqual(['In blue too.'])
    expect(counted(calls).filter(([, times]) => times > 8)).toEqual([])
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    expectQuiet(opened)
  })

  test('shows the waiting time after a 429, keeps the input and then succeeds', async () => {
    const { id } = await start({ RATE_LIMIT_PERSON: '4/50' })
    const opened = await openDashboard(browser, world, `/inbox/${id}`)
    const { page } = opened
    await thread(page).getByText('Is it there in blue?').waitFor()
    await reply(page).fill('In blue too.')
    // A batch counts as one call per event, so it uses up the rate limit of the person whose session is used.
    const event = { type: 'order.created', phone: '+12025550107' }
    await world.expect(200, 'POST', '/v1/events/batch', { body: { events: Array(75).fill(event) } })
    const calls = callsOf(opened)
    await reply(page).press('Control+Enter')
    // Several parts of the page may show the same error.
    const refused = limited(page)
      .getByText('A signed-in person can make 4 calls per second, with bursts of 50.')
      .first()
    await refused.waitFor()
    await limited(page)
      .getByText(/Try again in \d+ s\./)
      .first()
      .waitFor()
    expect(await reply(page).inputValue()).toBe('In blue too.')
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await refused.waitFor()
    expect(counted(calls).filter(([, times]) => times > 4)).toEqual([])

    const answered = (what: Locator) => eventually('there is capacity again', async () => what.isVisible(), 20_000)
    await answered(page.getByRole('link', { name: 'order.created' }).first())
    await page.goBack()
    await reply(page).waitFor()
    expect(await reply(page).inputValue()).toBe('In blue too.')
    // The requests of the page also use the capacity, so a person may have to send it again.
    await eventually(
      'there is capacity again',
      async () => {
        await reply(page).press('Control+Enter')
        return thread(page).getByText('In blue too.').isVisible()
      },
      20_000,
    )
    // This request uses the same person, whose rate limit the page has used up.
    let sent: unknown
    await eventually('it can be called', async () => {
      sent = await sentIn(id).catch(() => null)
      return sent !== null
    })
    expect(sent).toEqual(['In blue too.'])
    expectQuiet(opened, /429/)
  })
})
