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
import {
  checkSignature,
  type Evidence,
  explainMismatch,
  type ReceivedWebhook,
  type SignatureCheck,
} from './diagnosis.ts'
import type { VerifyWebhook } from './schema.ts'

/** Checks a signature and explains why it is invalid. Stores none of the input. */
export const verifyWebhook = verb(
  { by: 'owner' },
  async (
    { caller: { workspaceId } },
    reading: ReadRunner,
    { keyring }: WebhookSettings,
    { secret, headers, body, at }: VerifyWebhook,
  ): Promise<SignatureCheck> => {
    const received: ReceivedWebhook = { secret, headers, body, at: new Date(at ?? clock.now()) }
    const result = checkSignature(received)
    if (!result.problems.some(({ code }) => code === 'digest_mismatch')) return result
    const others = result.problems.filter(({ code }) => code !== 'digest_mismatch')
    const evidence = await reading(workspaceId, sql =>
      evidenceFor(sql, workspaceId, { keyring, receivedSecret: secret, headers }),
    )
    return { ...result, problems: [...(await runInSlices(explainMismatch(received, evidence))), ...others] }
  },
)

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
  const deliveryId = Object.entries(headers)
    .find(([name]) => name.trim().toLowerCase() === 'x-service-delivery')?.[1]
    .trim()
  const event = deliveryId !== undefined && isId(deliveryId) ? await findSentEvent(sql, workspaceId, deliveryId) : null
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
