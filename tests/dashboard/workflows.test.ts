/** Tests of workflows in the dashboard: draw, try, publish and watch, as an owner uses them. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { agentOf, openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { type Play, play } from '../support/workflows.ts'
import { useWorld } from '../support/world.ts'

setDefaultTimeout(120_000)

const cart = {
  trigger: { eventType: 'cart.abandoned', where: { path: 'data.total', op: 'gte', value: 20 } },
  start: 'vip?',
  steps: {
    'vip?': { type: 'condition', if: { path: 'data.total', op: 'gte', value: 200 }, then: 'gold', else: 'answer' },
    gold: { type: 'set_attribute', set: { tier: 'gold' }, next: 'answer' },
    answer: {
      type: 'wait_for',
      timeout: '2d',
      onTimeout: 'lost',
      any: [{ reply: { in: ['yes'] }, next: null }],
    },
    lost: { type: 'exit', reason: 'no_answer' },
  },
}

const everyStep = {
  trigger: { eventType: 'every.step', where: { all: [{ path: 'data.total', op: 'gte', value: 20 }] } },
  entry: { reentry: 'not_while_active', key: 'data.total' },
  exitOn: [{ event: 'order.paid', match: { 'data.total': 'trigger.data.total' }, reason: 'paid' }, { optOut: true }],
  start: 'wait',
  steps: {
    wait: { type: 'delay', for: '2d', next: 'vip' },
    vip: { type: 'condition', if: { path: 'data.total', op: 'in', value: [1, 2] }, then: 'gold', else: 'say' },
    gold: { type: 'set_attribute', set: { tier: 'gold' }, next: 'sold' },
    sold: { type: 'mark_sale', amount: '{{data.total}}', currency: 'EUR', next: 'say' },
    say: { type: 'send_message', text: 'Hello', next: 'answer' },
    answer: {
      type: 'wait_for',
      timeout: '2d',
      onTimeout: 'lost',
      any: [
        { reply: { in: ['yes'] }, next: null },
        { event: 'order.paid', match: { 'data.total': 'trigger.data.total' }, next: null },
      ],
    },
    lost: { type: 'exit', reason: 'no_answer' },
  },
}

/** Returns the editable fields of a panel and its buttons, except the close button. */
const changeable = (panel: Locator): Promise<string[]> =>
  panel
    .locator('input:not([type=hidden]), textarea, button, [role=switch], [role=radio]')
    .evaluateAll(all =>
      all
        .filter(
          one =>
            !one.matches(
              ':disabled, [readonly], [data-disabled], [aria-label=Close], [aria-hidden=true], [tabindex="-1"]',
            ),
        )
        .map(one => one.outerHTML.slice(0, 200)),
    )

