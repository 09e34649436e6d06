/** Previews the audience and the texts of a campaign if it started now. Read-only. */

import { hasFeature } from '../../accounts/entitlements/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { smallestId } from '../../platform/postgres/ids.ts'
import { findTemplates } from '../templates/index.ts'
import { readsAttributes } from './audience.ts'
import { type PeopleResult, readEverybody, readNamed } from './people.ts'
import { type Person, renderMessage, type SendContext, skipReason } from './recipient.ts'
import { filterByCondition } from './run.ts'
import type { Audience, CampaignPreview } from './schema.ts'

const pageSize = 1000
const maxSamples = 3

export interface PreviewInput {
  workspaceId: string
  channelId: string
  templateId: string
  variables: Record<string, string>
  audience: Audience
  connected: boolean
  /** Maximum number of customers that are read. */
  maxEvaluated: number
}

/** Aborts when the caller disconnects. */
export const buildPreview = async (sql: Sql, input: PreviewInput, signal: AbortSignal): Promise<CampaignPreview> => {
  const context = await loadContext(sql, input)
  const preview: CampaignPreview = { audience: 0, skipped: {}, withoutOptIn: 0, samples: [] }
  let [after, evaluated] = [smallestId, 0]
  for (;;) {
    signal.throwIfAborted()
    const { people, isEnd } = await readPage(sql, input, after)
    const { audience } = input
    count(preview, 'where' in audience ? await filterByCondition(people, audience.where) : people, context)
    evaluated += people.length
    after = people.at(-1)?.id ?? after
    if (isEnd) return preview
    if (evaluated >= input.maxEvaluated) return { ...preview, partial: true }
  }
}

const loadContext = async (
  sql: Sql,
  { workspaceId, templateId, variables, connected }: PreviewInput,
): Promise<SendContext> => {
  const [template] = await findTemplates(sql, workspaceId, [templateId])
  return { template: template ?? null, variables, connected, inPlan: await hasFeature(sql, workspaceId, 'campaigns') }
}

const readPage = (sql: Sql, input: PreviewInput, after: string): Promise<PeopleResult> => {
  const { workspaceId, channelId, audience, variables } = input
  const attributes = readsAttributes({ variables, where: 'where' in audience ? audience.where : null })
  const page = { workspaceId, channelId, after, limit: pageSize, attributes }
  return 'customerIds' in audience
    ? readNamed(sql, { ...page, ids: audience.customerIds })
    : readEverybody(sql, { ...page, at: null })
}

const count = (preview: CampaignPreview, people: Person[], context: SendContext): void => {
  for (const person of people) {
    preview.audience++
    const reason = skipReason(person, context)
    if (reason !== null) {
      preview.skipped[reason] = (preview.skipped[reason] ?? 0) + 1
      continue
    }
    if (!person.optedIn) preview.withoutOptIn++
    if (preview.samples.length < maxSamples)
      preview.samples.push({
        customerId: person.id,
        text: renderMessage(person, context.template!, context.variables).text,
      })
  }
}
