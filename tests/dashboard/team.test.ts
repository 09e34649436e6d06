/** Tests of Team, Plan and Audit log, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import { forecastLimitDate, forecastUsage, toUsageDays } from '../../src/dashboard/pages/plan/forecast.ts'
import { settings } from '../../src/dashboard/texts/en/settings.ts'
import { thresholds } from '../../src/events/notify-allowance.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { eventually, useWorld } from '../support/world.ts'

test('computes when a monthly allowance is used up at the current rate, or that it lasts', () => {
  const now = new Date('2026-06-11T00:00:00Z')
  const resetsAt = '2026-07-01T00:00:00Z'
  expect(forecastLimitDate({ limit: 1000, used: 500, resetsAt }, now)).toEqual(new Date('2026-06-21T00:00:00Z'))
  expect(forecastLimitDate({ limit: 1000, used: 100, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: 1000, used: 1000, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: null, used: 1000, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: 1000, used: 0, resetsAt }, now)).toBeNull()
})

test('the settings name the shares of the events at which an email is sent', () => {
  const named = settings['settings.alertText.monthly_events'].match(/\d+%/g)
  expect([...(named ?? [])]).toEqual(thresholds.toReversed().map(percent => `${percent}%`))
})

test('adds up the days of a month and continues them at the current rate', () => {
  const now = new Date('2026-06-03T00:00:00Z')
  const usage = { limit: null, used: 20, resetsAt: '2026-07-01T00:00:00Z' }
  expect(forecastUsage(usage, now)).toBe(300)
  const days = [
    { at: '2026-06-01T00:00:00.000Z', events: 15 },
    { at: '2026-06-02T00:00:00.000Z', events: 5 },
  ]
  const rows = toUsageDays(usage, days, now)
  expect(rows).toHaveLength(30)
  expect(rows.slice(0, 4).map(({ used, projected }) => [used, projected])).toEqual([
    [15, null],
    [20, null],
    [20, 20],
    [null, 40],
  ])
  expect(rows.at(-1)).toEqual({ at: '2026-06-30T00:00:00.000Z', used: null, projected: 300 })
})

test('continues a month at the rate of its last 7 days', () => {
  const now = new Date('2026-06-21T00:00:00Z')
  const usage = { limit: 400, used: 153, resetsAt: '2026-07-01T00:00:00Z' }
  const days = Array.from({ length: 20 }, (_, day) => ({
    at: new Date(Date.UTC(2026, 5, 1 + day)).toISOString(),
    events: day < 13 ? 1 : 20,
  }))
  expect(forecastUsage(usage, now, days)).toBe(353)
  expect(toUsageDays(usage, days, now).at(-1)!.projected).toBe(353)
  expect(forecastLimitDate({ ...usage, limit: 253 }, now, days)).toEqual(new Date('2026-06-26T00:00:00Z'))
})

describe.skipIf(browserPath === null)('the team', () => {
  const world = useWorld()
  const browser = useBrowser()

  test('invites a member with a link that is shown once and can be accepted', async () => {
    const { page, complaints } = await openDashboard(browser, world, '/team')
    await page.getByRole('heading', { name: 'You’re the only one here' }).waitFor()
    await page.getByRole('button', { name: 'Invite member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite member' })
    await form.getByRole('button', { name: 'Send invitation' }).click()
    await form.getByText('Enter an email address such as').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page)).toEqual([])
    }
    await form.getByLabel('Email').fill('ben@shop.example')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    const link = page.getByRole('dialog', { name: 'Share this link' })
    const url = await link.getByLabel('Invitation link').inputValue()
    await page.keyboard.press('Escape')
    expect(await faultsOf(page)).toEqual([])
    await link.getByRole('button', { name: 'I’ve copied the link' }).click()
    // An invitation without a name has its address in the column of the addresses.
    const row = page.getByRole('row').filter({ hasText: 'ben@shop.example' })
    await row.getByText('Invited').waitFor()
    expect(await row.getByRole('cell').nth(1).textContent()).toBe('No name yet')
    expect(await row.getByRole('cell').nth(2).textContent()).toBe('ben@shop.example')
    expect(complaints).toEqual([])

    const guest = await browser.open(world.url, { colorScheme: 'dark' })
    guest.page.setDefaultTimeout(30_000)
    await guest.page.goto(url)
    await guest.page.getByLabel('Your name').fill('Ben')
    expect(await faultsOf(guest.page)).toEqual([])
    await guest.page.getByLabel('Password', { exact: true }).fill('too short')
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByText('Must have 12 to 1000 characters.').waitFor()
    expect(await faultsOf(guest.page)).toEqual([])
    await guest.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.waitForURL(`${world.url}/`)
    await guest.page.goto('/team')
    await guest.page.getByRole('button', { name: 'You: Ben' }).waitFor()
  })

  test('adds a service account, creates its token, shows it in the audit log, and removes the account', async () => {
    const { page, complaints } = await openDashboard(browser, world, '/team')
    await page.getByRole('button', { name: 'Add service account' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add service account' })
    await form.getByRole('button', { name: 'Add service account' }).click()
    await form.getByText('Enter a name.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await form.getByLabel('Name').fill('Terraform')
    await form.getByRole('radio', { name: 'Owner' }).click()
    await form.getByRole('button', { name: 'Add service account' }).click()
    const panel = page.getByRole('complementary', { name: /Terraform/ })
    await panel.getByText('Create a token for the program that uses this account.').waitFor()
    await panel.getByRole('button', { name: 'Create token' }).click()
    const tokenForm = page.getByRole('dialog', { name: 'Create token' })
    await tokenForm.getByLabel('Name').fill('pipeline')
    await tokenForm.getByRole('radio', { name: 'Read and write' }).click()
    await tokenForm.getByRole('button', { name: 'Create token' }).click()
    const once = page.getByRole('dialog', { name: 'Access token pipeline' })
    const token = await once.getByText(/^cest_[\w-]{43}$/).textContent()
    await once.getByRole('checkbox').check()
    await once.getByRole('button', { name: 'Done' }).click()
    await panel.getByRole('listitem').getByText('pipeline').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page)).toEqual([])
    }
    // The list has no space for this column while the panel is open.
    await page.keyboard.press('Escape')
    const row = page.getByRole('row').filter({ hasText: 'Terraform' })
    await row.getByRole('cell', { name: 'Service account' }).waitFor()

    const as = { Authorization: `Bearer ${token}` }
    const template = { name: 'Sale', category: 'utility', body: 'Hello', variables: [] }
    await world.expect(201, 'POST', '/v1/templates', { as, body: template })
    await page.goto('/audit?action=createTemplate')
    const entry = page.getByRole('row').filter({ hasText: 'by token pipeline' })
    await entry.getByText('Terraform').waitFor()
    await page.goto('/audit?action=addServiceAccount')
    await page.getByRole('link', { name: 'Added a service account' }).waitFor()
    await page.goto('/audit?action=createMemberToken')
    await page.getByRole('link', { name: 'pipeline' }).click()
    await panel.getByRole('button', { name: 'Remove service account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove service account' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('401 unauthorized')
    expect(complaints).toEqual([])
  })

  test('confirms full access before it changes a role, undoes it, and removes a member', async () => {
    const { page } = await openDashboard(browser, world, '/team')
    const { invitation, id } = await world.expect(201, 'POST', '/v1/members', {
      body: { email: 'cleo@shop.example', role: 'agent', name: 'Cleo' },
    })
    expect(invitation.url).not.toBeNull()
    await page.reload()
    await page.getByRole('link', { name: 'Cleo' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByRole('radio', { name: 'Owner' }).click()
    const role = async () =>
      (await world.expect(200, 'GET', '/v1/members')).data.find((one: { id: string }) => one.id === id)?.role
    const confirmation = page.getByRole('dialog', { name: 'Make Cleo an owner?' })
    await confirmation.waitFor()
    expect(await role()).toBe('agent')
    await confirmation.getByRole('button', { name: 'Make owner' }).click()
    await page.getByText('Cleo is now an owner.').waitFor()
    expect(await role()).toBe('owner')
    await page.getByRole('button', { name: 'Undo' }).click()
    await panel.getByRole('radio', { name: 'Agent', checked: true }).waitFor()
    expect(await role()).toBe('agent')
    await panel.getByRole('button', { name: 'Withdraw invitation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Withdraw invitation' }).click()
    await page.getByRole('link', { name: 'Cleo' }).waitFor({ state: 'detached' })
    expect(await role()).toBeUndefined()
  })

  test('invites several people again with new links, and withdraws the invitations of a selection', async () => {
    for (const email of ['dina@shop.example', 'eli@shop.example'])
      await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    const { page, complaints } = await openDashboard(browser, world, '/team')
    const rows = page.getByRole('row').filter({ hasText: /dina|eli|Email/ })
    await rows.nth(2).waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Invite again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite again?' })
    await dialog
      .getByText(/already joined/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: 'Invite 2 people again' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const links = page.getByRole('dialog', { name: 'Share these links' })
    expect(await links.getByLabel('eli@shop.example').inputValue()).toContain('#token=')
    expect(await faultsOf(page)).toEqual([])
    await links.getByRole('button', { name: 'I’ve copied the links' }).click()

    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Withdraw invitation' }).click()
    await page.getByRole('button', { name: 'Withdraw 2 invitations' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row').filter({ hasText: 'eli@shop.example' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('shows owners alone who has a second factor, and how many have not', async () => {
    const kim = await world.person()
    await world.database.sql`
      insert into second_factors (user_id, secret, confirmed_at) values (${kim.id}, ${Buffer.alloc(32)}, now())`
    await world.expect(201, 'POST', '/v1/members', { body: { kind: 'service', name: 'Deployment', role: 'agent' } })
    const { page } = await openDashboard(browser, world, '/settings/security')
    await page.getByText(/^\d+ of \d+ members (has|have) not set it up\. View team$/).waitFor()
    // An owner cannot require what the own account lacks.
    expect(await page.getByRole('switch', { name: 'Require two-factor authentication' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: /^Team .* \d+ members?, .*\d+ service account/ }).click()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row(kim.email).getByText('On', { exact: true }).waitFor()
    await row('(you)').getByText('Off', { exact: true }).waitFor()
    expect(
      await row('Deployment')
        .getByText(/^(On|Off)$/)
        .count(),
    ).toBe(0)
    await row(kim.email).getByRole('link').first().click()
    await page.getByRole('complementary').getByText('On', { exact: true }).waitFor()

    const { page: agentPage } = await openDashboard(browser, world, '/team', { token: await agentOf(world) })
    await agentPage.getByRole('row').filter({ hasText: kim.email }).waitFor()
    expect(await agentPage.getByText('Two-factor').count()).toBe(0)
  })

  test('reports a rejected workspace setting and edits the name in place', async () => {
    const { page } = await openDashboard(browser, world, '/settings/security')
    // The page has not noticed yet that the second factor was removed.
    const own = { enabled: true, since: '2026-01-01T00:00:00.000Z', recoveryCodesLeft: 10 }
    await page.route('**/v1/auth/totp', route => route.fulfill({ json: own }))
    await page.reload()
    await page
      .getByRole('switch', { name: 'Require two-factor authentication', disabled: false })
      .click({ force: true })
    const dialog = page.getByRole('dialog', { name: 'Require two-factor authentication?' })
    await dialog.getByText(/^Members lose access until they set it up\..* not set it up\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Require' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).last().click()
    await page.getByRole('link', { name: 'Workspace', exact: true }).last().click()
    const field = page.getByRole('textbox', { name: 'Name' })
    const before = await field.inputValue()
    await field.fill('Lamp shop')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('Lamp shop').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('banner').getByText(before, { exact: true }).first().waitFor()
    await eventually('the field has the name again', async () => (await field.inputValue()) === before)
  })

  test('saves opt-out words and the choice of alert emails, and shows a rejected word at its field', async () => {
    const { page } = await openDashboard(browser, world, '/settings/opt-out-words')
    const words = page.getByLabel('Your words').first()
    for (const word of ['basta', 'x'.repeat(60)]) {
      await words.fill(word)
      await words.press('Enter')
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^x+: Must/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await words.press('Backspace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true)
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: ['basta'] })

    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('switch', { name: 'A channel can’t send messages' }).click({ force: true })
    await page.getByRole('switch', { name: 'A channel can’t send messages', checked: false }).waitFor()
    await eventually('it is saved', async () => {
      const { mutedEmails } = await world.expect(200, 'GET', '/v1/auth/user')
      return Bun.deepEquals(mutedEmails, ['channel_failing'])
    })
    expect(await faultsOf(page)).toEqual([])
    // The second switch follows before the response to the first one.
    const release = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/v1/auth/user', async route => {
      if (route.request().method() === 'PATCH' && ++requests === 1) await release.promise
      await route.continue()
    })
    await page.getByRole('switch').first().click({ force: true })
    await page.getByRole('switch').last().click({ force: true })
    release.resolve()
    await eventually('both are saved', async () => {
      const { mutedEmails } = await world.expect(200, 'GET', '/v1/auth/user')
      return requests === 2 && mutedEmails.length === 3
    })
  })

  test('keeps the opt-out words that another owner adds and removes', async () => {
    const put = (words: string[]) => world.expect(200, 'PUT', '/v1/opt-out-words', { body: { words } })
    await put(['basta', 'fine'])
    const { page } = await openDashboard(browser, world, '/settings/opt-out-words')
    const words = page.getByLabel('Your words').first()
    await words.fill('genug')
    await words.press('Enter')
    await put(['basta', 'schluss'])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await world.expect(200, 'GET', '/v1/opt-out-words')).words).toEqual(['basta', 'schluss', 'genug'])
    // Input that is not saved does not hide the words of another owner, also after a reload.
    await words.press('Backspace')
    await put(['schluss', 'genug', 'alto'])
    await page.reload()
    await page.getByText('alto').waitFor()
    expect(await page.getByText('genug').count()).toBe(0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await world.expect(200, 'GET', '/v1/opt-out-words')).words).toEqual(['schluss', 'alto'])
    // A saved removal is not repeated.
    await put(['schluss', 'alto', 'genug'])
    await words.fill('niente')
    await words.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await eventually('all are kept', async () => {
      const saved: string[] = (await world.expect(200, 'GET', '/v1/opt-out-words')).words
      return saved.length === 4 && ['schluss', 'alto', 'genug', 'niente'].every(word => saved.includes(word))
    })
  })

  test('takes back the choice of an email before its first request is answered', async () => {
    const { page } = await openDashboard(browser, world, '/settings/notifications', { token: await agentOf(world) })
    const release = Promise.withResolvers<void>()
    const sent: string[][] = []
    await page.route('**/v1/auth/user', async route => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(route.request().postDataJSON().mutedEmails)
      if (sent.length === 1) await release.promise
      await route.continue()
    })
    const alert = page.getByRole('switch').first()
    await alert.waitFor()
    const before = await alert.isChecked()
    await alert.click({ force: true })
    await alert.click({ force: true })
    release.resolve()
    await eventually('both are sent', () => sent.length === 2)
    expect(sent[1]!.length).not.toBe(sent[0]!.length)
    expect(await alert.isChecked()).toBe(before)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('filters the audit log by action, actor and record, and shows the whole entry', async () => {
    const { id } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'till' } })
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
    const { page, complaints } = await openDashboard(browser, world, '/audit')
    await page.getByRole('combobox', { name: 'Action' }).fill('Revoked')
    await page.getByRole('option', { name: 'Revoked an API key' }).click()
    await page.getByRole('link', { name: 'Revoked an API key' }).click()
    await page.getByRole('link', { name: 'View all actions on this resource' }).click()
    await page.getByRole('link', { name: 'Created an API key' }).waitFor()
    expect(page.url()).toBe(`${world.url}/audit?targetId=${id}`)
    expect(await page.getByRole('link', { name: /an API key$/ }).count()).toBe(2)

    // A range without entries, a saved view of it, and the way back.
    await page.goto('/audit?until=2020-01-01T00:00:00Z')
    await page.getByText('No entries match these filters.').waitFor()
    await page.getByRole('button', { name: 'Views' }).waitFor()
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('menuitem', { name: 'Last 24 hours' }).click()
    await page.getByRole('link', { name: 'Revoked an API key' }).waitFor()
    expect(page.url()).toBe(`${world.url}/audit?range=24h`)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await (await download).path()
    expect(await Bun.file(file).text()).toContain('Revoked an API key,till,')
    expect(complaints).toEqual([])
  })

  test('shows the fields of an entry before and after, as far as the log has them', async () => {
    const invited = await world.expect(201, 'POST', '/v1/members', {
      body: { email: 'fay@shop.example', role: 'agent' },
    })
    await world.expect(200, 'PATCH', `/v1/members/${invited.id}`, { body: { role: 'owner' } })
    await world.expect(200, 'PATCH', '/v1/workspace', { body: { timezone: 'Asia/Tokyo' } })
    const { page } = await openDashboard(browser, world, `/audit?targetId=${invited.id}`, { scheme: 'dark' })
    const changes = page.getByRole('table', { name: 'Changes' })
    await page.getByRole('link', { name: 'Changed a role' }).click()
    await changes.getByRole('row', { name: 'Role Agent Owner' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto('/audit?action=changeWorkspace')
    await page.getByRole('link', { name: 'Changed the workspace' }).first().click()
    await changes.getByRole('row', { name: 'Time zone Not recorded Asia/Tokyo' }).waitFor()
  })

  test('draws the events of the month with their projection, and what happens at each limit', async () => {
    await world.expect(201, 'POST', '/v1/events', { body: { type: 'order.created', phone: '+12025550371' } })
    const { page, complaints } = await openDashboard(browser, world, '/settings')
    await page.waitForURL('**/settings/workspace')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Plan' }).click()
    await page.waitForURL('**/settings/plan')
    const chart = page.getByRole('figure', { name: 'Total by day' })
    await chart.getByRole('listitem').filter({ hasText: 'Forecast' }).waitFor()
    await page.getByText(/^About \d+ expected this month/).waitFor()
    await page.getByText('Automations that start when an event arrives.').waitFor()
    await world.database.sql`
      update workspaces set plan_id = 'free' where id = ${world.workspaceId}`
    await page.reload()
    await page.getByText('At the limit, you can’t create more templates.').waitFor()
    await page.getByRole('progressbar', { name: 'Team seats' }).waitFor()
    await page.getByText(/within the limit/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('tells an agent only once why the alert emails are for owners', async () => {
    const { page } = await openDashboard(browser, world, '/settings/notifications', { token: await agentOf(world) })
    await page.getByText('Only owners receive these emails.').waitFor()
    expect(await page.getByText('View only').count()).toBe(0)
    await page.getByRole('link', { name: 'Opt-out words' }).click()
    await page.getByText('View only').waitFor()
  })
})
