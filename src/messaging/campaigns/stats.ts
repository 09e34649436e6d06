/** Statistics of a campaign: outcomes of its recipients over time. */
import { type Static, Type } from '@sinclair/typebox'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { Time, withDescription } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import { bucketCount, bucketSecondsFor, maxBuckets, selectOutcomes } from './outcomes.ts'
import { findCampaign } from './sql.ts'

const Count = (outcome: string) =>
  Type.Integer({
    minimum: 0,
    description: `Number of recipients whose outcome \`${outcome}\` was recorded in this time.`,
  })

export const CampaignStats = Type.Object(
  {
    bucketSeconds: Type.Integer({ minimum: 1, description: 'Length of a bucket in seconds.' }),
    data: Type.Array(
      Type.Object({
        at: withDescription(Time, 'Start of the bucket.'),
        sent: Count('sent'),
        skipped: Count('skipped'),
        unknown: Count('unknown'),
      }),
      { maxItems: maxBuckets, description: 'Every bucket from the start to the end, or until now. Oldest first.' },
    ),
  },
  { $id: 'CampaignStats', description: 'Outcomes of the recipients of a campaign over time.' },
)
export type CampaignStats = Static<typeof CampaignStats>

/** Counts the outcomes of a campaign over time. */
export const readCampaignStats = verb(
  { by: 'member' },
  async ({ sql, caller: { workspaceId } }, id: string): Promise<CampaignStats> => {
    const campaign = isId(id) ? await findCampaign(sql, workspaceId, id) : null
    if (campaign === null) throw notFound('campaign')
    const { startedAt: from, finishedAt } = campaign
    if (from === null) return { bucketSeconds: bucketSecondsFor(0), data: [] }
    const until = new Date(Math.max(finishedAt?.getTime() ?? clock.now(), +from))
    const bucketSeconds = bucketSecondsFor(+until - +from)
    const data = Array.from({ length: bucketCount(+until - +from, bucketSeconds) }, (_, index) => ({
      at: new Date(+from + index * bucketSeconds * 1000).toISOString(),
      sent: 0,
      skipped: 0,
      unknown: 0,
    }))
    for (const { second, ...counts } of await selectOutcomes(sql, workspaceId, id)) {
      // The clock of the database can be ahead of that of this process.
      const bucket = data[Math.min(Math.floor(second / bucketSeconds), data.length - 1)]!
      for (const outcome of ['sent', 'skipped', 'unknown'] as const) bucket[outcome] += counts[outcome]
    }
    return { bucketSeconds, data }
  },
)
