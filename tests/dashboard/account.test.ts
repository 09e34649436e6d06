/** Tests of the account page and the pages of mailed links, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'
import decode from 'qr/decode.js'
import { parseDevice } from '../../src/dashboard/pages/account/device.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

test('detects the browser from a user agent that names several', () => {
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0'
  expect(parseDevice(edge)).toEqual({ browser: 'Edge', system: 'Windows' })
  expect(parseDevice('curl/8.5.0')).toEqual({ browser: 'curl', system: null })
  expect(parseDevice('my own thing')).toEqual({ browser: 'my own thing', system: null })
  expect(parseDevice(null)).toBeNull()
})

describe.skipIf(browserPath === null)('your account', () => {
  const password = 'correct horse battery'
  const world = useWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
  const browser = useBrowser()

  const signIn = async (email: string): Promise<string> =>
    (await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })).token

  /** Creates a separate agent, so that no test ends the sessions of another. */
  const newPerson = async (): Promise<{ email: string; token: string }> => {
    const { email, as } = await world.person()
    return { email, token: as.Authorization!.slice('Bearer '.length) }
  }

  test('edits name and time zone in place and shows times in that zone', async () => {
    const { token } = await newPerson()
    const { page, complaints } = await openDashboard(browser, world, '/account', { token })
    await page.getByRole('button', { name: 'Edit Name' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a name.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Noor Haddad')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'You: Noor Haddad' }).waitFor()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await page.getByText('Saved.').waitFor()
    const as = { Authorization: `Bearer ${token}` }
    const { name, timezone } = await world.expect(200, 'GET', '/v1/auth/user', { as })
    expect([name, timezone]).toEqual(['Noor Haddad', 'Asia/Tokyo'])
    await page.getByRole('button', { name: 'You: Noor Haddad' }).click()
    await page.getByText('Times are in Asia/Tokyo').waitFor()
    expect(complaints).toEqual([])
  })

  test('says that the days of a chart are days in UTC, unless the times are in UTC too', async () => {
    const { token } = await newPerson()
    const as = { Authorization: `Bearer ${token}` }
    const openChart = async (timezone: string) => {
      await world.expect(200, 'PATCH', '/v1/auth/user', { as, body: { timezone } })
      const { page } = await openDashboard(browser, world, '/events?range=7d', { token, width: 360 })
      const chart = page.getByRole('figure')
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await chart.getByRole('table').waitFor()
      return { page, note: chart.getByText('Days in UTC', { exact: true }) }
    }
    const far = await openChart('Asia/Tokyo')
    expect(await far.note.isVisible()).toBe(true)
    expect(await faultsOf(far.page)).toEqual([])
    await far.page.goto('/events?range=24h')
    await far.page.getByRole('figure').waitFor()
    await far.note.waitFor({ state: 'hidden' })
    expect(await (await openChart('UTC')).note.count()).toBe(0)
  })

  test('sets up and removes a second factor, shows its recovery codes once and replaces them', async () => {
    const { token } = await newPerson()
    const { page } = await openDashboard(browser, world, '/account', { token, scheme: 'dark' })
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Enter your password.', { exact: true }).waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Must be the current password').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Authenticator code').fill('000000')
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('Is not the current code.').waitFor()
    const uri = await dialog.getByRole('link').getAttribute('href')
    expect(await readCode(page, dialog.getByRole('img', { name: /^QR code/ }))).toBe(uri!)
    const secret = new URL(uri!).searchParams.get('secret')!
    await dialog.getByLabel('Authenticator code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    expect(await codes.count()).toBe(10)
    const [code] = await codes.allTextContents()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'I’ve saved them somewhere safe' }).click()
    await page.getByText('10 left').waitFor()
    await page.getByRole('button', { name: 'Create new recovery codes' }).click()
    const renewal = page.getByRole('dialog', { name: 'Create new recovery codes' })
    await renewal.getByLabel('Password', { exact: true }).fill(password)
    await renewal.getByLabel('Authenticator code or recovery code').fill(code!)
    await renewal.getByRole('button', { name: 'Create new recovery codes' }).click()
    await codes.first().waitFor()
    expect(await codes.count()).toBe(10)
    const [renewed] = await codes.allTextContents()
    expect(renewed).not.toBe(code)
    await page.getByRole('button', { name: 'I’ve saved them somewhere safe' }).click()
    await page.getByText('10 left').waitFor()
    await page.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    const removal = page.getByRole('dialog', { name: 'Turn off two-factor authentication' })
    await removal.getByLabel('Password', { exact: true }).fill(password)
    await removal.getByLabel('Authenticator code or recovery code').fill(renewed!)
    await removal.getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).waitFor()
  })

  test('ends the other sessions after a password change and reports a wrong password', async () => {
    const { email, token } = await newPerson()
    const other = { Authorization: `Bearer ${await signIn(email)}` }
    const { page } = await openDashboard(browser, world, '/account', { token })
    await page.getByRole('button', { name: /^Sign out .+127\.0\.0\.1$/ }).waitFor()
    const form = page.getByRole('form', { name: 'Password' })
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('Enter your current password.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page)).toEqual([])
    }
    await form.getByLabel('Current password').fill('wrong')
    await form.getByLabel('New password').fill('another horse battery')
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByText('Must be the current password').waitFor()
    // A failed attempt keeps the input, and a success clears it.
    expect(await form.getByLabel('New password').inputValue()).toBe('another horse battery')
    // No password is kept in the browser.
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('horse')
    await form.getByLabel('Current password').fill(password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password was changed.').waitFor()
    expect(await form.getByLabel('New password').inputValue()).toBe('')
    await page.getByRole('button', { name: /^Sign out .+127\.0\.0\.1$/ }).waitFor({ state: 'detached' })
    expect((await world.call('GET', '/v1/auth/session', { as: other })).status).toBe(401)
  })

  test('creates an access token that is shown once and works, and revokes it', async () => {
    const { token } = await newPerson()
    const { page, complaints } = await openDashboard(browser, world, '/account', { token })
    await page.getByText('You have no access tokens.').waitFor()
    await page.getByRole('button', { name: 'Create token' }).click()
    const form = page.getByRole('dialog', { name: 'Create token' })
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('Enter a name.').waitFor()
    await form.getByLabel('Name').fill('Weekly report')
    await form.getByRole('combobox', { name: 'Expires after' }).click()
    await page.getByRole('option', { name: 'Other' }).click()
    await form.getByLabel('Number of days').fill('400')
    await form.getByRole('button', { name: 'Create token' }).click()
    await form.getByText('Enter a whole number from 1 to 365.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page)).toEqual([])
    }
    await form.getByLabel('Number of days').fill('3')
    await form.getByRole('button', { name: 'Create token' }).click()
    const once = page.getByRole('dialog', { name: 'Access token Weekly report' })
    const value = await once.getByText(/^cest_[\w-]{43}$/).textContent()
    expect(await once.getByRole('tabpanel').textContent()).toContain(`Authorization: Bearer ${value}`)
    expect(await faultsOf(page)).toEqual([])
    // No token is kept in the browser.
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(value!)
    await once.getByRole('checkbox').check()
    await once.getByRole('button', { name: 'Done' }).click()

    const as = { Authorization: `Bearer ${value}` }
    const { token: used } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    expect(used).toMatchObject({ name: 'Weekly report', access: 'read' })
    expect(await world.answer('POST', '/v1/templates', { as, body: {} })).toBe('403 forbidden')
    const row = page.getByRole('list', { name: 'Access tokens' }).getByRole('listitem')
    await row.getByText('Expires soon').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await row.getByRole('button', { name: 'Revoke Weekly report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('You have no access tokens.').waitFor()
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('401 unauthorized')
    expect(complaints).toEqual([])
  })

  test('ends one session, then all others, and deletes the account with the password', async () => {
    const { email, token } = await newPerson()
    const others = [await signIn(email), await signIn(email), await signIn(email)]
    const living = async () => {
      const all = others.map(one => world.call('GET', '/v1/auth/session', { as: { Authorization: `Bearer ${one}` } }))
      return (await Promise.all(all)).filter(({ status }) => status === 200).length
    }
    const { page } = await openDashboard(browser, world, '/account', { token })
    const ends = page.getByRole('button', { name: /^Sign out .+127\.0\.0\.1$/ })
    await ends.first().click()
    await page.getByText('Session signed out.').waitFor()
    expect(await living()).toBe(2)
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all other sessions' }).click()
    await ends.first().waitFor({ state: 'detached' })
    expect(await living()).toBe(0)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const again = await world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    expect(again.status).toBe(401)
  })
})

/** Decodes the QR code from a screenshot, as a camera would. */
const readCode = async (page: Page, code: Locator): Promise<string> => {
  const png = (await code.screenshot()).toString('base64')
  const { width, height, pixels } = await page.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')!
    context.drawImage(image, 0, 0)
    return { width, height, pixels: [...context.getImageData(0, 0, width, height).data] }
  }, png)
  return decode({ width, height, data: Uint8ClampedArray.from(pixels) })
}
