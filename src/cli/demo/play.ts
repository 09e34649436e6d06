/** The main job: everything from here on is HTTP, as the owner, the shop systems and the receiver would do it. */
import { Api } from './api.ts'
import { playFirstAct } from './first-act.ts'
import type { Order } from './orders.ts'
import { setUp, type Workspace } from './owner.ts'
import { playSecondAct } from './second-act/index.ts'
import { Scene } from './second-act/scene.ts'
import type { Stage } from './stage.ts'
import type { Story } from './story.ts'

/** For both acts. */
const deadlineMs = 60_000

/**
 * Sets the workspace up, plays both acts and prints what came of each. `right`: every count is what it must be. Throws
 * DemoError when the service stops answering.
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
