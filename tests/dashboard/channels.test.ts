/** Tests of channels as an owner uses them: connect, test, change and disconnect, in a real browser. */
import { describe, expect, test } from 'bun:test'
import { browserPath } from '../support/browser/browser.ts'
import { openDashboard, useBrowser } from '../support/browser/dashboard.ts'
import { answering } from '../support/stand-in.ts'
import { use } from '../support/use.ts'
import { startWhatsApp, whatsAppError } from '../support/whatsapp.ts'
import { eventually, useWorld } from '../support/world.ts'

describe.skipIf(browserPath === null)('Channels', () => {
  const whatsapp = use(startWhatsApp)
  const world = useWorld(() => ({
    WHATSAPP_API_URL: whatsapp.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  }))
  const browser = useBrowser()

  test('offers to connect a channel in the inbox and on an empty page; connects, tests, renames and disconnects a sandbox', async () => {
    const { page, elsewhere } = await openDashboard(browser, world, '/inbox')
    await page.getByRole('main').getByRole('link', { name: 'Connect channel' }).click()
    await page.waitForURL('**/channels/new')
    await page.goto('/channels')
    await page.getByRole('heading', { name: 'No channels yet' }).waitFor()
    await page.getByRole('link', { name: 'Connect channel' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Try-out')
    await page.getByRole('button', { name: 'Connect channel' }).click()
    const panel = page.getByRole('complementary', { name: 'Try-out' })
    await panel.getByText('Connected', { exact: true }).first().waitFor()
    await page.waitForFunction(() => document.title.startsWith('Try-out · Channels · '))
    await panel.getByRole('link', { name: 'Open sandbox phone' }).click()
    await page.getByRole('dialog', { name: 'Sandbox phone' }).waitFor()
    await page.goBack()
    await panel.getByRole('button', { name: 'Test' }).click()
    await panel.getByRole('status').getByText('Works').waitFor()
    await page.getByRole('figure').getByRole('group').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\?since=.*&until=/)
    await page.goBack()

    await panel.getByRole('button', { name: 'Edit' }).click()
    const change = page.getByRole('dialog', { name: 'Edit “Try-out”' })
    await change.getByLabel('Name', { exact: true }).fill('Sandbox')
    await change.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('table').getByRole('link', { name: 'Sandbox' }).waitFor()

    // The dialog keeps the name that another person gives the channel meanwhile.
    await page.getByRole('button', { name: 'Edit' }).click()
    const deliveryOf = page.getByRole('dialog', { name: 'Edit “Sandbox”' })
    await deliveryOf.getByRole('combobox').click()
    await page.getByRole('option').last().click()
    const { id, sandbox } = (await world.expect(200, 'GET', '/v1/channels')).data[0]
    await world.expect(200, 'PATCH', `/v1/channels/${id}`, { body: { name: 'Theirs' } })
    await deliveryOf.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Theirs').first().waitFor()
    const saved = await world.expect(200, 'GET', `/v1/channels/${id}`)
    expect(saved.name).toBe('Theirs')
    expect(saved.sandbox.delivery).not.toBe(sandbox.delivery)

    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect channel' }).click()
    await page.getByText('This channel is permanently disconnected.').waitFor()
    await page.getByRole('table').getByText('Disconnected').waitFor()
    expect(await page.getByRole('button', { name: 'Test' }).count()).toBe(0)
    expect(elsewhere).toEqual([])
  })

  test('connects WhatsApp with the values from Meta and lists the errors of the provider', async () => {
    const { page } = await openDashboard(browser, world, '/channels/new?kind=whatsapp_cloud')
    const { phoneNumberId, accessToken, appSecret, verifyToken } = whatsapp.credentials
    await page.getByRole('button', { name: 'Connect channel' }).click()
    await page.getByText('Access token is required.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Phone number ID').fill('not digits')
    await page.getByLabel('Access token').fill(accessToken)
    await page.getByLabel('App secret').fill(appSecret)
    await page.getByLabel('Verify token').fill(verifyToken)
    await page.getByRole('button', { name: 'Connect channel' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Phone number ID').fill(phoneNumberId)
    await page.getByRole('button', { name: 'Connect channel' }).click()
    const panel = page.getByRole('complementary', { name: 'Shop' })
    const { data } = await world.expect(200, 'GET', '/v1/channels')
    const shop = () => panel.getByLabel('Callback URL', { exact: true })
    await shop().waitFor()
    expect(await shop().inputValue()).toContain('/v1/inbound/whatsapp/')
    expect(JSON.stringify(data)).not.toContain(accessToken)

    whatsapp.behave(answering(whatsAppError(401, 190, 'Error validating access token', 'Session has expired')))
    await panel.getByRole('button', { name: 'Test' }).click()
    await panel.getByRole('status').getByText('Rejected', { exact: true }).waitFor()
    await page.goto('/channels/new?kind=whatsapp_cloud')
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
  })

  test('says since when a channel fails and how many messages are queued', async () => {
    const { id: channelId } = await world.expect(201, 'POST', '/v1/channels', {
      body: { kind: 'sandbox', name: 'Refused', sandbox: { delivery: 'rejected' } },
    })
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { phone: '+12025550143' } })
    const { id } = await world.expect(201, 'POST', '/v1/conversations', { body: { channelId, customerId } })
    for (const text of ['One', 'Two'])
      await world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { body: { text } })
    await eventually('the channel fails', async () => {
      const { status } = await world.expect(200, 'GET', `/v1/channels/${channelId}`)
      return status === 'failing'
    })
    const { page } = await openDashboard(browser, world, `/channels/${channelId}`)
    const alert = page.getByRole('alert')
    await alert.getByText(/^Failing since .+\. 2 messages are queued\.$/).waitFor()
    await page.getByText(/no messages delivered or received\. 2 messages are queued\.$/).waitFor()
    await alert.getByRole('link', { name: 'View queued messages' }).click()
    await page.waitForURL(/\/messages\?.*status=queued/)
    await eventually('two are shown', async () => (await page.getByRole('row').count()) === 3)
  })

  test('draws the form of a kind from the interface and selects one of its alternatives', async () => {
    const { page, context } = await openDashboard(browser, world, '/channels')
    const { data } = await world.expect(200, 'GET', '/v1/channel-kinds')
    const twilio = data.find(({ kind }: { kind: string }) => kind === 'twilio_sms')
    const region = { ...twilio.credentials[0], name: 'region', label: 'Region', example: 'ie1' }
    const changed = { ...twilio, name: 'Carrier', description: 'Sends by carrier.', setup: 'Call the carrier.' }
    await page.route('**/v1/channel-kinds', route =>
      route.fulfill({ json: { data: [{ ...changed, credentials: [region, ...twilio.credentials] }] } }),
    )
    const bodies: Record<string, unknown>[] = []
    await page.route('**/v1/channels', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      bodies.push(route.request().postDataJSON())
      const { region: _, ...credentials } = bodies[0]!.credentials as Record<string, string>
      await route.continue({ postData: { ...bodies[0], credentials } })
    })
    await page.goto('/channels/new')
    await page.getByText('Sends by carrier.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Service')
    await page.getByLabel('Region').fill('ie1')
    expect(await page.getByLabel('Region').getAttribute('placeholder')).toBe('e.g. ie1')
    await page.getByLabel('Account SID').fill(' AC00000000000000000000000000000000 ')
    await page.getByRole('textbox', { name: 'Auth token' }).fill('0'.repeat(32))
    expect(await page.getByRole('textbox', { name: 'Auth token' }).getAttribute('type')).toBe('password')
    await page.getByRole('textbox', { name: 'Number or sender name' }).fill('+15005550006')
    await page.getByText('Messaging service SID', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Number or sender name' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Messaging service SID' }).fill('MG00000000000000000000000000000000')
    await page.getByRole('button', { name: 'Connect channel' }).click()

    const panel = page.getByRole('complementary', { name: 'Service' })
    await panel.getByText('Call the carrier.').waitFor()
    await panel.getByText('Carrier', { exact: true }).waitFor()
    const service = { authToken: '0'.repeat(32), messagingServiceSid: 'MG00000000000000000000000000000000' }
    const credentials = { region: 'ie1', accountSid: 'AC00000000000000000000000000000000', ...service }
    expect(bodies).toEqual([{ kind: 'twilio_sms', name: 'Service', credentials }])
    await panel.getByRole('button', { name: 'Replace credentials' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Messaging service SID' }).waitFor()
    await context.close()
  }, 60_000)
})
