/** Previews the audience and the texts of a campaign if it started now. Read-only. */
import type { Sql } from '../../db/client.ts'
import { includes } from '../entitlements/index.ts'
import { findTemplates } from '../templates/index.ts'
import { readsAttributes } from './audience.ts'
import { type Person, reasonToSkip, type Terms, written } from './judge.ts'
import { firstId, type PeopleRead, readEverybody, readNamed } from './people.ts'
import { those } from './run.ts'
import type { Audience, CampaignPreview } from './schema.ts'

/** Maximum number of customers evaluated for one preview. */
const maxLookedAt = 200_000
const pageSize = 1000
const maxSamples = 3

export interface Previewed {
  workspaceId: string
  channelId: string
  templateId: string
  variables: Record<string, string>
  audience: Audience
  connected: boolean
}

export const previewOf = async (sql: Sql, previewed: Previewed): Promise<CampaignPreview> => {
  const terms = await termsOf(sql, previewed)
  const preview: CampaignPreview = { audience: 0, skipped: {}, samples: [] }
  let [after, lookedAt] = [firstId, 0]
  for (;;) {
    const { people, isEnd } = await readPage(sql, previewed, after)
    const { audience } = previewed
    count(preview, 'where' in audience ? await those(people, audience.where) : people, terms)
    lookedAt += people.length
    after = people.at(-1)?.id ?? after
    if (isEnd) return preview
    if (lookedAt >= maxLookedAt) return { ...preview, partial: true }
  }
}

const termsOf = async (sql: Sql, { workspaceId, templateId, variables, connected }: Previewed): Promise<Terms> => {
  const [template] = await findTemplates(sql, workspaceId, [templateId])
  return { template: template ?? null, variables, connected, inPlan: await includes(sql, workspaceId, 'campaigns') }
}

const readPage = (sql: Sql, previewed: Previewed, after: string): Promise<PeopleRead> => {
  const { workspaceId, channelId, audience, variables } = previewed
  const attributes = readsAttributes({ variables, where: 'where' in audience ? audience.where : null })
  const page = { workspaceId, channelId, after, limit: pageSize, attributes }
  return 'customerIds' in audience
    ? readNamed(sql, { ...page, ids: audience.customerIds })
    : readEverybody(sql, { ...page, at: null })
}

const count = (preview: CampaignPreview, people: Person[], terms: Terms): void => {
  for (const person of people) {
    preview.audience++
    const reason = reasonToSkip(person, terms)
    if (reason !== null) preview.skipped[reason] = (preview.skipped[reason] ?? 0) + 1
    else if (preview.samples.length < maxSamples)
      preview.samples.push({
        customerId: person.id,
        text: written(person, terms.template!, terms.variables).text,
      })
  }
}
