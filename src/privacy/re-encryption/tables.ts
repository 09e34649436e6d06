/** All tables with encrypted values. */

import { encryptedFactors } from '../../accounts/second-factors/index.ts'
import { encryptedChannels } from '../../messaging/channels/index.ts'
import type { EncryptedTable, RowKey } from '../../platform/encryption.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { encryptedWebhooks } from '../../webhooks/endpoints/index.ts'

export const encryptedTables: readonly EncryptedTable[] = [encryptedChannels, encryptedWebhooks, encryptedFactors]

/** Key that sorts before every row. */
export const lowestKey: RowKey = { workspaceId: smallestId, id: smallestId }
