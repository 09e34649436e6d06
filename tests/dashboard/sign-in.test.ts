/** Tests of sign-in links, in a real browser if one is available. */
import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { makeSignInLink } from '../../src/accounts/people/index.ts'
import { createIdentityLink } from '../../src/accounts/single-sign-on/index.ts'
import { linkTo } from '../../src/core/links.ts'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('a sign-in link', () => {
  const world = useWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
  const browser = useBrowser()

  const linkOf = async (email: string) => linkTo(world.url, 'sign_in', await makeSignInLink(world.database.sql, email))

  const open = async () => {
    const opened = await browser.open(world.url, { reducedMotion: 'reduce' })
    opened.page.setDefaultTimeout(30_000)
    return opened
  }

  test('opens Home, leaves no token in the address or the history, and is valid once', async () => {
    const { page, complaints, elsewhere } = await open()
    const link = await linkOf(world.owner.email)
    await page.goto('/healthz')
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    expect([complaints, elsewhere]).toEqual([[], []])
    await page.goBack()
    await page.waitForURL('**/healthz')

    // The link is no longer valid the second time. A signed-in person can continue from the page.
    await page.goto(link)
    await page.getByRole('alert').getByText('This link is not valid').waitFor()
    await page.getByText(`You are signed in as ${world.owner.email}.`).waitFor()
    await page.getByRole('button', { name: 'Go to Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
  })

  test('replaces the current session, whatever workspace was chosen', async () => {
    const { page } = await openDashboard(browser, world, '/', { token: await agentOf(world) })
    await page.getByRole('button', { name: 'You: Kim' }).waitFor()
    await page.evaluate(id => localStorage.setItem('workspace', id), crypto.randomUUID())
    await page.goto(await linkOf(world.owner.email))
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    expect(await page.getByRole('button', { name: 'You: Kim' }).count()).toBe(0)
  })

  test('a mailed link for single sign-on names the account and the provider before it is used', async () => {
    const { page } = await open()
    const user = await world.expect(200, 'GET', '/v1/auth/user')
    const identity = { issuer: 'https://login.shop.example', subject: 'maren', session: null }
    const token = await createIdentityLink(world.database.sql, user.id, identity)
    const address = `/link-identity#token=${token}`
    await page.route('**/v1/auth/sso', route => route.fulfill({ json: { provider: 'Shop login' } }))
    await page.goto(address)
    await page
      .getByText(
        `You’ll be able to sign in as ${world.owner.email} with the account of the same address at Shop login.`,
      )
      .waitFor()
    // Without single sign-on the provider has no name.
    await page.unroute('**/v1/auth/sso')
    await page.reload()
    await page.getByText(`You’ll be able to sign in as ${world.owner.email} with single sign-on.`).waitFor()
    await page.getByRole('button', { name: 'Link single sign-on' }).click()
    await page.getByText('Single sign-on is linked.').waitFor()
    await page.goto(`/link-identity#token=${token}`)
    await page.reload()
    await page.getByRole('alert').waitFor()
  })

  test('asks for the code if the account has a second factor', async () => {
    const { id, email, as } = await world.person()
    const { password } = world.owner
    const { secret } = await world.expect(200, 'POST', '/v1/auth/totp', { as, body: { password } })
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await world.expect(200, 'POST', '/v1/auth/totp/confirm', { as, body: { code: code() } })
    await world.database.sql`update second_factors set last_step = 0 where user_id = ${id}`
    const { page } = await open()
    await page.goto(await linkOf(email))
    await page.getByLabel('Authenticator code').fill(code())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'You: Kim' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
  })

  test('opens the address that it was issued for, also on a retry after a request without a response', async () => {
    const { page } = await open()
    await page.route('**/v1/auth/sign-in/link', route => route.abort(), { times: 1 })
    await page.goto((await linkOf(world.owner.email)).replace('#', '?to=%2Fevents#'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    expect(page.url()).toBe(`${world.url}/events`)
  })

  test('shows what is missing at its field on every page of a signed-out person, in both themes', async () => {
    const { page } = await browser.open(world.url, { viewport: { width: 360, height: 900 } })
    page.setDefaultTimeout(30_000)
    const body = { email: 'joins@shop.example', role: 'agent' }
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { body })
    const pages: [path: string, button: string, message: string][] = [
      ['/sign-in', 'Sign in', 'Enter an email address such as'],
      ['/sign-in', 'Sign in', 'Enter your password.'],
      ['/forgot-password', 'Send link', 'Enter an email address such as'],
      ['/reset-password#token=none', 'Change password', 'Enter a new password.'],
      [`/accept-invitation#token=${invitation.token}`, 'Join', 'Enter your password.'],
    ]
    for (const [path, button, message] of pages) {
      await page.goto(path)
      await page.getByRole('button', { name: button }).click()
      // The styles of the page are there with its content.
      expect(await page.getByRole('main').evaluate(main => getComputedStyle(main).display)).toBe('grid')
      await page.getByText(message).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect([path, await faultsOf(page)]).toEqual([path, []])
      }
    }
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByText('You were invited as joins@shop.example.').waitFor()
    // A password that is not accepted says so beside the button.
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Join' }).click()
    await page
      .getByText(/common|12/)
      .first()
      .waitFor()
    // A link that is not valid has no form.
    await page.goto('/accept-invitation#token=none')
    await page.reload()
    await page.getByRole('alert').getByText('This link is not valid').waitFor()
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill(' nobody@shop.example ')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.getByText('If nobody@shop.example has an account').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('says that a single sign-on failed, with a way to try again and one back', async () => {
    const { page } = await open()
    await page.goto(`${world.url}/sign-in/sso?error=access_denied`)
    await page.getByRole('heading', { level: 1, name: 'Couldn’t sign in' }).waitFor()
    await page.getByRole('alert').getByText('cancelled or rejected').waitFor()
    expect(await faultsOf(page)).toEqual([])
    // Without a provider, the button says why it cannot start.
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').nth(1).waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('offers other sign-in methods if it is no longer valid, without axe violations, in both themes', async () => {
    const { page } = await browser.open(world.url, { viewport: { width: 360, height: 900 } })
    page.setDefaultTimeout(30_000)
    await page.goto('/sign-in#token=sgn_over')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toMatch(/Something went wrong|Request …/)
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    // A wrong password is no case for support, so its message has neither an alarming title nor a request id.
    const wrong = page.getByRole('alert').filter({ hasText: 'No account has this' })
    expect(await wrong.textContent()).toBe('No account has this email address and password. Check both and try again.')
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
  })
})
