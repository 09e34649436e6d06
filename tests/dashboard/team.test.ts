/** Tests of Team, Plan and Audit log, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import { forecastLimitDate } from '../../src/dashboard/pages/plan/forecast.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

test('computes when a monthly allowance is used up at the current rate, or that it lasts', () => {
  const now = new Date('2026-06-11T00:00:00Z')
  const resetsAt = '2026-07-01T00:00:00Z'
  expect(forecastLimitDate({ limit: 1000, used: 500, resetsAt }, now)).toEqual(new Date('2026-06-21T00:00:00Z'))
  expect(forecastLimitDate({ limit: 1000, used: 100, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: 1000, used: 1000, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: null, used: 1000, resetsAt }, now)).toBeNull()
  expect(forecastLimitDate({ limit: 1000, used: 0, resetsAt }, now)).toBeNull()
})

describe.skipIf(browserPath === null)('the team', () => {
  const world = useWorld()
  const browser = useBrowser()

  test('invites a member with a link that is shown once and can be accepted', async () => {
    const { page, complaints } = await openDashboard(browser, world, '/team')
    await page.getByRole('button', { name: 'Invite member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite member' })
    await form.getByLabel('Email').fill('ben@shop.example')
    await form.getByRole('button', { name: 'Send invitation' }).click()
    const link = page.getByRole('dialog', { name: 'Share this link' })
    const url = await link.getByLabel('Invitation link').inputValue()
    await page.keyboard.press('Escape')
    expect(await faultsOf(page)).toEqual([])
    await link.getByRole('button', { name: 'I’ve copied the link' }).click()
    await page.getByRole('row').filter({ hasText: 'ben@shop.example' }).getByText('Invited').waitFor()
    expect(complaints).toEqual([])

    const guest = await browser.open(world.url, { colorScheme: 'dark' })
    guest.page.setDefaultTimeout(30_000)
    await guest.page.goto(url)
    await guest.page.getByLabel('Your name').fill('Ben')
    expect(await faultsOf(guest.page)).toEqual([])
    await guest.page.getByLabel('Password', { exact: true }).fill('too short')
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.getByRole('alert').waitFor()
    await guest.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await guest.page.waitForURL(`${world.url}/`)
    await guest.page.goto('/team')
    await guest.page.getByRole('button', { name: 'You: Ben' }).waitFor()
  })

  test('changes a role immediately, undoes it, and removes a member', async () => {
    const { page } = await openDashboard(browser, world, '/team')
    const { invitation, id } = await world.expect(201, 'POST', '/v1/members', {
      body: { email: 'cleo@shop.example', role: 'agent', name: 'Cleo' },
    })
    expect(invitation.url).not.toBeNull()
    await page.reload()
    await page.getByRole('link', { name: 'Cleo' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByRole('radio', { name: 'Owner' }).click()
    await page.getByText('Cleo is now an owner.').waitFor()
    const role = async () =>
      (await world.expect(200, 'GET', '/v1/members')).data.find((one: { id: string }) => one.id === id)?.role
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

  test('reports a rejected workspace setting and edits the name in place', async () => {
    const { page } = await openDashboard(browser, world, '/settings/security')
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click({ force: true })
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Workspace', exact: true }).last().click()
    await page.getByRole('button', { name: 'Edit Name' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Lamp shop')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('Lamp shop').first().waitFor()
  })

  test('saves opt-out words and the choice of alert emails, and shows a rejected word at its field', async () => {
    const { page } = await openDashboard(browser, world, '/settings/opt-out-words')
    const words = page.getByLabel('Words of this workspace').first()
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
    expect(await world.expect(200, 'GET', '/v1/opt-out-words')).toEqual({ words: ['basta'] })

    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('switch', { name: 'A channel can’t send messages' }).click({ force: true })
    await page.getByRole('switch', { name: 'A channel can’t send messages', checked: false }).waitFor()
    expect(await world.expect(200, 'GET', '/v1/auth/user')).toMatchObject({ mutedEmails: ['channel_failing'] })
    expect(await faultsOf(page)).toEqual([])
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
    expect(complaints).toEqual([])
  })
})
