/** Tests of campaigns as an owner uses them: draft, preview, start, progress and end, in a real browser. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { faultsOf } from '../support/browser/axe.ts'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { acceptAndHang } from '../support/stand-in.ts'
import { startTwilio } from '../support/twilio.ts'
import { use } from '../support/use.ts'
import { useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('Campaigns', () => {
  const twilio = use(startTwilio)
  const world = useWorld(() => ({ TWILIO_API_URL: twilio.apiUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }))
  const browser = useBrowser()
  let channelId: string
  let templateId: string
  beforeAll(async () => {
    channelId = await world.sandbox()
    templateId = (
      await world.expect(201, 'POST', '/v1/templates', {
        body: {
          name: 'Sale',
          category: 'utility',
          body: 'Hi {{name}}, all is cheaper.',
          variables: [{ name: 'name', sample: 'Ana' }],
        },
      })
    ).id
    const people: [string, string | null, string][] = [
      ['Ana', '+12025550141', 'Berlin'],
      ['Ben <i>', '+12025550142', 'Berlin'],
      ['Cem', null, 'Berlin'],
      ['Dua', '+12025550144', 'Rome'],
    ]
    for (const [name, phone, city] of people)
      await world.expect(201, 'POST', '/v1/customers', {
        body: { name, externalId: name.slice(0, 3), ...(phone && { phone }), attributes: { city } },
      })
  })

  const draft = (name: string) =>
    world.expect(201, 'POST', '/v1/campaigns', {
      body: { name, channelId, templateId, variables: { name: '{{customer.name|there}}' }, audience: { all: true } },
    })

  test('schedules a campaign in local time, reschedules it and cancels it', async () => {
    const { id } = await draft('Later')
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('dialog').getByText('Schedule for later').click()
    await page.getByLabel('Date and time').fill('2099-03-02T09:00')
    await page.getByRole('button', { name: 'Schedule campaign' }).click()
    await page.getByText('Scheduled', { exact: true }).waitFor()
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    const { scheduledAt } = await world.expect(200, 'GET', `/v1/campaigns/${id}`)
    expect(new Date(scheduledAt).toLocaleString('sv', { timeZone: zone })).toBe('2099-03-02 09:00:00')
    await page.getByRole('button', { name: 'Reschedule' }).waitFor()
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
  })

  test('shows the progress of a running campaign, pauses, resumes and cancels it', async () => {
    // The provider accepts messages without a response, so the campaign waits for the outcome.
    const body = { kind: 'twilio_sms', name: 'SMS', credentials: twilio.credentials }
    const { id: slow } = await world.expect(201, 'POST', '/v1/channels', { body })
    twilio.behave(acceptAndHang, acceptAndHang, acceptAndHang, acceptAndHang)
    const { id } = await draft('Slow')
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { channelId: slow } })
    await world.expect(202, 'POST', `/v1/campaigns/${id}/start`)
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    await page.getByText('Remaining').waitFor()
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).status).toBe('cancelled')
  })

  test('edits a nested audience in the form, as JSON, and in the form again', async () => {
    const { id } = await draft('Nested')
    const city = { path: 'customer.attributes.city', op: 'eq', value: 'Rome' }
    const where = { any: [city, { not: { path: 'customer.phone', op: 'exists' } }] }
    await world.expect(200, 'PATCH', `/v1/campaigns/${id}`, { body: { audience: { where } } })
    const { page } = await openDashboard(browser, world, `/campaigns/${id}`)
    const ways = page.getByRole('combobox', { name: 'Customers where' })
    const choose = async (way: string) => {
      await ways.click()
      await page.getByRole('option', { name: way }).click()
    }
    await page.getByLabel('Attribute name').fill('town')
    await page.getByLabel('Value', { exact: true }).first().fill('7')
    await choose('JSON condition')
    const json = page.getByRole('textbox', { name: 'JSON condition' })
    await json.fill((await json.inputValue()).replace('town', 'place'))
    await choose('All conditions match')
    await page.getByRole('button', { name: 'Save and preview audience' }).click()
    await page.getByText('“Nested” was saved.').first().waitFor()
    expect((await world.expect(200, 'GET', `/v1/campaigns/${id}`)).audience).toEqual({
      where: { all: [{ ...city, path: 'customer.attributes.place', value: 7 }, where.any[1]] },
    })
    expect(await faultsOf(page)).toEqual([])
  })
})
