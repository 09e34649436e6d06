/** Journey of an agent with the keyboard only: answers a customer, records a sale and closes the conversation. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { browserPath } from '../../support/browser/browser.ts'
import { expectQuiet, tabTo, useBrowser } from '../../support/browser/dashboard.ts'
import { eventually, useWorld } from '../../support/world.ts'

setDefaultTimeout(120_000)

describe.skipIf(browserPath === null)('an agent', () => {
  const world = useWorld()
  const browser = useBrowser()
  let sandbox: string
  beforeAll(async () => {
    sandbox = (await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })).id
  })

  const password = 'correct horse battery'

  const newAgent = async (email: string): Promise<void> => {
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    const body = { token: invitation.token, name: 'Noor', password }
    await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: 'nobody', body })
  }

  test('signs in, answers, records a sale, assigns and closes without a mouse', async () => {
    const writes = (text: string): Promise<{ conversationId: string }> =>
      world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, {
        body: { from: '+12025550201', text, type: 'text', name: '<b>Bo</b>' },
      })
    const { conversationId: id } = await writes('Is it there in blue?')
    const conversation = () => world.expect(200, 'GET', `/v1/conversations/${id}`)
    await newAgent('noor@shop.example')

    const opened = await browser.open(world.url, { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
    const { page } = opened
    page.setDefaultTimeout(30_000)
    const presses: string[] = []
    await page.exposeFunction('pressed', (what: string) => void presses.push(what))
    await page.addInitScript(() => {
      const tell = ({ type, detail }: MouseEvent) =>
        // Enter and Space on a button also fire a click, with a `detail` of 0.
        (type !== 'click' || detail > 0) && (window as unknown as { pressed: (what: string) => void }).pressed(type)
      for (const type of ['mousedown', 'touchstart', 'click'])
        addEventListener(type, tell as (event: Event) => void, { capture: true })
    })
    await page.goto('/')
    const type = async (text: string) => page.keyboard.type(text)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const thread = page.getByRole('log', { name: 'Conversation' })
    const reply = page.getByRole('textbox', { name: 'Reply' })

    await tabTo(page, page.getByLabel('Email'))
    await type('noor@shop.example')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await type(password)
    await press('Enter')
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor()

    // Home shows the waiting customer with a link.
    const waits = page.getByRole('region', { name: 'Needs attention' }).getByRole('link')
    await tabTo(page, waits)
    await press('Enter')
    await page.getByRole('link', { name: '<b>Bo</b>' }).waitFor()
    await press('j')
    await thread.getByText('Is it there in blue?').waitFor()
    await eventually('it is read', async () => (await conversation()).unread === 0)

    await press('r')
    await type('In blue too.')
    await press('Control+Enter')
    await thread.getByText('In blue too.').waitFor()
    await thread.getByText('Delivered').waitFor()
    expect(await reply.inputValue()).toBe('')
    await writes('Then I take it.')
    await thread.getByText('Then I take it.').waitFor()

    await press('Escape', 's')
    const dialog = page.getByRole('dialog', { name: 'Record sale' })
    await dialog.getByRole('textbox', { name: 'Amount' }).waitFor()
    await type('129.95')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { data: sales } = await world.expect(200, 'GET', `/v1/sales?conversationId=${id}`)
    expect(sales.map(({ amount, currency }: { amount: number; currency: string }) => [amount, currency])).toEqual([
      [129.95, 'USD'],
    ])

    await press('a')
    // The menu takes keyboard focus shortly after it is visible.
    await tabTo(page, page.getByRole('menuitem', { name: 'Me', exact: true }), 'ArrowDown')
    await press('Enter')
    await page.getByRole('button', { name: /^Assignee: Me/ }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })

    await tabTo(page, page.getByRole('link', { name: 'Mine', exact: true }), 'Shift+Tab')
    await press('Enter')
    await page.getByRole('link', { name: '<b>Bo</b>' }).waitFor()
    await press('e')
    await page.getByText('Conversation closed.').waitFor()
    expect((await conversation()).status).toBe('closed')
    await tabTo(page, page.getByRole('button', { name: 'Undo' }))
    await press('Enter')
    await eventually('it is open again', async () => (await conversation()).status === 'open')
    // Waits until the page shows it too.
    await page.getByRole('region', { name: '<b>Bo</b>' }).getByRole('button', { name: 'Close' }).waitFor()
    await press('e')
    await eventually('it is closed', async () => (await conversation()).status === 'closed')
    expect(presses).toEqual([])
    // Expected errors: no session at the start, and no earlier sale that gives a currency.
    expectQuiet(opened, /40[14]/)
  })
})
