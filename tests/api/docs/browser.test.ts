/** Tests of the documentation in a real browser. Skipped where no browser can be started. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserPath, TestBrowser } from '../../support/browser/browser.ts'
import { startReceiver } from '../../support/receiver.ts'
import { use } from '../../support/use.ts'
import { useWorld } from '../../support/world.ts'

describe.skipIf(browserPath === null)('in a browser', () => {
  const receiver = use(startReceiver)
  // The guide uses the usual port of a receiver.
  const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: `${receiver.target},localhost:8080` }))
  const browser = use(() => TestBrowser.start())

  const signIn = async (page: Page): Promise<void> => {
    await page.click('header button:has-text("Credentials")')
    await page.fill('input[name=email]', world.owner.email)
    await page.fill('input[name=password]', world.owner.password)
    await page.click('dialog button:text-is("Sign in")')
    await page.waitForSelector('text=Signed in.')
    await page.keyboard.press('Escape')
  }

  /** Sends the request on the page with this method and path, and returns its status line. */
  const send = async (page: Page, method: string, path: string): Promise<string> => {
    const boxes = page.locator('.code[data-request]')
    const said = await boxes.evaluateAll(all => all.map(box => JSON.parse((box as HTMLElement).dataset.request!)))
    const box = boxes.nth(said.findIndex(request => request.method === method && request.path === path))
    await box.locator('.send').click()
    return (await box.locator('.answer').locator('summary, p').first().textContent()) ?? ''
  }

  test('a reader signs in, sends the requests of the guide in order, and receives a webhook', async () => {
    const { page, context, complaints, elsewhere } = await browser.open(world.url)
    await page.route('**/v1/webhooks', async route => {
      const body = route.request().postData()!.replace('http://localhost:8080/webhooks', receiver.url)
      await route.continue({ postData: body })
    })
    await page.goto('/docs/start')
    expect(await send(page, 'POST', '/v1/webhooks')).toBe('Sign in first under Credentials at the top of the page.')
    await signIn(page)
    expect(await send(page, 'POST', '/v1/webhooks/%webhook%/test')).toContain('creates the webhook first')
    expect(await send(page, 'POST', '/v1/webhooks')).toContain('201')
    expect(await send(page, 'POST', '/v1/webhooks/%webhook%/test')).toContain('202')
    await receiver.waitFor(({ requests }) => requests.some(({ headers }) => headers['x-service-event'] === 'ping'))
    for (const path of ['channels', 'workflows', 'workflows/%workflow%/publish'])
      expect(await send(page, 'POST', `/v1/${path}`), path).toContain('20')
    expect(await send(page, 'PATCH', '/v1/workflows/%workflow%')).toContain('200')
    for (const path of ['api-keys', 'events']) expect(await send(page, 'POST', `/v1/${path}`), path).toContain('201')
    await receiver.waitFor(
      ({ requests }) => requests.some(({ headers }) => headers['x-service-event'] === 'message.status'),
      30_000,
    )
    const { key } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('engagement-docs')!))
    expect(key).toMatch(/^ces_/)
    expect(await page.locator('text=X-API-Key').first().textContent()).toContain(key)
    expect(await context.cookies()).toEqual([])
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
    await context.close()
  }, 60_000)

  test('credentials are kept for the tab, on every page, and nowhere else', async () => {
    const { page, context } = await browser.open(world.url)
    // An unknown address leads to the overview.
    expect((await page.goto('/docs/nope'))?.status()).toBe(404)
    await page.click('main a:text-is("All pages")')
    await page.waitForURL('**/docs')
    await page.goto('/docs/events')
    const shown = () => page.locator('.fill[data-fill=key]').first().textContent()
    expect(await shown()).toBe('ces_your_key')
    await page.click('header button:has-text("Credentials")')
    await page.fill('input[name=key]', world.key.value)
    await page.click('dialog button:text-is("Save")')
    expect(await shown()).toBe(world.key.value)
    await page.reload()
    expect(await shown()).toBe(world.key.value)
    await page.goto('/docs/errors')
    expect(await send(page, 'POST', '/v1/events/check')).toContain('200')
    const other = await context.newPage()
    await other.goto(`${world.url}/docs/events`)
    expect(await other.locator('.fill[data-fill=key]').first().textContent()).toBe('ces_your_key')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('ces_')
    await page.click('header button:has-text("Credentials")')
    await page.click('dialog button:text-is("Remove all")')
    expect(await shown()).toBe('ces_your_key')
    await context.close()
  }, 60_000)

  test('search leads to an operation of the reference, and its code contains the key of the reader', async () => {
    const { page, context, complaints, elsewhere } = await browser.open(world.url)
    await page.goto('/docs')
    await page.evaluate(key => sessionStorage.setItem('engagement-docs', JSON.stringify({ key })), world.key.value)
    await page.keyboard.press('/')
    await page.fill('dialog input[type=search]', 'check an event')
    await page.click('.results a:has-text("POST /v1/events/check")')
    await page.waitForURL('**/docs/reference#tag/events/operation/checkEvent')
    const operation = page.locator('[id$="/operation/checkEvent"]')
    await operation.locator(`pre:has-text("X-API-Key: ${world.key.value}")`).waitFor({ timeout: 45_000 })
    await operation.getByText('Shell Curl').click()
    for (const language of ['TypeScript', 'PHP', 'Python'])
      await page.getByText(language, { exact: true }).last().waitFor()
    await page.getByText('TypeScript', { exact: true }).last().click()
    await operation.locator('pre:has-text("await fetch")').waitFor()
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
    await context.close()
  }, 90_000)

  test('no page is wider than the window, in either theme and any width', async () => {
    const { page, context, complaints } = await browser.open(world.url)
    for (const [colorScheme, width] of [
      ['light', 360],
      ['dark', 360],
      ['light', 1440],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const path of ['/docs', '/docs/start', '/docs/errors', '/docs/receivers', '/docs/search']) {
        await page.goto(path)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow, `${path} ${colorScheme} ${width}`).toBeLessThanOrEqual(0)
      }
    }
    expect(complaints).toEqual([])
    await context.close()
  }, 60_000)
})
