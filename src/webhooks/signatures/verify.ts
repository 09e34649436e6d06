import type { ReadRunner } from '../../core/context.ts'
import { isId } from '../../core/ids.ts'
import { hashSecret } from '../../core/secrets.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { runInSlices } from '../../platform/event-loop.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { decryptSecrets, listSecrets, type WebhookSettings } from '../endpoints/index.ts'
import { deliveryBody, findSentEvent } from '../outbound-events/index.ts'
import { checkSignature, combineChecks, type SchemeCheck, type SignatureCheck } from './diagnosis.ts'
import { type Evidence, explainMismatch } from './explain.ts'
import { findHeader, type ReceivedWebhook } from './received.ts'
import type { VerifyWebhook } from './schema.ts'

/** Checks the signatures and explains why they are invalid (contract 13.4). Stores none of the input. */
export const verifyWebhook = verb(
  { by: 'owner' },
  async (
    { caller: { workspaceId } },
    reading: ReadRunner,
    { keyring }: WebhookSettings,
    { secret, headers, body, at }: VerifyWebhook,
  ): Promise<SignatureCheck> => {
    const received: ReceivedWebhook = { secret, headers, body, at: new Date(at ?? clock.now()) }
    const checks = checkSignature(received)
    if (!checks.some(isMismatch)) return combineChecks(checks)
    const evidence = await reading(workspaceId, sql =>
      evidenceFor(sql, workspaceId, { keyring, receivedSecret: secret, headers }),
    )
    const explained: SchemeCheck[] = []
    for (const check of checks) {
      const causes = isMismatch(check) ? await runInSlices(explainMismatch(received, evidence, check.scheme)) : []
      const others = check.problems.filter(({ code }) => code !== 'digest_mismatch')
      explained.push({ ...check, problems: [...causes, ...others] })
    }
    return combineChecks(explained)
  },
)

const isMismatch = ({ problems }: SchemeCheck): boolean => problems.some(({ code }) => code === 'digest_mismatch')

/**
 * Reads the workspace's readable secrets and the body that was sent. The receiver may have the secret of another
 * endpoint, or a different body.
 */
const evidenceFor = async (
  sql: Sql,
  workspaceId: string,
  {
    keyring,
    receivedSecret,
    headers,
  }: { keyring: Keyring | null; receivedSecret: string; headers: Record<string, string> },
): Promise<Evidence> => {
  const idIn = (name: string): string | null => {
    const id = findHeader(headers, name)
    return id !== null && isId(id) ? id : null
  }
  const [deliveryId, eventId] = [idIn('x-service-delivery'), idIn('webhook-id')]
  const event = deliveryId || eventId ? await findSentEvent(sql, workspaceId, { deliveryId, eventId }) : null
  const receivedHash = hashSecret(receivedSecret)
  return {
    sentBody: event && deliveryBody(workspaceId, event),
    endpoints: (await listSecrets(sql, workspaceId)).flatMap(({ id, url, replacedSecretHash, ...kept }) => {
      const [secret] = decryptSecrets(keyring, kept, { workspaceId, webhookId: id }) ?? []
      const previousSecret = replacedSecretHash === receivedHash ? receivedSecret : null
      return secret === undefined ? [] : [{ id, url, secret: secret.text, previousSecret }]
    }),
  }
}
