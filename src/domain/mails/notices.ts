/** What owners are told by mail without having asked for it. */
import { type Database, transaction } from '../../db/client.ts'
import { type Conduct, recordConduct } from '../endpoints/index.ts'
import { listOwners } from '../members/index.ts'
import { sendMailSoon } from '../tasks.ts'

/** Owners of one workspace who are written to, those first who have been in it for longest. */
export const maxOwnersTold = 20

/** Writes down how endpoints did; whoever owns one that is held for it is written to. */
export const recordConductAndTell = (sql: Database, conducts: Conduct[]) =>
  transaction(sql, async tx => {
    const held = await recordConduct(tx, conducts)
    for (const { workspaceId, webhookId } of held)
      for (const userId of await listOwners(tx, workspaceId, maxOwnersTold))
        await sendMailSoon(tx, { kind: 'held', workspaceId, webhookId, userId })
    return held
  })
