import { type Database, transaction } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { sendMailSoon } from '../tasks.ts'
import { type Conduct, recordConduct } from './health-sql.ts'

/**
 * Stores health samples of endpoints. In the same transaction it enqueues a mail to the owners of each endpoint that is
 * held because of them.
 */
export const noteConduct = (sql: Database, conducts: Conduct[]) =>
  transaction(sql, async tx => {
    const held = await recordConduct(tx, conducts)
    const since = new Date(clock.now()).toISOString()
    for (const { workspaceId, webhookId: id } of held)
      await sendMailSoon(tx, { kind: 'notice', of: 'endpoint held', workspaceId, id, since, to: null })
    return held
  })
