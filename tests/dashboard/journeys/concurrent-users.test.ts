/** Tests of two people who work at the same time, and of a session that ends midway. No input is lost. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../../support/browser/axe.ts'
import { browserPath } from '../../support/browser/browser.ts'
import { agentOf, button, expectQuiet, newSession, openDashboard, useBrowser } from '../../support/browser/dashboard.ts'
import { play } from '../../support/workflows.ts'
import { useWorld } from '../../support/world.ts'

setDefaultTimeout(120_000)

describe.skipIf(browserPath === null)('in a browser', () => {
  const world = useWorld()
  const browser = useBrowser()
  let sandbox: string
  beforeAll(async () => {
    sandbox = await world.sandbox()
  })

  const writes = async (from: string, name: string): Promise<string> => {
    const body = { from, name, text: 'Is it there in blue?', type: 'text' }
    return (await world.expect(201, 'POST', `/v1/channels/${sandbox}/sandbox/messages`, { body })).conversationId
  }
  const sentIn = async (id: string): Promise<string[]> => {
    const { data } = await world.expect(200, 'GET', `/v1/conversations/${id}/messages`)
    return data.filter(({ direction }: { direction: string }) => direction === 'outbound').map(textOf)
  }
  const textOf = ({ text }: { text: string }) => text
  const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply' })
  const thread = (page: Page) => page.getByRole('log', { name: 'Conversation' })
  const endSession = (token: string) =>
    world.expect(204, 'POST', '/v1/auth/sign-out', { as: { Authorization: `Bearer ${token}` } })

  test('shows the differences to the second of two people who save a workflow, and loses neither version', async () => {
    const definition = {
      trigger: { eventType: 'cart.abandoned' },
      start: 'gold',
      steps: {
        gold: { type: 'set_attribute', set: { tier: 'gold' }, next: 'lost' },
        lost: { type: 'exit', reason: 'no_answer' },
      },
    }
    const id = await play(() => world).workflow(definition, 'Of two people')
    const draftOf = async () => (await world.expect(200, 'GET', `/v1/workflows/${id}`)).draft
    const mine = await openDashboard(browser, world, `/workflows/${id}?step=lost`)
    const theirs = await openDashboard(browser, world, `/workflows/${id}?view=json`, {
      token: await newSession(world),
    })
    await mine.page.getByLabel('Reason').waitFor()
    // My browser is offline for the workflow while the other person saves.
    await mine.page.route(`**/v1/workflows/${id}`, route => route.abort())
    await mine.page.getByLabel('Reason').fill('mine')
    await mine.page.getByText('Not saved: The service does not answer.').waitFor()
    const json = theirs.page.getByRole('textbox', { name: 'Workflow definition as JSON' })
    const lines = await theirs.page.locator('.cm-line').allTextContents()
    await json.fill(lines.join('\n').replace('"gold"\n', '"theirs"\n'))
    await theirs.page.getByText('The draft has changes').waitFor()
    await theirs.page.getByText('Saved', { exact: true }).waitFor()
    const saved = await draftOf()
    expect(saved).toEqual({
      ...definition,
      steps: { ...definition.steps, gold: { ...definition.steps.gold, set: { tier: 'theirs' } } },
    })

    await mine.page.unroute(`**/v1/workflows/${id}`)
    await button(mine.page, 'Retry').click()
    const told = mine.page.getByRole('alert').filter({ hasText: 'Someone else saved this workflow' })
    await told.getByText('gold').waitFor()
    expect(await draftOf()).toEqual(saved)
    expect(await faultsOf(mine.page)).toEqual([])
    await told.getByRole('button', { name: 'Use their version' }).click()
    await button(mine.page, 'Undo').click()
    await mine.page.getByText('Saved', { exact: true }).waitFor()
    expect((await draftOf()).steps.lost.reason).toBe('mine')
    // The browser logs requests that fail.
    expectQuiet(mine, /ERR_FAILED|status of 409/)
    expectQuiet(theirs)
  })

  test('says that somebody else changed the workflow, and publishes their draft only after it was shown', async () => {
    const definition = {
      trigger: { eventType: 'cart.abandoned' },
      start: 'lost',
      steps: { lost: { type: 'exit', reason: 'no_answer' } },
    }
    const id = await play(() => world).workflow(definition, 'Published by two')
    const gold = { type: 'set_attribute', set: { tier: 'gold' }, next: 'lost' }
    const save = (change: object) =>
      world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: { ...definition, ...change } } })
    await save({ steps: { lost: { type: 'exit', reason: 'mine' } } })
    const opened = await openDashboard(browser, world, `/workflows/${id}`)
    const { page } = opened
    await button(page, 'Publish').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('lost').waitFor()
    await save({ start: 'gold', steps: { gold, ...definition.steps } })
    await button(dialog, 'Publish version').click()
    await dialog.getByRole('alert').getByText('Other changes were saved in the meantime').waitFor()
    await dialog.getByText('gold').waitFor()
    expect(await dialog.getByText('ETag').count()).toBe(0)
    expect((await world.expect(200, 'GET', `/v1/workflows/${id}`)).publishedVersion).toBe(1)
    expect(await faultsOf(page)).toEqual([])
    await button(dialog, 'Publish version').click()
    await page.getByText('Version 2 is published.').waitFor()
    const published = await world.expect(200, 'GET', `/v1/workflows/${id}/versions/2`)
    expect(published.definition.start).toBe('gold')
    expectQuiet(opened, /status of 409/)
  })

  test('shows a new answer live to another person in the inbox and keeps a half-written reply', async () => {
    const id = await writes('+12025550203', 'Dora')
    const looks = await openDashboard(browser, world, `/inbox/${id}`, { token: await agentOf(world) })
    const answers = await openDashboard(browser, world, `/inbox/${id}`)
    await reply(looks.page).fill('Half of an ans')
    await reply(answers.page).fill('In blue too.')
    await reply(answers.page).press('Control+Enter')
    await thread(looks.page).getByText('In blue too.').waitFor()
    // The customer no longer waits, so the conversation leaves the list but stays open on the page.
    await looks.page.getByRole('table', { name: 'Conversations' }).getByRole('link', { name: 'Dora' }).waitFor({
      state: 'detached',
    })
    await answers.page.getByRole('button', { name: /^Assign/ }).click()
    await answers.page.getByRole('menuitem', { name: /(you)/ }).click()
    await looks.page.getByRole('button', { name: /^Assignee:/ }).waitFor()
    expect(await reply(looks.page).inputValue()).toBe('Half of an ans')
    expect(await sentIn(id)).toEqual(['In blue too.'])
    for (const opened of [looks, answers]) expectQuiet(opened)
  })

  test('keeps address and input across page changes, reloads and sessions that end', async () => {
    const id = await writes('+12025550204', 'Elif')
    const token = await newSession(world)
    const opened = await openDashboard(browser, world, `/inbox/${id}?filter=all`, { token })
    const { page, context } = opened
    await reply(page).fill('Half of an ans')
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    await page.goBack()
    await reply(page).waitFor()
    expect(await reply(page).inputValue()).toBe('Half of an ans')
    await endSession(token)
    await page.reload()
    await page.getByLabel('Email').fill(world.owner.email)
    await page.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await button(page, 'Sign in').click()
    await reply(page).waitFor()
    expect(await reply(page).inputValue()).toBe('Half of an ans')

    await reply(page).fill('A whole answer.')
    await endSession((await context.cookies()).find(({ name }) => name === 'session')!.value)
    await reply(page).press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(world.owner.password)
    await button(dialog, 'Sign in').click()
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toBe(`${world.url}/inbox/${id}?filter=all`)
    expect(await reply(page).inputValue()).toBe('A whole answer.')
    await reply(page).press('Control+Enter')
    await thread(page).getByText('A whole answer.').waitFor()
    expect(await sentIn(id)).toEqual(['A whole answer.'])
    expectQuiet(opened, /401/)
  })
})