describe.skipIf(browserPath === null)('workflows', () => {
  const world = useWorld()
  const browser = useBrowser()
  let made: Play
  let cartId: string
  beforeAll(async () => {
    made = play(() => world)
    cartId = await made.workflow(cart, 'Win <b>back</b> carts')
    await made.parked('cart.abandoned', made.phone(), { total: 250 })
  })

  const jsonOf = async (page: Page) => {
    await page.locator('.cm-line').first().waitFor()
    return (await page.locator('.cm-line').allTextContents()).join('\n')
  }
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()
  const draftOf = async (id: string) => (await world.expect(200, 'GET', `/v1/workflows/${id}`)).draft

  test('shows a dry run on the phone with replies and STOP, and sends nothing', async () => {
    await world.sandbox()
    const id = await made.workflow(
      {
        trigger: { eventType: 'order.sent' },
        start: 'ask',
        steps: {
          ask: { type: 'send_message', text: 'Did it <b>arrive</b>?', next: 'wait' },
          wait: {
            type: 'wait_for',
            timeout: '2d',
            onTimeout: 'remind',
            any: [{ reply: { in: ['yes'] }, next: 'thank' }],
          },
          thank: { type: 'send_message', text: 'Good to hear.', next: null },
          remind: { type: 'send_message', text: 'We still wonder.', next: null },
        },
      },
      'Did it arrive',
    )
    const { page } = await openDashboard(browser, world, `/workflows/${id}?view=try`)
    await page.getByText('No order.sent events yet').waitFor()
    // A fault of the own event is at its field, whether the form or the API finds it. The input survives a reload.
    const data = page.getByLabel('Event data (JSON)')
    await data.fill('{')
    await page.getByRole('button', { name: 'Run test' }).click()
    await data.and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor()
    await data.fill('{"total": 7}')
    const number = page.getByLabel('Customer phone number')
    await number.fill('0177')
    await page.getByRole('button', { name: 'Run test' }).click()
    await number.and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor()
    // An error of a part of a field has no field of its own, so it is shown below the form.
    const details = { 'event.data.total': 'Too small.' }
    const json = { error: { code: 'invalid_request', message: 'Invalid.', details }, request_id: 'none' }
    await number.fill('+12025550177')
    await page.route('**/try', route => route.fulfill({ status: 400, json }), { times: 1 })
    await page.getByRole('button', { name: 'Run test' }).click()
    await page.getByText('event.data.total: Too small.').waitFor()
    await number.fill('0177')
    await page.reload()
    expect([await number.inputValue(), await data.inputValue()]).toEqual(['0177', '{"total": 7}'])
    await number.fill('+12025550177')
    const phone = page.getByRole('region', { name: 'Sandbox phone' })
    const next = (name: string | RegExp) => page.getByRole('button', { name }).click()
    await next('Run test')
    await phone.getByText('Did it <b>arrive</b>?').waitFor()
    await next('Next step')
    const reply = phone.getByLabel('Write as the customer')
    await reply.fill('yes')
    // A reply is kept until a request with it succeeds.
    await page.route('**/try', route => route.fulfill({ status: 500, json }), { times: 1 })
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await reply.inputValue()).toBe('yes')
    await reply.press('Enter')
    await phone.getByText('yes', { exact: true }).waitFor()
    await page.waitForFunction(field => (field as HTMLInputElement).value === '', await reply.elementHandle())
    expect(await phone.getByRole('log').locator('bdi').allTextContents()).toEqual([
      'Did it <b>arrive</b>?',
      'yes',
      'Good to hear.',
    ])
    await phone.getByText('Good to hear.').waitFor()
    expect(await faultsOf(page)).toEqual([])

    // A rejected test shows no result of the test before.
    await number.fill('12')
    await next('Run test')
    await page.getByText('Enter + and the country code, then digits only, for example +12025550101.').waitFor()
    await phone.waitFor({ state: 'detached' })
    await number.fill('+12025550177')
    await next('Run test')
    await phone.waitFor()
    await page.route('**/try', route => route.fulfill({ status: 400, json }), { times: 1 })
    await next('Run test')
    await page.getByText('event.data.total: Too small.').waitFor()
    await phone.waitFor({ state: 'detached' })

    await next('Run test')
    await next('Next step')
    await phone.getByRole('button', { name: 'Send STOP' }).click()
    await phone.getByText('STOP', { exact: true }).waitFor()
    await next('Skip to end')
    await phone.getByText('Skipped: ').waitFor()
    expect((await world.expect(200, 'GET', '/v1/messages')).data).toEqual([])
  })

  test('edits the definition as JSON, undoes it in the editor, and saves each change by itself', async () => {
    const { page, complaints } = await openDashboard(browser, world, `/workflows/${cartId}?view=json`)
    const text = page.getByRole('textbox', { name: 'Workflow definition as JSON' })
    await text.fill((await jsonOf(page)).replaceAll('"lost"', '"gone"').replaceAll('no_answer', 'silent'))
    await page.getByRole('link', { name: 'Editor' }).click()
    await page.getByRole('button', { name: /silent/ }).waitFor()
    // Leaving the page saves what was just typed.
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Events' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /silent/ }).click()
    await page.getByRole('button', { name: 'Remove step' }).click()
    await saved(page)
    expect((await draftOf(cartId)).steps.gone).toBeUndefined()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: /silent/ }).waitFor()
    await page.getByRole('link', { name: 'JSON' }).click()
    await text.fill('{ "trigger": ')
    await page.getByText('The editor shows the last valid JSON.').waitFor()
    await saved(page)
    expect((await draftOf(cartId)).steps.gone).toEqual({ type: 'exit', reason: 'silent' })
    expect(complaints).toEqual([])
  })

  test('says the longest wait in the words of the field, and draws a wait without a duration', async () => {
    const id = await made.workflow({ ...cart, trigger: { eventType: 'cart.waited' } }, 'Waits long')
    const { page } = await openDashboard(browser, world, `/workflows/${id}?step=answer`)
    const timeout = page.getByRole('textbox', { name: 'Timeout' })
    await timeout.fill('91')
    await page.getByText('At most 90 days.').first().waitFor()
    await saved(page)
    expect(await page.getByText('Must be a duration').count()).toBe(0)
    await timeout.fill('')
    await page.getByText('Enter a timeout.').first().waitFor()
    await page.getByText('up to …', { exact: true }).waitFor()
    await page.getByText('after …', { exact: true }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  test('shows errors at the lines of the JSON, with folding and search, under the content security policy', async () => {
    const id = await made.workflow({ ...cart, trigger: { eventType: 'cart.typed' } }, 'Typed')
    const opened = await openDashboard(browser, world, `/workflows/${id}?view=json`)
    const { page, complaints } = opened
    const text = page.getByRole('textbox', { name: 'Workflow definition as JSON' })
    const lines = (await jsonOf(page)).split('\n')
    const line = lines.findIndex(one => one.includes('"2d"'))
    await text.fill(lines.with(line, lines[line]!.replace('2d', 'soon')).join('\n'))
    const faults = page.getByRole('region', { name: 'Issues' })
    await faults.getByRole('button', { name: `Line ${line + 1} steps.answer.timeout` }).click()
    expect(await page.evaluate(() => String(getSelection()))).toContain('"soon"')
    await page.locator('.cm-lint-marker-error').waitFor()
    expect(await faultsOf(page)).toEqual([])
    // A definition that the editor cannot draw is validated too.
    await text.fill('{ "trigger": {} }')
    await faults
      .getByText('definition.steps')
      .or(faults.getByRole('button', { name: /steps/ }))
      .first()
      .waitFor()
    await text.fill(lines.join('\n'))
    await faults.waitFor({ state: 'detached' })
    await page.locator('[title="Fold line"]').first().click()
    await page.locator('.cm-foldPlaceholder').waitFor()
    await text.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).waitFor()
    await saved(page)
    expect((await draftOf(id)).steps.answer.timeout).toBe('2d')
    expect(complaints).toEqual([])
  })

  test('saves an incomplete draft, says why it cannot be run or published, and links to what is missing', async () => {
    const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', {
      body: {
        name: 'Cart reminder',
        category: 'utility',
        body: 'Hi {{name}}, your {{item}} is still in your cart.',
        variables: [
          { name: 'name', sample: 'Ana' },
          { name: 'item', sample: 'lamp' },
        ],
      },
    })
    const id = await made.workflow({ ...cart, trigger: { eventType: 'cart.half' } }, 'Half-built')
    const { page, complaints } = await openDashboard(browser, world, `/workflows/${id}`)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'Send template' })
    const alert = page.getByRole('alert').filter({ hasText: 'The draft is incomplete' })
    const fault = alert.getByRole('button', { name: 'Send template: Choose a template.' })
    await press('Add a step at the start')
    await page.getByRole('menuitem', { name: 'Send template' }).click()
    // A new step has no errors until the person leaves the field.
    await saved(page)
    expect((await world.expect(200, 'GET', `/v1/workflows/${id}`)).draftErrors).toHaveLength(1)
    expect(await page.getByText('Choose a template.').count()).toBe(0)
    await panel.getByRole('combobox', { name: 'Template' }).focus()
    await panel.getByRole('combobox', { name: 'Channel' }).focus()
    await panel.getByText('Choose a template.').waitFor()
    await page.getByRole('region', { name: 'Issues' }).getByText('Send template: Choose a template.').waitFor()
    await page.getByText('Fix 1 issue to publish').waitFor()
    expect(await page.getByText('UUID').count()).toBe(0)

    for (const [tab, go] of [
      ['Test', 'Run test'],
      ['Backtest', 'Run backtest'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await page.getByText('Incomplete draft').waitFor()
      if (tab === 'Test') await page.getByLabel('Customer phone number').fill('+12025550177')
      await press(go)
      await fault.waitFor()
      expect(await faultsOf(page)).toEqual([])
      await fault.click()
      await panel.waitFor()
    }
    await page.getByRole('link', { name: 'Runs' }).click()
    await press('Publish')
    await page.getByText('The draft can’t be published yet: Choose a template.').waitFor()
    await panel.waitFor()

    await panel.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Cart reminder' }).click()
    expect(await panel.getByLabel('{{name}}').inputValue()).toBe('{{customer.name|there}}')
    expect(await panel.getByLabel('{{item}}').getAttribute('placeholder')).toBe('e.g. lamp')
    await press('Publish')
    await page.getByText('The draft can’t be published yet: Fill in the variable “item”.').waitFor()
    await panel.getByLabel('{{item}}').fill('lamp')
    await press('Publish')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish version' }).click()
    await page.getByText('Version 2 is published. The workflow is on').waitFor()
    const { draft, draftErrors } = await world.expect(200, 'GET', `/v1/workflows/${id}`)
    expect([draft.steps.template.templateId, draftErrors]).toEqual([templateId, []])
    expect(complaints).toEqual([])
  })

  test('shows the changes of each published version and restores one to the draft', async () => {
    const before = { ...cart, trigger: { eventType: 'cart.old' } }
    const id = await made.workflow(before, 'Old and new')
    const definition = { ...before, steps: { ...cart.steps, lost: { type: 'exit', reason: 'gone' } } }
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition } })
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`, { body: {} })
    const { page, complaints } = await openDashboard(browser, world, `/workflows/${id}?view=history`)
    const history = page.getByRole('complementary', { name: 'History' })
    const newest = history.getByRole('listitem').filter({ hasText: 'Version 2' })
    await newest.getByText('Current version').waitFor()
    await newest.getByText('lost').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await history.getByRole('link', { name: 'Version 1' }).click()
    await page.getByRole('region', { name: 'Steps of version 1' }).getByText('no_answer').waitFor()
    await history.getByText('First version.').waitFor()
    await history.getByRole('button', { name: 'Copy to draft' }).click()
    await page.getByRole('button', { name: /no_answer/ }).waitFor()
    await page.getByText('The draft has changes').waitFor()
    await saved(page)
    expect(await draftOf(id)).toEqual(before)
    expect(complaints).toEqual([])
  })

  test('lets an agent view and try everything without offering forbidden actions', async () => {
    const id = await made.workflow(everyStep, 'Every step')
    await made.parked('every.step', made.phone(), { total: 30 })
    const { page, complaints } = await openDashboard(browser, world, '/workflows', {
      token: await agentOf(world),
    })
    const refused: string[] = []
    page.on('response', response => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await page.getByRole('link', { name: 'Every step' }).waitFor()
    expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0)
    await page.goto(`/workflows/${id}`)
    const begins = page.getByRole('button', { name: /^Event/ })
    await begins.getByText('every.step, if data.total is at least 20').waitFor()
    await begins.getByText('ends early: order.paid, opt-out').waitFor()
    for (const step of ['start', ...Object.keys(everyStep.steps)]) {
      await page.goto(`/workflows/${id}?step=${step}`)
      const panel = page.getByRole('complementary')
      await panel.getByRole('button', { name: 'Close' }).waitFor()
      expect([step, await changeable(panel)]).toEqual([step, []])
      const [title, cross] = [panel.getByRole('heading').first(), panel.getByRole('button', { name: 'Close' })]
      const [head, close] = [(await title.boundingBox())!, (await cross.boundingBox())!]
      expect([step, Math.abs(head.y + head.height / 2 - close.y - close.height / 2) <= 1]).toEqual([step, true])
    }
    const main = page.getByRole('main')
    const buttons = ['Publish', 'Undo', 'Redo', /^Actions for/, /^Add a step/]
    for (const name of buttons) expect([name, await main.getByRole('button', { name }).count()]).toEqual([name, 0])
    expect(await main.getByRole('switch').count()).toBe(0)
    await page.getByRole('link', { name: 'JSON' }).click()
    const json = page.getByRole('textbox', { name: 'Workflow definition as JSON' })
    expect(await json.getAttribute('aria-readonly')).toBe('true')

    await page.getByRole('link', { name: 'Test', exact: true }).click()
    await page.getByRole('button', { name: 'Run test' }).click()
    await page.getByRole('button', { name: 'Skip to end' }).waitFor()
    await page.getByRole('link', { name: 'Backtest', exact: true }).click()
    await page.getByRole('button', { name: 'Run backtest' }).click()
    await page.getByText('1 of 1 every.step event').waitFor()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByText('1 waiting').waitFor()
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${id}/runs`)
    await page.goto(`/runs/${data[0].id}`)
    await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show trace' }).click()
    await page.getByRole('list', { name: /^Trace/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop run' }).count()).toBe(0)
    expect([refused, complaints]).toEqual([[], []])
  })

  test.each([1024, 360])('the value of a filter and its type are in one line at %i pixels', async width => {
    const trigger = { eventType: 'cart.narrow', where: { path: 'data.total', op: 'gte', value: 20 } }
    const id = await made.workflow({ ...cart, trigger }, `Narrow ${width}`)
    const { page } = await openDashboard(browser, world, `/workflows/${id}?step=start`, { width })
    const fields = ['Value', 'Value type'].map(name => page.getByLabel(name, { exact: true }).first())
    const [value, kind] = await Promise.all(fields.map(field => field.boundingBox()))
    expect([value!.y, value!.x < kind!.x]).toEqual([kind!.y, true])
  })

  test('fits the graph on a phone, with zoom buttons that cover no step', async () => {
    const answer = { ...cart.steps.answer, any: [...cart.steps.answer.any, { reply: {}, next: 'other' }] }
    const other = { type: 'exit', reason: 'other' }
    const id = await made.workflow(
      { ...cart, trigger: { eventType: 'cart.phone' }, steps: { ...cart.steps, answer, other } },
      'On a phone',
    )
    const { page } = await openDashboard(browser, world, `/workflows/${id}`, { width: 360 })
    const step = page.getByRole('button', { name: /^Wait for reply or event/ })
    await step.waitFor()
    const graph = page.getByRole('region', { name: 'Workflow steps, from top to bottom' })
    const shown = (await graph.boundingBox())!
    const sizes = (await page.getByRole('group', { name: 'Zoom controls' }).boundingBox())!
    expect(shown.y + shown.height).toBeLessThanOrEqual(sizes.y)
    expect((await step.boundingBox())!.width).toBeGreaterThan(90)
    expect(await graph.evaluate(one => one.scrollWidth - one.clientWidth)).toBe(0)
  })
})
