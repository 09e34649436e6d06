/** All tables with encrypted values. */

import { encryptedFactors } from '../../accounts/second-factors/index.ts'
import { encryptedChannels } from '../../messaging/channels/index.ts'
import type { EncryptedTable, RowKey } from '../../platform/encryption.ts'
import { encryptedWebhooks } from '../../webhooks/endpoints/index.ts'

export const encryptedTables: readonly EncryptedTable[] = [encryptedChannels, encryptedWebhooks, encryptedFactors]

const lowest = '00000000-0000-0000-0000-000000000000'
/** Key that sorts before every row. */
export const lowestKey: RowKey = { workspaceId: lowest, id: lowest }
