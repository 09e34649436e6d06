import { type Database, transaction } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import { sendMailSoon } from '../tasks.ts'
import { type Conduct, recordConduct } from './health-sql.ts'

/** Writes down how endpoints do. The owners of one that is held for it are told, by the same commit. */
export const noteConduct = (sql: Database, conducts: Conduct[]) =>
  transaction(sql, async tx => {
    const held = await recordConduct(tx, conducts)
    const since = new Date(clock.now()).toISOString()
    for (const { workspaceId, webhookId: id } of held)
      await sendMailSoon(tx, { kind: 'notice', of: 'endpoint held', workspaceId, id, since, to: null })
    return held
  })
