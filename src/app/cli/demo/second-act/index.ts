/** Second act: abandoned carts, customers who answer, an agent, and a campaign. */
import { mismatchesIn } from '../counts.ts'
import { playCampaign } from './campaign.ts'
import { playCarts } from './carts.ts'
import { customers } from './customers.ts'
import { playDesk } from './desk.ts'
import { createDrafts } from './drafts.ts'
import { webhooks } from './expected.ts'
import {
  rowsOfCampaign,
  rowsOfConversations,
  rowsOfCustomers,
  rowsOfEvents,
  rowsOfMessages,
  rowsOfRuns,
  rowsOfSales,
  rowsOfWebhooks,
} from './rows.ts'
import type { Scenario } from './scenario.ts'

/** Plays the act and prints the results. Returns a description of each difference from the expected results. */
export const playSecondAct = async (scenario: Scenario): Promise<string[]> => {
  const { output } = scenario
  output.title('Second act: customers answer')
  const drafts = await createDrafts(scenario.workspace, output)
  await ping(scenario)

  const carts = await playCarts(scenario)
  await recordUnmatchedEvents(scenario)
  const campaign = await playCampaign(scenario, drafts, carts.david.customerId)
  const agentId = await playDesk(scenario, drafts, carts)
  await carts.finish()
  for (const [type, count] of Object.entries(webhooks)) await scenario.waitForWebhooks(type, count)

  const rows = [
    ...(await rowsOfRuns(scenario, drafts.winBack.id)),
    ...(await rowsOfMessages(scenario)),
    ...(await rowsOfSales(scenario)),
    ...(await rowsOfCustomers(scenario)),
    ...(await rowsOfConversations(scenario, agentId)),
    ...rowsOfCampaign(campaign),
    ...(await rowsOfEvents(scenario)),
    ...rowsOfWebhooks(scenario),
  ]
  output.title('Results of the second act')
  output.table(rows)
  output.line()
  const problems = mismatchesIn(rows, 'the story')
  for (const problem of problems) output.problem(problem)
  return problems
}

/** Sends a test webhook to the receiver. */
const ping = async (scenario: Scenario): Promise<void> => {
  await scenario.owner.call('POST', `/v1/webhooks/${scenario.workspace.webhookId}/test`)
  await scenario.waitForWebhooks('ping', 1)
  scenario.output.step('Webhook', 'tested: a ping arrived with a valid signature')
}

/** Records events that start no workflow, each for a different reason, which Activity shows. */
const recordUnmatchedEvents = async (scenario: Scenario): Promise<void> => {
  await scenario.record('wishlist.changed', customers.clara, { item: 'Linen napkins' })
  await scenario.record('order.delivered', customers.bruno, { orderId: 'EU-70112' })
  await scenario.record('customer.birthday', customers.ana, {})
  scenario.output.step(
    'Shop',
    'sends events of a wishlist, a parcel and a birthday, which start no run; Activity shows why',
  )
}
