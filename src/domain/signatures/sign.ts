import { createHmac } from 'node:crypto'

/**
 * The value of `X-Service-Signature` for one attempt.
 *
 * @param secrets the endpoint's secret, then, while a rotation is recent, the one before it: a receiver that knows
 *   either finds its digest. The whole string is the key, prefix included.
 * @param t when the attempt is made, in whole unix seconds
 * @param body exactly the bytes that are sent
 * @returns `t=<t>,v1=<hex>` with one `v1` for each secret, in their order
 */
export const signWebhook = (secrets: readonly string[], t: number, body: string): string => {
  const signed = `${t}.${body}`
  let header = `t=${t}`
  for (const secret of secrets) header += `,v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
  return header
}
