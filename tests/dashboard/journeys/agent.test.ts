/** Journey of an agent with the keyboard only: answers a customer, records a sale and closes the conversation. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { faultsOf } from '../../support/browser/axe.ts'
import { browserPath } from '../../support/browser/browser.ts'
import { agentOf, expectQuiet, openDashboard, tabTo, useBrowser } from '../../support/browser/dashboard.ts'
import { tell } from '../../support/outbox.ts'
import { eventually, useWorld } from '../../support/world.ts'

setDefaultTimeout(120_000)

describe.skipIf(browserPath === null)('an agent', () => {
  const world = useWorld()
  const browser = useBrowser()
  let sandbox: string
  beforeAll(async () => {
    sandbox = await world.sandbox()
  })

  test('views the pages of owners, without their actions', async () => {
    const created = async (path: string, body: object) => (await world.expect(201, 'POST', path, { body })).id
    const audience = { all: true }
    const content = { name: 'Sale', category: 'utility', body: 'All is cheaper.', variables: [] }
    const templateId = await created('/v1/templates', content)
    const campaign = { name: 'Spring', channelId: sandbox, templateId, variables: {}, audience }
    const webhook = await created('/v1/webhooks', { url: 'https://till.example.com', events: ['message.status'] })
    const [outbound] = await tell(world.database.sql, world.workspaceId, 'campaign.completed', { count: 1 })
    const opened = await openDashboard(browser, world, '/', { token: await agentOf(world) })
    const { page } = opened
    for (const [path, shown, hidden] of [
      [`/channels/${sandbox}`, 'View only.', /^(Test|Edit|Disconnect|Connect channel)$/],
      [`/campaigns/${await created('/v1/campaigns', campaign)}`, 'View only.', /Start|Save|Delete/],
      [`/templates/${templateId}`, 'View only.', /Save|Delete/],
      [`/webhooks/${webhook}`, 'View only.', /^(Add endpoint|Pause|More|Send test event)$/],
      [`/outbound/${outbound}`, 'Not subscribed to campaign.completed.', 'Send to endpoint'],
      ['/team', 'View only.', 'Invite member'],
      ['/audit', 'Only workspace owners can view the audit log', 'Export'],
    ] as const) {
      await page.goto(path)
      await page.getByText(shown).first().waitFor()
      const actions = page.getByRole('button', { name: hidden }).or(page.getByRole('link', { name: hidden }))
      expect([path, await actions.count()]).toEqual([path, 0])
    }
    // Their forms, at a typed address.
    for (const [path, list] of [
      ['/campaigns/new', 'Campaigns'],
      ['/templates/new', 'Templates'],
      ['/channels/new', 'Channels'],
      ['/webhooks/new', 'Webhooks'],
      [`/webhooks/${webhook}/edit`, 'Webhooks'],
      ['/webhooks/doctor', 'Webhooks'],
    ] as const) {
      await page.goto(path)
      const main = page.getByRole('main')
      await main.getByText(`Only workspace owners can manage ${list.toLowerCase()}.`).waitFor()
      expect([path, await main.locator('form').count()]).toEqual([path, 0])
      expect(await faultsOf(page)).toEqual([])
      await main.getByRole('link', { name: `Go to ${list}` }).click()
      await page.waitForURL(`**/${list.toLowerCase()}`)
    }
    await page.goto('/api-keys/new')
    await page.getByText('Only workspace owners can manage API keys.').waitFor()
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    expectQuiet(opened, /40[34]/)
  })

  test('signs in, answers, records a sale, assigns and closes without a mouse', async () => {
    const writes = (text: string): Promise<{ conversationId: string }> =>
      world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, {
        body: { from: '+12025550201', text, type: 'text', name: '<b>Bo</b>' },
      })
    const { conversationId: id } = await writes('Is it there in blue?')
    const conversation = () => world.expect(200, 'GET', `/v1/conversations/${id}`)
    const { email } = await world.person()

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
    await type(email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await type(world.owner.password)
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
    const dialog = page.getByRole('dialog', { name: /^Record sale for/ })
    await dialog.getByRole('textbox', { name: 'Amount' }).waitFor()
    await press('Enter')
    await dialog.getByText('Enter an amount.').waitFor()
    await type('129.95')
    await press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { data: sales } = await world.expect(200, 'GET', `/v1/sales?conversationId=${id}`)
    expect(sales.map(({ amount, currency }: { amount: number; currency: string }) => [amount, currency])).toEqual([
      [129.95, 'USD'],
    ])

    // Escape closes the menu only.
    await press('a')
    await page.getByRole('menuitem', { name: /(you)/ }).and(page.locator(':focus')).waitFor()
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(`/inbox/${id}`)
    await press('a')
    await page.getByRole('menuitem', { name: /(you)/ }).and(page.locator(':focus')).waitFor()
    await press('Enter')
    await page.getByRole('button', { name: /^Assignee: Me/ }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })

    await tabTo(page, page.getByRole('link', { name: 'Assigned to me', exact: true }), 'Shift+Tab')
    await press('Enter')
    await page.getByRole('link', { name: '<b>Bo</b>' }).waitFor()
    await press('e')
    await page.getByText('Conversation closed.').waitFor()
    expect((await conversation()).status).toBe('closed')
    await tabTo(page, page.getByRole('button', { name: 'Undo' }), 'Shift+Tab')
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
