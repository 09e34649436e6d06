import { test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { longestStretch } from './support/stretch.ts'
import { startWorld } from './support/world.ts'
test('x', async () => {
  const world = await startWorld({ SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'), PUBLIC_URL: 'https://a.example', WHATSAPP_API_URL: 'http://127.0.0.1:9' })
  const secret = 'app-secret-of-whatsapp'
  const { id } = await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'whatsapp_cloud', name: 'x', credentials: { phoneNumberId: '1', accessToken: 'EAAGm0PX4ZCpsBAAccessToken', appSecret: secret, verifyToken: 'verify-token-of-ours' } } })
  const send = (raw: Uint8Array, s: string) => world.call('POST', `/v1/inbound/whatsapp/${id}`, { as: 'nobody', raw: raw as never, headers: { 'X-Hub-Signature-256': s } })
  const sig = (b: Uint8Array) => `sha256=${createHmac('sha256', secret).update(b).digest('hex')}`
  let k = 0
  const env = (v: object) => new TextEncoder().encode(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1' }, ...v } }] }] }))
  const msgs = (texts: string[], one = false) => env({ messages: texts.map((body, i) => ({ id: `w.${k++}`, from: String(4915110000000 + (one ? 0 : i)), timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body } })) })
  const plain = 'I would like to know where my order is, since it has not come yet. '.repeat(23).slice(0, 1500)
  for (let round = 0; round < 2; round++)
  for (const [name, make, c] of [['6 plain', () => msgs(Array(1000).fill(plain)), 3], ['8 one', () => msgs(Array(1000).fill('\ufdfa'.repeat(900)), true), 4], ['small', () => msgs(Array(1000).fill('Where')), 4]] as const) {
    const bodies = Array.from({ length: c * 2 }, make).map(b => [b, sig(b)] as const)
    const { ms, result } = await longestStretch(async () => { const out: number[] = []; let i = 0; await Promise.all(Array.from({ length: c }, async () => { while (i < bodies.length) { const [b, s] = bodies[i++]!; out.push((await send(b, s)).status) } })); return out })
    console.log(name, ms.toFixed(0), result.join())
  }
  await world.stop()
}, 120000)
