import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import type { Reading } from '../context.ts'
import { listSecrets, openSecrets, type WebhookSettings } from '../endpoints/index.ts'
import { isId } from '../ids.ts'
import { deliveryBody, findSentEvent } from '../outbound-events/index.ts'
import type { Seals } from '../sealing.ts'
import { hashSecret } from '../secrets.ts'
import { ownTurn } from '../turns.ts'
import { verb } from '../verb.ts'
import { type Evidence, explainMismatch, judgeSignature, type ReceivedWebhook, type Verdict } from './diagnosis.ts'
import type { VerifyWebhook } from './schema.ts'

/** Checks a signature and explains why it is invalid. Stores none of the input. */
export const verifyWebhook = verb(
  { by: 'owner' },
  async (
    { caller: { workspaceId } },
    reading: Reading,
    { seals }: WebhookSettings,
    { secret, headers, body, at }: VerifyWebhook,
  ): Promise<Verdict> => {
    const received: ReceivedWebhook = { secret, headers, body, at: new Date(at ?? clock.now()) }
    const verdict = judgeSignature(received)
    if (!verdict.problems.some(({ code }) => code === 'digest_mismatch')) return verdict
    const others = verdict.problems.filter(({ code }) => code !== 'digest_mismatch')
    const evidence = await reading(workspaceId, sql => evidenceFor(sql, workspaceId, { seals, given: secret, headers }))
    // Yields first, because hashing a body in dozens of forms takes tens of milliseconds.
    await ownTurn()
    return { ...verdict, problems: [...explainMismatch(received, evidence), ...others] }
  },
)

/**
 * Reads the workspace's readable secrets and the body that was sent. The receiver may have the secret of another
 * endpoint, or a different body.
 */
const evidenceFor = async (
  sql: Sql,
  workspaceId: string,
  { seals, given, headers }: { seals: Seals | null; given: string; headers: Record<string, string> },
): Promise<Evidence> => {
  const deliveryId = Object.entries(headers)
    .find(([name]) => name.trim().toLowerCase() === 'x-service-delivery')?.[1]
    .trim()
  const event = deliveryId !== undefined && isId(deliveryId) ? await findSentEvent(sql, workspaceId, deliveryId) : null
  const hashOfGiven = hashSecret(given)
  return {
    sentBody: event && deliveryBody(workspaceId, event),
    endpoints: (await listSecrets(sql, workspaceId)).flatMap(({ id, url, replacedHash, ...kept }) => {
      const [secret] = openSecrets(seals, kept, { workspaceId, webhookId: id }) ?? []
      const previousSecret = replacedHash === hashOfGiven ? given : null
      return secret === undefined ? [] : [{ id, url, secret, previousSecret }]
    }),
  }
}
