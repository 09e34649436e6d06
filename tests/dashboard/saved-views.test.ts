/** Tests of saved views, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { expectQuiet, newSession, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('saved views', () => {
  const world = useWorld()
  const browser = useBrowser()

  test('a view survives the sign-out, opens in another browser and is deleted there', async () => {
    const first = await openDashboard(browser, world, '/audit', { token: await newSession(world) })
    await first.page.getByRole('button', { name: 'Views' }).click()
    await first.page.getByRole('menuitem').filter({ hasText: 'You have no saved views of this list.' }).waitFor()
    // An open menu is outside of the landmarks.
    expect((await faultsOf(first.page)).filter(fault => !fault.includes(' region: '))).toEqual([])
    await first.page.goto('/audit?action=issueApiKey')
    await first.page.getByRole('button', { name: 'Views' }).click()
    await first.page.getByRole('menuitem', { name: 'Save view' }).click()
    await first.page.getByRole('textbox', { name: 'Name' }).fill('Keys')
    await first.page.getByRole('button', { name: 'Save' }).click()
    await first.page.getByText('View “Keys” saved.').waitFor()
    await first.page.getByRole('button', { name: /^You: / }).click()
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await first.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expectQuiet(first, /401/)

    const { page } = await browser.open(world.url, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
    page.setDefaultTimeout(30_000)
    await page.goto('/sign-in?to=/audit')
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /^You: / }).waitFor()
    await page.goto('/audit')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Keys', exact: true }).click()
    await page.waitForURL('**/audit?action=issueApiKey')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Keys', exact: true }).and(page.locator('[aria-current=true]')).waitFor()
    // The second click of a double click is on the view below.
    await world.expect(201, 'POST', '/v1/saved-views', { body: { list: 'audit', name: 'Next', search: '' } })
    await page.reload()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Delete view Next' }).waitFor()
    const deleted: string[] = []
    page.on('request', request => request.method() === 'DELETE' && deleted.push(request.url()))
    await page.getByRole('menuitem', { name: 'Delete view Keys' }).dblclick()
    await page.getByText('View “Keys” deleted.').waitFor()
    expect(deleted.length).toBe(1)
    expect((await world.expect(200, 'GET', '/v1/saved-views')).data).toMatchObject([{ name: 'Next' }])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Keys', exact: true }).waitFor()
    expect((await world.expect(200, 'GET', '/v1/saved-views?list=audit')).data).toMatchObject([
      { name: 'Keys', search: 'action=issueApiKey' },
      { name: 'Next' },
    ])
  })

  test('a view that the API refuses stays in its dialog, and a name that exists is replaced', async () => {
    for (let n = 0; n < 20; n++) {
      const body = { list: 'messages', name: `View ${n}`, search: '' }
      await world.expect(201, 'POST', '/v1/saved-views', { body })
    }
    const { page } = await openDashboard(browser, world, '/messages?range=24h')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Failed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('A member has at most 20 saved views of a list.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('textbox', { name: 'Name' }).fill('View 7')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { data } = await world.expect(200, 'GET', '/v1/saved-views?list=messages')
    expect(data).toHaveLength(20)
    expect(data.find(({ name }: { name: string }) => name === 'View 7').search).toBe('range=24h')
  })
})
