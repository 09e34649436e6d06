/** What a link that signs in opens, in a real browser where one can be started. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { makeSignInLink } from '../../src/domain/accounts/index.ts'
import { linkTo } from '../../src/domain/links.ts'
import { faultsOf } from '../support/axe.ts'
import { browserPath, TestBrowser } from '../support/browser.ts'
import { agentOf, openDashboard } from '../support/dashboard.ts'
import { startWorld, type World } from '../support/world.ts'

describe.skipIf(browserPath === null)('a link that signs in', () => {
  let world: World
  let browser: TestBrowser
  beforeAll(async () => {
    world = await startWorld({ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
    browser = await TestBrowser.start()
  }, 60_000)
  afterAll(async () => {
    await browser?.stop()
    await world?.stop()
  })

  const linkOf = async (email: string) => linkTo(world.url, 'sign_in', await makeSignInLink(world.database.sql, email))

  const open = async () => {
    const opened = await browser.open(world.url, { reducedMotion: 'reduce' })
    opened.page.setDefaultTimeout(30_000)
    return opened
  }

  test('leads Home, leaves no token in the address or on the way back, and is good once', async () => {
    const { page, context, complaints, elsewhere } = await open()
    const link = await linkOf(world.owner.email)
    await page.goto('/healthz')
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    expect([complaints, elsewhere]).toEqual([[], []])
    await page.goBack()
    await page.waitForURL('**/healthz')

    // Opened again, it is over; whoever is signed in goes on from there.
    await page.goto(link)
    await page.getByRole('alert').getByText('This link is not valid').waitFor()
    await page.getByText(`You are signed in as ${world.owner.email}.`).waitFor()
    await page.getByRole('button', { name: 'Go to Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    await context.close()
  })

  test('takes the place of whoever was signed in before, in whatever workspace they had chosen', async () => {
    const { page, context } = await openDashboard(browser, world, '/', { token: await agentOf(world) })
    await page.getByRole('button', { name: 'You: Agent' }).waitFor()
    await page.evaluate(id => localStorage.setItem('workspace', id), crypto.randomUUID())
    await page.goto(await linkOf(world.owner.email))
    await page.getByRole('link', { name: 'API keys' }).waitFor()
    expect(await page.getByRole('button', { name: 'You: Agent' }).count()).toBe(0)
    await context.close()
  })

  test('leads to the address that it was to lead to', async () => {
    const { page, context } = await open()
    const link = await linkOf(world.owner.email)
    await page.goto(link.replace('#', '?to=%2Fevents#'))
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    expect(page.url()).toBe(`${world.url}/events`)
    await context.close()
  })

  test('asks for the code where the account has a second factor', async () => {
    const as = { Authorization: `Bearer ${await agentOf(world)}` }
    const { user } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    const { secret } = await world.expect(200, 'POST', '/v1/auth/totp', {
      as,
      body: { password: world.owner.password },
    })
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await world.expect(200, 'POST', '/v1/auth/totp/confirm', { as, body: { code: code() } })
    await world.database.sql`update second_factors set last_step = 0 where user_id = ${user.id}`
    const { page, context } = await open()
    await page.goto(await linkOf(user.email))
    await page.getByLabel('Code of your authenticator').fill(code())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'You: Agent' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    await context.close()
  })

  test('that was not answered is tried again, and lets somebody in then', async () => {
    const { page, context } = await open()
    await page.route('**/v1/auth/sign-in/link', route => route.abort(), { times: 1 })
    await page.goto(await linkOf(world.owner.email))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await context.close()
  })

  test('that is over says so and offers the other ways in, without a fault that axe knows, in both themes', async () => {
    const { page, context } = await browser.open(world.url, { viewport: { width: 360, height: 900 } })
    page.setDefaultTimeout(30_000)
    await page.goto('/sign-in#token=sgn_over')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('E-mail').fill(world.owner.email)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    await context.close()
  })
})
