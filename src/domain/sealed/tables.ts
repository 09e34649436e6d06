/** All tables with encrypted values. */
import { sealedOfChannels } from '../channels/index.ts'
import { sealedOfWebhooks } from '../endpoints/index.ts'
import type { RowKey, SealedTable } from '../sealing.ts'
import { sealedOfFactors } from '../second-factors/index.ts'

export const sealedTables: readonly SealedTable[] = [sealedOfChannels, sealedOfWebhooks, sealedOfFactors]

const lowest = '00000000-0000-0000-0000-000000000000'
/** Key that sorts before every row. */
export const lowestKey: RowKey = { workspaceId: lowest, id: lowest }
