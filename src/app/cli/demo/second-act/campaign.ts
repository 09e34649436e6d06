/** Runs a campaign: one message to all customers of a list, except those without an opt-in. */
import { type Consent, regulars } from './customers.ts'
import type { Drafts } from './drafts.ts'
import type { Scenario } from './scenario.ts'

export interface Campaign {
  id: string
  name: string
  status: string
  progress: {
    audience: number
    sent: number
    skipped: number
    unknown: number
    skippedBy: Record<string, number>
  }
}

const list = 'regulars'

export const playCampaign = async (scenario: Scenario, { templates }: Drafts, david: string): Promise<Campaign> => {
  const { owner, output } = scenario
  await importCustomers(scenario, david)
  output.step('Shop', `imports ${regulars.length + 1} regular customers with their opt-ins`)

  const { id, name } = await owner.call<Campaign>('POST', '/v1/campaigns', {
    body: {
      name: '20% off lamps',
      channelId: scenario.workspace.channelId,
      templateId: templates.offer,
      variables: { name: '{{customer.name|there}}', city: '{{customer.attributes.city|your town}}' },
      audience: { where: { path: 'customer.attributes.list', op: 'eq', value: list } },
    },
  })
  const preview = await owner.call<Preview>('POST', `/v1/campaigns/${id}/preview`)
  const { opted_out = 0, no_opt_in = 0 } = preview.skipped
  output.step(
    'Campaign',
    `“${name}” to all ${preview.audience} but ${opted_out} who opted out and ${no_opt_in} without an opt-in`,
  )
  output.detail(`“${preview.samples[0]?.text}”`)

  await owner.call('POST', `/v1/campaigns/${id}/start`)
  await scenario.waitForWebhooks('campaign.completed', 1)
  const campaign = await owner.call<Campaign>('GET', `/v1/campaigns/${id}`)
  output.detail(`it is ${campaign.status}: ${campaign.progress.sent} sent, ${campaign.progress.skipped} skipped`)
  return campaign
}

interface Preview {
  audience: number
  skipped: Record<string, number>
  samples: { text: string }[]
}

/** Creates the regular customers with their consent. Also adds David, an existing customer, to the list. */
const importCustomers = async ({ workspace: { shop }, customerIds }: Scenario, david: string): Promise<void> => {
  await Promise.all(
    regulars.map(async ({ name, phone, city, consent }) => {
      const attributes = { list, city }
      const { id } = await shop.call<{ id: string }>('POST', '/v1/customers', { body: { name, phone, attributes } })
      customerIds.add(id)
      const request = consentRequests[consent]
      if (request) await shop.call('POST', `/v1/customers/${id}/${request.path}`, { body: request.body })
    }),
  )
  await shop.call('PATCH', `/v1/customers/${david}`, { body: { attributes: { list } } })
}

const consentRequests: Record<Consent, { path: string; body: object } | null> = {
  'opted in': { path: 'opt-in', body: { evidence: 'Ticked “Write to me about offers” at the checkout' } },
  'opted out': { path: 'opt-out', body: { reason: 'Asked for it at the counter' } },
  'never asked': null,
}
