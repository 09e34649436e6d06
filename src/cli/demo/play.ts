/** Runs both acts of the demo. From here on, everything uses HTTP, like a real owner, shop system and receiver. */
import { Api } from './api.ts'
import { playFirstAct } from './first-act.ts'
import type { Order } from './orders.ts'
import { setUp, type Workspace } from './owner.ts'
import { playSecondAct } from './second-act/index.ts'
import { Scene } from './second-act/scene.ts'
import type { Stage } from './stage.ts'
import type { Story } from './story.ts'

/** Milliseconds for both acts together. */
const deadlineMs = 60_000

/**
 * Sets up the workspace, plays both acts and prints the results. `right` is true if every count is as expected. Throws
 * DemoError if the service stops responding.
 */
export const play = async (
  { url, owner, receiver }: Stage,
  orders: Order[],
  story: Story,
  interrupted: AbortSignal,
): Promise<{ right: boolean; workspace: Workspace }> => {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(deadlineMs)])
  const workspace = await setUp(new Api(url, signal), owner, receiver.url, story)
  receiver.trust(workspace.secret)

  story.line()
  const problems = await playFirstAct({ orders, workspace, receiver, story, signal, interrupted })
  if (!signal.aborted) problems.push(...(await playSecondAct(new Scene(workspace, receiver, story, signal))))
  if (problems.length === 0) story.success('Every count is what the file and the story say it must be.')
  return { right: problems.length === 0, workspace }
}
