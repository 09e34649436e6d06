/** Statistics of a campaign: outcomes of its recipients over time. */
import { type Static, Type } from '@sinclair/typebox'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { Time, withDescription } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import { clock } from '../../platform/clock.ts'
import { countOutcomes } from './results-sql.ts'
import { findCampaign } from './sql.ts'

const maxBuckets = 60
const secondsPerDay = 86_400

/** Lengths of buckets in seconds. A longer campaign has buckets of whole days. */
const bucketLengths = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600]

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
    if (from === null) return { bucketSeconds: bucketLengths[0]!, data: [] }
    const until = new Date(Math.max(finishedAt?.getTime() ?? clock.now(), +from))
    const bucketSeconds = bucketSecondsFor(+until - +from)
    const rows = await countOutcomes(sql, { workspaceId, campaignId: id, from, until, bucketSeconds })
    const data = Array.from({ length: bucketCount(+until - +from, bucketSeconds) }, (_, index) => ({
      at: new Date(+from + index * bucketSeconds * 1000).toISOString(),
      sent: 0,
      skipped: 0,
      unknown: 0,
    }))
    for (const { position, outcome, count } of rows) data[position]![outcome] += count
    return { bucketSeconds, data }
  },
)

/** Returns the number of buckets. The last one contains the end. */
const bucketCount = (ms: number, seconds: number): number => Math.floor(ms / (seconds * 1000)) + 1

const bucketSecondsFor = (ms: number): number =>
  bucketLengths.find(seconds => bucketCount(ms, seconds) <= maxBuckets) ??
  (Math.floor(ms / (maxBuckets * secondsPerDay * 1000)) + 1) * secondsPerDay
