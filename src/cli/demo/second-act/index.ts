/** Second act: abandoned carts, customers who answer, an agent, and a campaign. */
import { mismatchesIn } from '../counts.ts'
import { playCampaign } from './campaign.ts'
import { playCarts } from './carts.ts'
import { cast } from './cast.ts'
import { playDesk } from './desk.ts'
import { writeDrafts } from './drafts.ts'
import { told } from './expected.ts'
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
import type { Scene } from './scene.ts'

/** Plays the act and prints the results. Returns a description of each difference from the expected results. */
export const playSecondAct = async (scene: Scene): Promise<string[]> => {
  const { story } = scene
  story.title('The second act: customers answer')
  const drafts = await writeDrafts(scene.owner, story)
  await ping(scene)

  const carts = await playCarts(scene)
  await recordWhatNothingActsOn(scene)
  const campaign = await playCampaign(scene, drafts, carts.david.customerId)
  const agentId = await playDesk(scene, drafts, carts)
  await carts.silence()
  for (const [type, count] of Object.entries(told)) await scene.waitForTold(type, count)

  const rows = [
    ...(await rowsOfRuns(scene, drafts.winBack.id)),
    ...(await rowsOfMessages(scene)),
    ...(await rowsOfSales(scene)),
    ...(await rowsOfCustomers(scene)),
    ...(await rowsOfConversations(scene, agentId)),
    ...rowsOfCampaign(campaign),
    ...(await rowsOfEvents(scene)),
    ...rowsOfWebhooks(scene),
  ]
  story.title('What came of the second act')
  story.table(rows)
  story.line()
  const problems = mismatchesIn(rows, 'the story')
  for (const problem of problems) story.problem(problem)
  return problems
}

/** Sends a test webhook to the receiver. */
const ping = async (scene: Scene): Promise<void> => {
  await scene.owner.call('POST', `/v1/webhooks/${scene.workspace.webhookId}/test`)
  await scene.waitForTold('ping', 1)
  scene.story.step('Webhook', 'tested: a ping has arrived, and its signature is good')
}

/** Records events that start no workflow, each for a different reason, which Activity shows. */
const recordWhatNothingActsOn = async (scene: Scene): Promise<void> => {
  await scene.record('wishlist.changed', cast.clara, { item: 'Linen napkins' })
  await scene.record('order.delivered', cast.bruno, { orderId: 'EU-70112' })
  await scene.record('customer.birthday', cast.ana, {})
  scene.story.step('Shop', 'tells of a wishlist, a parcel and a birthday, on which nothing acts; Activity says why')
}
