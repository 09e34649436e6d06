/** Tests of the inbox and of the sandbox phone as a member uses them. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, isWithinTheWindow, openDashboard, untilFocused, useBrowser } from '../support/browser/dashboard.ts'
import { eventually, useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('the inbox', () => {
  const world = useWorld()
  const browser = useBrowser()
  let sandbox: string
  beforeAll(async () => {
    sandbox = await world.sandbox()
    await world.expect(201, 'POST', '/v1/templates', {
      body: {
        name: 'Order confirmed',
        category: 'utility',
        body: 'Thank you, {{name}}! On its way: {{item}}.',
        variables: [
          { name: 'name', sample: 'Ana' },
          { name: 'item', sample: 'lamp' },
        ],
      },
    })
    await world.expect(201, 'POST', '/v1/templates', {
      body: { name: 'Lamps for regulars', category: 'marketing', body: 'Lamps are cheaper.', variables: [] },
    })
  })

  /** Sends a message as a customer. */
  const writes = (from: string, text: string, name?: string): Promise<{ id: string; conversationId: string }> =>
    world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, {
      body: { from, text, type: 'text', ...(name && { name }) },
    })
  const messagesOf = async (id: string): Promise<{ text: string; status: string; direction: string }[]> =>
    (await world.expect(200, 'GET', `/v1/conversations/${id}/messages`)).data
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const thread = (page: Page) => page.getByRole('log', { name: 'Conversation' })

  test('lists the longest wait first, with the assignee and without a request for customers', async () => {
    const { conversationId: id } = await writes('+12025550210', 'Anybody there?', '<b>Kim</b>')
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: user.id } })
    const waits = [
      ['Ida', 2 * 86_400, 'Overdue 2 days'],
      ['Jan', 2 * 3600, 'Waiting 2 hr'],
      ['Lea', 20 * 60, 'Waiting 20 min'],
    ] as const
    // The longest wait is written first, so that the newest message comes first only if a person asks for it.
    for (const [name, seconds] of waits) {
      const { conversationId } = await writes(`+1202555022${seconds % 7}`, 'Hello?', name)
      await world.database.sql`
        update conversations set waiting_since = now() - ${seconds} * interval '1 second' where id = ${conversationId}`
    }
    const { page } = await openDashboard(browser, world, '/inbox')
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: '<b>Kim</b>' })
    await row.getByTitle(/^Waiting \d+ (sec|min)$/).waitFor()
    await row.getByTitle('Me', { exact: true }).waitFor()
    expect(requested.filter(path => path.startsWith('/v1/customers'))).toEqual([])
    const rows = page.getByRole('table', { name: 'Conversations' }).getByRole('row')
    for (const [index, [name, , text]] of waits.entries())
      await rows.nth(index).filter({ hasText: name }).getByText(text).waitFor()
    const looks = await rows.getByTitle(/^(Overdue|Waiting) \d/).evaluateAll(all =>
      all.map(element => {
        const { color, backgroundColor } = getComputedStyle(element)
        return `${color} on ${backgroundColor}`
      }),
    )
    expect([looks.length, new Set(looks).size]).toEqual([4, 4])
    expect(await faultsOf(page)).toEqual([])

    // The navigation and the strip of the inbox show the waiting conversations, the title of the tab the unread ones.
    await page.getByRole('link', { name: 'Inbox 4 waiting conversations' }).waitFor()
    await page.waitForFunction(() => document.title.startsWith('(4) Inbox · '))
    await page.getByRole('link', { name: /^Inbox statistics.*4 ?Unanswered/ }).waitFor()
    await world.expect(204, 'POST', `/v1/conversations/${id}/read`)
    await page.waitForFunction(() => document.title.startsWith('(3) Inbox · '))
    await page.getByRole('link', { name: 'Inbox 4 waiting conversations' }).waitFor()
    await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'Yes, it is.' } })
    await page.getByRole('link', { name: 'Inbox 3 waiting conversations' }).waitFor()
    await page.getByRole('button', { name: 'Sort' }).click()
    await page.getByRole('menuitem', { name: 'Most recent first' }).click()
    await rows.nth(0).filter({ hasText: 'Lea' }).waitFor()
  })

  test('filters, searches and saves a view of the list', async () => {
    await writes('+12025550231', 'Is it blue?', 'Olga Blau')
    await writes('+12025550232', 'Please stop texting me', 'Otto Rot')
    const { page } = await openDashboard(browser, world, '/inbox')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Olga Blau').waitFor()
    await page.getByRole('textbox', { name: 'Search customers' }).fill('rot')
    await row('Otto Rot').waitFor()
    await row('Olga Blau').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Search customers' }).fill('')
    await row('Olga Blau').waitFor()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Possible opt-outs only' }).click()
    await row('Olga Blau').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('?optOut=true')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Opt-outs')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('View “Opt-outs” saved.').waitFor()
    await page.goto('/inbox')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Opt-outs', exact: true }).click()
    await page.getByRole('button', { name: 'Filters: 1 active' }).waitFor()
    await row('Otto Rot').waitFor()
    await row('Olga Blau').waitFor({ state: 'detached' })
    await page.goto('/inbox?until=2026-01-01T00:00:00.000Z')
    await page.getByText('No conversations match').waitFor()
    await page.getByRole('button', { name: /Jan 1/ }).click()
    await page.getByRole('menuitem', { name: 'Last hour' }).click()
    await row('Olga Blau').waitFor()
    expect(new URL(page.url()).search).toBe('?range=1h')
  })

  test('says that everyone is answered only if there are conversations', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    let isUsed = false
    await page.route(/\/v1\/conversations\?/, route => {
      const isProbe = new URL(route.request().url()).searchParams.get('limit') === '1'
      return route.fulfill({ json: { data: isUsed && isProbe ? [{}] : [], nextCursor: null } })
    })
    await page.goto('/inbox')
    await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
    expect(await page.getByText('You have answered everyone.').count()).toBe(0)
    isUsed = true
    await page.reload()
    await page.getByText('You have answered everyone.').waitFor()
  })

  test('shows statistics next to the list, with the table of a chart', async () => {
    const { conversationId: id } = await writes('+12025550233', 'Quick?', 'Quentin')
    await world.database.sql`update conversations set waiting_since = now() - interval '40 seconds' where id = ${id}`
    await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'Quick.' } })
    const { page } = await openDashboard(browser, world, '/inbox')
    await page.getByRole('link', { name: /Inbox statistics/ }).click()
    const statistics = page.getByRole('region', { name: 'Inbox statistics' })
    await statistics.getByRole('table', { name: 'Unanswered now, by age' }).waitFor()
    await statistics
      .getByRole('table', { name: 'Answered, by member' })
      .getByRole('row', { name: /\d+ sec/ })
      .waitFor()
    // The period before ends with the day before the first shown day.
    const lastDay = new Date(Date.now() - 7 * 86_400_000).getUTCDate()
    await statistics
      .getByText(new RegExp(`^Compared with .*–\\s(\\w+ )?${lastDay}\\. Statistics count whole days in UTC\\.$`))
      .waitFor()
    // The labels of an axis have the width that they need.
    const outside = await statistics
      .getByRole('figure', { name: 'First response time' })
      .evaluate(figure =>
        [...figure.querySelectorAll('[class*=yAxis] > span')].filter(
          label => label.getBoundingClientRect().left < figure.getBoundingClientRect().left,
        ),
      )
    expect(outside).toEqual([])
    await statistics.getByRole('button', { name: 'Time range: Last 7 days' }).click()
    await page.getByRole('menuitem', { name: 'Last 24 hours' }).click()
    await page.waitForURL('**/inbox/statistics?range=24h')
    expect(await page.title()).toContain('Inbox statistics · Inbox · ')
    await statistics.getByRole('button', { name: 'Show as table' }).click()
    await statistics.getByRole('table').filter({ hasText: '90% answered within' }).getByRole('row').nth(1).waitFor()
    expect(await faultsOf(page)).toEqual([])
    // A short range of one's own is shown by the hour.
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
    const [since, until] = [hour - 6 * 3_600_000, hour].map(at => new Date(at).toISOString())
    const byHour = page.waitForRequest(request => {
      const { pathname, searchParams } = new URL(request.url())
      return pathname === '/v1/inbox/stats' && searchParams.get('since') === since && searchParams.get('by') === 'hour'
    })
    await page.goto(`/inbox/statistics?since=${since}&until=${until}`)
    await byHour
  })

  test('notifies of new messages while the tab is hidden, once a minute, without the text unless wanted', async () => {
    const opened = await openDashboard(browser, world, '/inbox')
    const { page } = opened
    await page.addInitScript(() => {
      const shown: string[] = []
      class Stub {
        static permission = 'default'
        static requestPermission = async () => {
          shown.push('asked')
          Stub.permission = 'granted'
          return 'granted'
        }
        constructor(title: string, { body = '' }: { body?: string } = {}) {
          shown.push(`${title}: ${body}`)
        }
      }
      Object.assign(window, { Notification: Stub, shown })
    })
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    const setVisibility = (state: string) =>
      page.evaluate(value => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await page.clock.install()
    await page.reload()
    await page.getByRole('button', { name: 'Browser notifications' }).click()
    expect(await shown()).toEqual([])
    await page.getByRole('switch', { name: 'Notify me of new messages' }).click()
    await page.getByRole('switch', { name: 'Notify me of new messages' }).and(page.locator(':checked')).waitFor()
    await page.keyboard.press('Escape')
    // The part of the page that notifies is loaded when the browser is idle.
    await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
    await setVisibility('hidden')
    await writes('+12025550234', 'A secret', 'Rosa')
    /** Lets the next check for messages happen. Faster checks would only wait for the same response. */
    const check = async () => {
      const checked = page.waitForResponse(answer => /\/v1\/conversations\?.*unread=true/.test(answer.url()))
      await page.clock.fastForward(15_000)
      await checked
    }
    const notified = (count: number) =>
      eventually(
        `${count} are shown`,
        async () => {
          await check()
          return (await shown()).length >= count
        },
        30_000,
      )
    await notified(2)
    await writes('+12025550234', 'Another')
    // The second check begins after the page has handled the first one.
    await check()
    await check()
    expect(await shown()).toEqual(['asked', 'New message from Rosa: '])
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find(name => name.endsWith('notifications'))!
      localStorage.setItem(key, JSON.stringify({ isOn: true, showsText: true }))
      dispatchEvent(
        new StorageEvent('storage', { key, newValue: localStorage.getItem(key), storageArea: localStorage }),
      )
    })
    await notified(3)
    expect((await shown()).at(-1)).toBe('New message from Rosa: Another')
  })

  test('anchors messages above the composer and opens the phone in place of the customer column', async () => {
    const { conversationId: id } = await writes('+12025550235', 'One line', 'Sara Berg')
    const { page } = await openDashboard(browser, world, `/inbox/${id}`, { width: 1440 })
    const message = await thread(page).getByText('One line').boundingBox()
    const frame = await thread(page).boundingBox()
    expect(frame!.y + frame!.height - message!.y - message!.height).toBeLessThan(80)

    const row = page.getByRole('row').filter({ hasText: 'Sara Berg' })
    const background = () => row.evaluate(element => getComputedStyle(element).backgroundColor)
    const before = await background()
    const link = row.getByRole('link')
    await link.hover()
    expect(await background()).toBe(before)
    expect(await link.evaluate(element => getComputedStyle(element).textDecorationLine)).toBe('none')

    // The phone is for tests, so its button is as quiet as the others beside the title.
    const phoneButton = page.getByRole('button', { name: 'Sandbox phone' })
    expect(await phoneButton.evaluate(element => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
    await phoneButton.click()
    const column = page.getByRole('complementary', { name: 'Customer' })
    const dialog = page.getByRole('dialog', { name: 'Sandbox phone' })
    await untilFocused(dialog)
    await dialog.getByRole('button', { name: 'Close phone' }).click()
    await untilFocused(phoneButton)
    await phoneButton.click()
    const phone = await dialog.boundingBox()
    expect(await column.isVisible()).toBe(false)
    const log = await thread(page).boundingBox()
    expect(log!.x + log!.width).toBeLessThanOrEqual(phone!.x)
    // The keys of the inbox work beside the docked phone.
    await page.keyboard.press('r')
    await untilFocused(page.getByRole('textbox', { name: 'Reply' }))
    await phoneButton.click()
    await column.waitFor()
  })

  test('names the number of a customer without a name in a sale', async () => {
    const { conversationId: id } = await writes('+12025550236', 'Who am I?')
    const { page } = await openDashboard(browser, world, `/inbox/${id}`)
    await page.getByRole('button', { name: 'Record sale' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record sale for +12025550236' })
    for (const amount of ['0', '9'.repeat(20)]) {
      await dialog.getByLabel('Amount').fill(amount)
      await page.keyboard.press('Enter')
      await dialog.getByText('Enter an amount above 0 and below 1,000,000,000,000.').waitFor()
      await dialog.getByLabel('Amount').fill('')
    }
    expect((await world.expect(200, 'GET', `/v1/sales?conversationId=${id}`)).data).toEqual([])
  })

  test('returns the focus to the button after an assignment by keyboard', async () => {
    const { conversationId: id } = await writes('+12025550237', 'Mine?')
    const { page } = await openDashboard(browser, world, `/inbox/${id}`)
    await page.getByRole('button', { name: /^Assignee: Unassigned/ }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await untilFocused(page.getByRole('button', { name: /^Assignee: / }))
  })

  test('opens the next conversation after a person closes one, and counts it immediately', async () => {
    await writes('+12025550251', 'First?', 'Una Eins')
    await writes('+12025550252', 'Second?', 'Dora Zwei')
    const { page } = await openDashboard(browser, world, '/templates')
    // Without the live feed only the action itself refreshes the statistics.
    await page.route('**/v1/stream', route => route.abort())
    await page.goto('/inbox')
    const waiting = page
      .getByRole('link', { name: /Inbox statistics/ })
      .locator('strong')
      .first()
    const title = page.getByRole('heading', { level: 2 })
    await page.getByRole('link', { name: 'Una Eins' }).click()
    await title.filter({ hasText: 'Una Eins' }).waitFor()
    await waiting.filter({ hasNotText: '–' }).waitFor()
    const before = Number(await waiting.textContent())
    await page.keyboard.press('e')
    await page.getByRole('alert').filter({ hasText: 'Conversation closed.' }).waitFor()
    await title.filter({ hasText: 'Dora Zwei' }).waitFor()
    expect(Number(await waiting.textContent())).toBe(before - 1)
  })

  test('assigns and closes selected conversations, says which ones were left out or failed, and stops', async () => {
    const names = ['Bulk Eins', 'Bulk Zwei', 'Bulk Drei']
    const ids: string[] = []
    for (const [index, name] of names.entries())
      ids.push((await writes(`+1202555027${index}`, 'Together?', name)).conversationId)
    const read = (id: string) => world.expect(200, 'GET', `/v1/conversations/${id}`)
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    await world.expect(200, 'PATCH', `/v1/conversations/${ids[2]}`, { body: { status: 'closed' } })
    const { page } = await openDashboard(browser, world, '/inbox?filter=all&q=Bulk', { width: 360 })
    const row = page.getByRole('row').filter({ hasText: 'Bulk Eins' })
    await row.waitFor()
    const top = async () => (await row.boundingBox())!.y
    const before = await top()
    // The first row is the one that the keyboard selects before a conversation is open.
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('1 selected').waitFor()
    const selectAll = bar.getByRole('button', { name: 'Select all loaded rows' })
    await selectAll.click()
    await bar.getByText('3 selected').waitFor()
    await selectAll.and(page.locator(':focus')).waitFor()
    expect([await top(), await isWithinTheWindow(page)]).toEqual([before, true])
    expect(await faultsOf(page)).toEqual([])

    await bar.getByRole('button', { name: 'Assign' }).click()
    const assigning = page.getByRole('dialog', { name: 'Assign conversations' })
    await assigning.getByRole('button', { name: 'Assign 3 conversations' }).click()
    await assigning.getByText('3 succeeded.').waitFor()
    await assigning.getByRole('button', { name: 'Close' }).last().click()
    await bar.waitFor({ state: 'detached' })
    for (const id of ids) expect((await read(id)).assigneeId).toBe(user.id)

    for (const name of names) {
      // Next to the checkbox, in its cell.
      const cell = page.getByRole('row').filter({ hasText: name }).getByRole('cell').first()
      await cell.click({ position: { x: 4, y: 4 } })
    }
    await bar.getByText('3 selected').waitFor()
    const fails = `**/v1/conversations/${ids[0]}`
    const json = { error: { code: 'rate_limited', message: 'Not now.' }, request_id: 'none' }
    await page.route(fails, route => route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json }))
    await bar.getByRole('button', { name: 'Close' }).click()
    const closing = page.getByRole('dialog', { name: 'Close conversations' })
    await closing.getByText('1 record is left out:').waitFor()
    await closing.getByText('Bulk Drei: Closed').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await closing.getByRole('button', { name: 'Close 2 conversations' }).and(page.locator(':focus')).click()
    await closing.getByText('1 of 2').waitFor()
    await closing.getByRole('button', { name: 'Stop' }).click()
    await closing.getByRole('alert').getByText('Bulk Eins: Not now.').waitFor()
    await page.unroute(fails)
    await closing.getByRole('button', { name: 'Try the failed ones again' }).click()
    await closing.getByText('1 succeeded.').waitFor()
    for (const id of ids) expect((await read(id)).status).toBe('closed')
  })

  test('shows bones of the rows while the list is loaded', async () => {
    const { page } = await openDashboard(browser, world, '/templates')
    await page.getByRole('heading', { name: 'Templates' }).waitFor()
    await page.route('**/v1/conversations?**', () => {})
    await page.goto('/inbox')
    const bones = page.getByRole('table', { name: 'Conversations' }).getByRole('row').nth(1).getByRole('cell')
    await bones.first().waitFor({ state: 'attached' })
    const widths = await bones.evaluateAll(cells =>
      cells.map(cell => Number.parseFloat(getComputedStyle(cell, '::before').width) || 0),
    )
    expect(widths.length).toBe(4)
    expect(widths.filter(width => width < 16)).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('shows a possible opt-out to the whole team until a person decides', async () => {
    const { conversationId: id } = await writes('+12025550240', 'Please stop texting me', 'Yann')
    const agent = await openDashboard(browser, world, '/inbox?filter=all', { token: await agentOf(world) })
    const chip = agent.page.getByRole('row').filter({ hasText: 'Yann' }).getByText('Possible opt-out')
    await chip.waitFor()

    const { page } = await openDashboard(browser, world, `/inbox/${id}?filter=all`)
    const notice = (name: string) => page.getByRole('button', { name })
    await notice('Opt out customer').waitFor()
    await eventually('it was read', async () => {
      const { unread } = await world.expect(200, 'GET', `/v1/conversations/${id}`)
      return unread === 0
    })
    await page.reload()
    await notice('Not an opt-out').waitFor()
    await agent.page.reload()
    await chip.waitFor()
    expect(await faultsOf(page)).toEqual([])

    // A closed conversation stays with the unanswered ones until somebody decides.
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { status: 'closed' } })
    await agent.page.goto('/inbox')
    await chip.waitFor()
    await notice('Not an opt-out').click()
    await notice('Not an opt-out').waitFor({ state: 'detached' })
    await chip.waitFor({ state: 'detached' })

    await writes('+12025550240', 'Please stop texting me', 'Yann')
    await chip.waitFor()
    await notice('Opt out customer').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Opt out customer' }).click()
    await page.getByRole('alert').filter({ hasText: 'Customer opted out. Close conversation' }).waitFor()
    await page.getByText('Opted out', { exact: true }).first().waitFor()
    await notice('Not an opt-out').waitFor({ state: 'detached' })
    await chip.waitFor({ state: 'detached' })
    const { customerId } = await world.expect(200, 'GET', `/v1/conversations/${id}`)
    expect((await world.expect(200, 'GET', `/v1/customers/${customerId}`)).optedOutAt).not.toBeNull()
  })

  test('keeps the question about an opt-out open when somebody else decides, and says so', async () => {
    const { conversationId: id } = await writes('+12025550241', 'Please stop texting me', 'Zita')
    const { page } = await openDashboard(browser, world, `/inbox/${id}?filter=all`)
    await page.getByRole('button', { name: 'Opt out customer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Opt out this customer?' })
    await dialog.waitFor()
    await world.expect(200, 'POST', `/v1/conversations/${id}/opt-out-decision`, { body: { decision: 'ignored' } })
    await dialog.getByText('Someone else has already decided about this message.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Opt out customer' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { customerId } = await world.expect(200, 'GET', `/v1/conversations/${id}`)
    expect((await world.expect(200, 'GET', `/v1/customers/${customerId}`)).optedOutAt).not.toBeNull()
  })

  test('chooses a template with a slash, fills it in and previews it; explains why another is blocked', async () => {
    const { conversationId: id } = await writes('+12025550202', 'I take it', 'Cleo')
    const { page } = await openDashboard(browser, world, `/inbox/${id}`)
    await page.getByText('Not opted in').waitFor()
    await reply(page).fill('/')
    await page.getByRole('option', { name: /Lamps.*requires an opt-in/ }).waitFor()
    await reply(page).pressSequentially('order')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('textbox', { name: 'name', exact: true }).inputValue()).toBe('Cleo')
    await page.getByText('Missing values: item').waitFor()
    await page.getByRole('textbox', { name: 'item', exact: true }).fill('<i>lamp</i>')
    await page.getByRole('status', { name: 'Message preview' }).getByText('On its way: <i>lamp</i>.').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await thread(page).getByText('Thank you, Cleo! On its way: <i>lamp</i>.').waitFor()
  })

  test('shows an error at the reply, sends it again under its key, and keeps what is typed during the request', async () => {
    const { conversationId: id } = await writes('+12025550203', 'Is it there?', 'Dana')
    const { page } = await openDashboard(browser, world, `/inbox/${id}`)
    await reply(page).fill('Yes.')
    const keys: string[] = []
    const sent = Promise.withResolvers<void>()
    await page.route(`**/v1/conversations/${id}/messages`, async route => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().postDataJSON().idempotencyKey)
      const error = { code: 'invalid_request', message: 'Invalid.', details: { text: 'Not like this.' } }
      if (keys.length === 1) return route.fulfill({ status: 400, json: { error, request_id: 'none' } })
      await sent.promise
      return route.continue()
    })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Not like this.').waitFor()
    await reply(page).and(page.locator('[aria-invalid=true]')).waitFor()
    await reply(page).press('Control+Enter')
    await eventually('it is sent again', () => Promise.resolve(keys.length === 2))
    await reply(page).pressSequentially(' In blue.')
    sent.resolve()
    await thread(page).getByText('Yes.', { exact: true }).waitFor()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === ' In blue.')
    expect(keys[1]).toBe(keys[0]!)
    expect((await messagesOf(id)).map(({ text }) => text)).toEqual(['Yes.', 'Is it there?'])
  })

  test('counts new messages without moving the scroll position, and loads earlier messages on scroll', async () => {
    const { conversationId: id } = await writes('+12025550204', 'message 0', 'Elif')
    for (let n = 1; n < 70; n++) await writes('+12025550204', `message ${n}`)
    const { page } = await openDashboard(browser, world, `/inbox/${id}`)
    await thread(page).getByText('message 69').waitFor()
    expect(await thread(page).getByText('message 5', { exact: true }).count()).toBe(0)
    // Repeats the scroll, because the thread jumps to its end when it is first rendered.
    await eventually('the earlier messages are loaded', async () => {
      await thread(page).evaluate(element => element.scrollTo({ top: 0 }))
      return (await thread(page).getByText('message 5', { exact: true }).count()) > 0
    })
    const seen = thread(page).getByText('message 25', { exact: true })
    await seen.scrollIntoViewIfNeeded()
    const before = await seen.boundingBox()
    await writes('+12025550204', 'one more')
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await seen.boundingBox()).toEqual(before)
    await page.getByRole('button', { name: '1 new' }).click()
    await thread(page).getByText('one more').waitFor()
    await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
  })

  test('shows a failed message and sends it again', async () => {
    // The sandbox fails messages to numbers with this ending.
    const { conversationId: id } = await writes('+12025550000', 'Where is it?', 'Finn')
    await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'On its way.' } })
    await eventually('it failed', async () => (await messagesOf(id))[0]?.status === 'failed')
    const { page } = await openDashboard(browser, world, `/inbox/${id}?filter=all`)
    await thread(page).getByText('Failed').waitFor()
    const preview = (within: Page) => within.getByRole('row').filter({ hasText: 'Finn' })
    await preview(page).filter({ hasText: 'FailedYou: On its way.' }).waitFor()
    const agent = await openDashboard(browser, world, '/inbox?filter=all', { token: await agentOf(world) })
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    await preview(agent.page)
      .filter({ hasText: `Failed${user.name || user.email}: On its way.` })
      .waitFor()
    await thread(page).getByRole('button', { name: 'Send again' }).click()
    await thread(page).getByText('On its way.').nth(1).waitFor()
  })

  test('shows messages on the phone, sends replies, and reports a STOP in the composer', async () => {
    const { conversationId: id } = await writes('+12025550205', 'Hi', 'Gita')
    await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text: 'Good morning, Gita.' } })
    const { page } = await openDashboard(browser, world, `/inbox/${id}?filter=all`)
    // "No messages" must not be shown while the messages are still loading.
    await page.evaluate(() => {
      Object.assign(window, { saidNothing: false })
      new MutationObserver(() => {
        if (document.body.textContent!.includes('No messages yet. Write as'))
          Object.assign(window, { saidNothing: true })
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.getByRole('button', { name: 'Sandbox phone' }).click()
    const phone = page.getByRole('dialog', { name: 'Sandbox phone' })
    const screen = phone.getByRole('log')
    await screen.getByText('Good morning, Gita.').waitFor()
    expect(await page.evaluate('saidNothing')).toBe(false)
    await phone.getByRole('textbox', { name: 'Write as the customer' }).fill('Morning!')
    await page.keyboard.press('Enter')
    await screen.getByText('Morning!').waitFor()
    await thread(page).getByText('Morning!').waitFor()
    await phone.getByRole('button', { name: 'Send STOP' }).click()
    await page.getByText('You can reply, but you can’t send templates.').waitFor()

    await phone.getByRole('combobox', { name: 'Customer phone number' }).fill('+12025550206')
    await phone.getByText('No messages yet').waitFor()
    await phone.getByRole('textbox', { name: 'Write as the customer' }).fill('Somebody new')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '+12025550206' }).waitFor()
    // The phone is part of the address, so another list and a reload keep it.
    await page.getByRole('link', { name: 'Unanswered', exact: true }).click()
    await page.waitForURL(`**/inbox/${id}?phone=${sandbox}`)
    await page.reload()
    await phone.getByRole('button', { name: 'Close phone' }).click()
    await page.waitForURL(`**/inbox/${id}`)
  })

  test('offers only approved templates outside the 24-hour window and says why', async () => {
    const { conversationId: id } = await writes('+12025550207', 'Long ago', 'Hana')
    const { page } = await openDashboard(browser, world, '/inbox?filter=all')
    // Only provider channels have a window, so the response is changed in the browser.
    await page.route(`**/v1/conversations/${id}`, async route => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        json: { ...(await response.json()), windowClosesAt: '2026-01-01T00:00:00.000Z' },
      })
    })
    await page.getByRole('link', { name: 'Hana' }).click()
    await page.getByText('more than 24 hours old').waitFor()
    expect(await reply(page).count()).toBe(0)
    await page.getByPlaceholder('You have no approved templates.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('shows the words of a customer who still waits, although a campaign has written since', async () => {
    const { conversationId } = await writes('+12025550242', 'Is the lamp back in stock?', 'Mia')
    const path = `/v1/conversations/${conversationId}`
    await world.expect(201, 'POST', `${path}/messages`, { body: { text: 'Spring sale' } })
    await world.database.sql`
      update messages set sent_by = 'campaign' where conversation_id = ${conversationId} and direction = 'outbound'`
    await world.database.sql`update conversations set waiting_since = now() where id = ${conversationId}`
    const { page } = await openDashboard(browser, world, '/templates')
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    await page.goto('/inbox')
    const row = page.getByRole('row').filter({ hasText: 'Mia' })
    await row.getByText('Is the lamp back in stock?').waitFor()
    expect(requested.filter(path => path.endsWith('/messages'))).toEqual([])
    expect(await row.getByText('Spring sale').count()).toBe(0)
    await page.goto('/inbox?filter=all')
    await row.getByText('Is the lamp back in stock?').waitFor()
    await world.database.sql`update conversations set waiting_since = null where id = ${conversationId}`
    await page.reload()
    await row.getByText('Spring sale').waitFor()
  })

  test.each([1440, 1024, 360])(
    'shows the figures of today in full at %p px, unless the list is refused',
    async width => {
      await writes('+12025550241', 'Is it open?')
      const { page } = await openDashboard(browser, world, '/templates', { width })
      const longest = { firstResponseP50: 23_040, firstResponseP90: 35_900 }
      await page.route('**/v1/inbox/stats?*', async route => {
        const response = await route.fetch()
        const stats = await response.json()
        const since = new Date(Date.now() - 59.5 * 60_000).toISOString()
        await route.fulfill({
          response,
          json: { ...stats, ...longest, longestWait: { ...stats.longestWait, since } },
        })
      })
      await page.goto('/inbox')
      const figures = page.getByRole('link', { name: /^Inbox statistics/ })
      await figures.getByText('90% within').waitFor()
      for (const text of ['59 min', '6 hr 24 min', '9 hr 58 min'])
        await figures.getByText(text, { exact: true }).waitFor()
      const space = await figures.evaluate(
        link => link.getBoundingClientRect().right - link.querySelector(':scope > svg')!.getBoundingClientRect().right,
      )
      expect(space).toBeGreaterThanOrEqual(12)
      const cut = await figures.evaluate(link =>
        [...link.querySelectorAll('strong, strong + span')]
          .filter(
            text =>
              text.scrollWidth > text.clientWidth ||
              text.getBoundingClientRect().right > link.getBoundingClientRect().right,
          )
          .map(text => text.textContent),
      )
      expect(cut).toEqual([])
      const heights = await figures.evaluate(link =>
        [...link.querySelectorAll('strong')].map(({ clientHeight }) => clientHeight),
      )
      expect(new Set(heights).size).toBe(1)
      const json = { error: { code: 'forbidden', message: 'No.' } }
      await page.route('**/v1/conversations?*', route => route.fulfill({ status: 403, json }))
      await page.reload()
      await page.getByRole('alert').waitFor()
      expect(await figures.count()).toBe(0)
      await page.unrouteAll({ behavior: 'wait' })
    },
  )

  test('names the assignee beside the initials, and in full on hover', async () => {
    const { conversationId: id } = await writes('+12025550242', 'Who helps?')
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    await world.expect(200, 'PATCH', `/v1/conversations/${id}`, { body: { assigneeId: user.id } })
    const { page } = await openDashboard(browser, world, `/inbox/${id}`, { width: 1440 })
    const assignee = page.getByRole('button', { name: /^Assignee:/ })
    expect(await assignee.getAttribute('title')).toBe(user.name || user.email)
    expect(await assignee.locator('svg').isVisible()).toBe(true)
    await assignee.getByText('Me', { exact: true }).waitFor()
  })

  test('shows the list, a thread and its customer as separate pages on a phone, within its width', async () => {
    const { conversationId: id } = await writes('+12025550209', `${'long'.repeat(200)} שלום`, 'Jo')
    const { page } = await openDashboard(browser, world, '/inbox', { width: 360 })
    await page.getByRole('link', { name: 'Jo' }).click()
    await thread(page).getByText('longlong').waitFor()
    expect(await isWithinTheWindow(page)).toBe(true)
    await page.getByRole('button', { name: 'Customer', exact: true }).click()
    await page.getByRole('heading', { name: 'Consent' }).waitFor()
    expect(await isWithinTheWindow(page)).toBe(true)
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('link', { name: 'Back to the inbox' }).click()
    await page.getByRole('table', { name: 'Conversations' }).waitFor()
    expect(page.url()).not.toContain(id)
  })
})
