/** Signs deliveries: our own scheme and Standard Webhooks. Pure. */
import { runtime } from '../../platform/runtime.ts'

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
  for (const secret of secrets) header += `,v1=${runtime.hmacSha256(secret, signed, 'hex')}`
  return header
}

/**
 * Returns the value of `webhook-signature` for one attempt (contract 13.5).
 *
 * @param keys the decoded bytes of the same secrets, in the same order
 * @param id ID of the event, sent as `webhook-id`
 * @param t time of the attempt in whole unix seconds, sent as `webhook-timestamp`
 * @param body exactly the bytes that are sent
 * @returns `v1,<base64>` for each key, separated by a space
 */
export const signStandard = (keys: readonly Buffer[], id: string, t: number, body: string): string => {
  const signed = `${id}.${t}.${body}`
  return keys.map(key => `v1,${runtime.hmacSha256(key, signed, 'base64')}`).join(' ')
}
