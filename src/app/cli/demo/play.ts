/** Runs both acts of the demo. From here on, everything uses HTTP, like a real owner, shop system and receiver. */
import { Api } from './api.ts'
import type { Environment } from './environment.ts'
import { playFirstAct } from './first-act.ts'
import type { Order } from './orders.ts'
import type { Output } from './output.ts'
import { setUpWorkspace, type Workspace } from './owner.ts'
import { playSecondAct } from './second-act/index.ts'
import { Scenario } from './second-act/scenario.ts'

/** Milliseconds for both acts together. */
const deadlineMs = 60_000

/**
 * Sets up the workspace, plays both acts and prints the results. `isAsExpected` is true if every count is as expected. Throws
 * DemoError if the service stops responding.
 */
export const play = async (
  { url, owner, receiver }: Environment,
  orders: Order[],
  output: Output,
  interrupted: AbortSignal,
): Promise<{ isAsExpected: boolean; workspace: Workspace }> => {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(deadlineMs)])
  const workspace = await setUpWorkspace(new Api(url, signal), owner, receiver.url, output)
  receiver.setSecret(workspace.secret)

  output.line()
  const problems = await playFirstAct({ orders, workspace, receiver, output, signal, interrupted })
  if (!signal.aborted) problems.push(...(await playSecondAct(new Scenario(workspace, receiver, output, signal))))
  if (problems.length === 0) output.success('All counts match the expected counts.')
  return { isAsExpected: problems.length === 0, workspace }
}
