import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

/**
 * Returns whether a webhook was sent by the service. Answer 401 if not, and 200 as soon as you have stored it. An event
 * can arrive more than once: store the `id` in its body and ignore events that you have handled.
 *
 * @param secret the endpoint's secret, the whole string from `whsec_` on
 * @param header the value of X-Service-Signature
 * @param body the raw body, before anything parses it: in Express from `express.raw({ type: 'application/json' })`,
 *   elsewhere from `await request.text()`
 * @param now unix seconds
 */
export function verifyWebhook(
  secret: string,
  header: string | null | undefined,
  body: string | Uint8Array,
  now: number = Math.floor(Date.now() / 1000),
): boolean {
  const fields = (header ?? '').split(',')
  const valuesOf = (name: string) =>
    fields.filter(field => field.split('=', 1)[0] === name).map(field => field.slice(name.length + 1))

  const [t, ...moreTimes] = valuesOf('t')
  if (t === undefined || moreTimes.length > 0 || !/^[0-9]{1,11}$/.test(t)) return false
  if (Math.abs(now - Number(t)) > toleranceSeconds) return false

  const expected = Buffer.from(createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex'))
  // After a rotation of the secret there are two signatures: one with the new secret, one with the old.
  return valuesOf('v1').some(digest => {
    const given = Buffer.from(digest)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
