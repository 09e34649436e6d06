import { createHmac } from 'node:crypto'

/**
 * Returns the value of `X-Service-Signature` for one attempt.
 *
 * @param secrets the endpoint's secret, followed during a rotation by the previous one. A receiver that knows either
 * finds its digest. The whole string is the key, including its prefix.
 * @param t time of the attempt in whole unix seconds
 * @param body exactly the bytes that are sent
 * @returns `t=<t>,v1=<hex>` with one `v1` for each secret, in the given order
 */
export const signWebhook = (secrets: readonly string[], t: number, body: string): string => {
  const signed = `${t}.${body}`
  let header = `t=${t}`
  for (const secret of secrets) header += `,v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
  return header
}
