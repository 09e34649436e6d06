/** Tests of `workspace move` under load: the workspace moves there and back while callers, workers and receivers go on. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { enqueue } from '../../src/queue/tasks.ts'
import { openTransaction } from '../support/database.ts'
import { startProcess } from '../support/process.ts'
import { readStream } from '../support/stream.ts'
import { bearer, eventually, newPhone } from '../support/world.ts'
import {
  daysUntil,
  expectAudited,
  expectCleared,
  expectComplete,
  expectUnavailable,
  lockCopy,
  maxPauseMs,
  moveHere,
  prepare,
  startLoad,
  startMove,
  statesOf,
  useMoveWorld,
} from './move-world.ts'

setDefaultTimeout(200_000)

describe('under load', () => {
  const moved = useMoveWorld()

  test('a move continues when it is repeated after a kill at any point, and after a switch that failed', async () => {
    const { world, databases } = moved
    const { workspaceId } = world
    await prepare(moved)
    const load = startLoad(world, [world.url], 40)
    await eventually('the load has begun', () => load.acknowledged.length > 100)
    for (const step of ['Copying', 'Comparing', 'Waiting']) {
      const move = startMove(moved, 'main')
      await move.reaches(step)
      await move.kill()
      expect(await statesOf(moved)).toEqual({ main: 'copy', b: null })
    }
    await enqueue(databases.b, 'erase_traces', { workspaceId, customerId: crypto.randomUUID() }, 'late', 86_400_000)
    const switching = startMove(moved, 'main')
    await switching.reaches('Waiting')
    const unlock = await lockCopy(moved)
    await eventually('the workspace is closed', async () => (await statesOf(moved)).b === 'move', 60_000)
    await switching.kill()
    await unlock()
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: 'move' })
    // No process starts a task of the closed workspace.
    expect(await daysUntil(databases.b, 'late')).toBeGreaterThan(36_500)
    await expectUnavailable(moved)
    const clearing = startMove(moved, 'main')
    await clearing.reaches('Waiting')
    expect(await daysUntil(databases.b, 'late')).toBeCloseTo(1, 1)
    const unlockAgain = await lockCopy(moved)
    await clearing.reaches('The workspace is closed. It is opened again')
    expect(await statesOf(moved)).toEqual({ main: 'copy', b: 'move' })
    expect(await daysUntil(databases.b, 'late')).toBeGreaterThan(36_500)
    await unlockAgain()
    await eventually('the workspace is open', async () => (await statesOf(moved)).b === null)
    expect(await daysUntil(databases.b, 'late')).toBeCloseTo(1, 1)
    await world.expect(201, 'POST', '/v1/customers', { as: 'key', body: { phone: newPhone() } })
    await clearing.reaches('Deleting')
    await clearing.kill()
    expect(await statesOf(moved)).toEqual({ main: null, b: 'copy' })
    await expectUnavailable(moved)
    // As if the last command had been killed directly after it opened the workspace in the target.
    await databases.b`update workspaces set closed_for = 'move' where id = ${workspaceId}`
    expect(await daysUntil(databases.main, 'late')).toBeCloseTo(1, 1)
    expect(await daysUntil(databases.b, 'late')).toBeNull()
    // Calls continue until the rows are deleted, and no process remembers a place for more than ten seconds.
    const result = await moveHere(moved, 'main', { graceMs: 11_000 }).ended()
    expect(result).toMatchObject({ from: 'b', to: 'main', rows: null })
    await load.stop()
    expect(load.faults).toEqual([])
    await expectComplete(moved, 'main', load)
    await expectCleared(moved, 'b')
    await expectAudited(moved, { from: 'b', to: 'main' })
  })

  test('a workspace moves back without a lost event, message or webhook, although a long transaction delays the switch', async () => {
    const { world, databases, settings } = moved
    const other = await startProcess(settings)
    const stream = await readStream(world.url, bearer(world.owner.token))
    const load = startLoad(world, [world.url, other.url], 100)
    await eventually('the load has begun', () => load.acknowledged.length > 100)
    const move = moveHere(moved, 'b', { graceMs: 5000 })
    await move.reaches('Comparing')
    const commit = await openTransaction(databases.main, async tx => {
      await tx`insert into opt_out_words (workspace_id, words) values (${world.workspaceId}, '{stop}')`
    })
    await move.reaches('Waiting')
    await eventually('a call was refused', () => load.longestRefusalMs > 0, 60_000)
    await commit()
    await move.reaches('is in "b"')
    await world.expect(200, 'GET', '/v1/workspace')
    const before = load.acknowledged.length
    await eventually('calls succeed after the switch', () => load.acknowledged.length > before + 100)
    await load.stop()
    const result = await move.ended()
    expect(load.faults).toEqual([])
    expect(result).toMatchObject({ from: 'main', to: 'b' })
    expect(load.longestRefusalMs).toBeLessThan(maxPauseMs)
    expect(await databases.b`select words from opt_out_words`).toMatchObject([{ words: ['stop'] }])
    await expectComplete(moved, 'b', load)
    await expectCleared(moved, 'main')
    await expectAudited(moved, { from: 'main', to: 'b' })
    await eventually('the stream of the first cell has ended', () => stream.ended(), 15_000)
  })
})
