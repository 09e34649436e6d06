import { expect, test } from 'bun:test'
import { enqueue } from '../../../src/queue/tasks.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

test('tasks that end while the service stops are not left locked', async () => {
  const { sql } = world.database
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 8; i++)
      await enqueue(sql, 'drop_deliveries', { workspaceId: world.workspaceId, webhookId: world.key.id }, `${i}`)
    await world.service.stop()
    expect(await sql`select key from graphile_worker.jobs where locked_by is not null`).toEqual([] as never)
    await world.restart()
  }
})
