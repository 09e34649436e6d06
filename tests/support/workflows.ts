/** Creates workflows, runs and events through the API, and workers that advance runs. */
import pino from 'pino'
import { type RunsDeps, runs } from '../../src/app/workers/runs.ts'
import type { Database } from '../../src/platform/postgres/client.ts'
import { readTransactionSnapshot, Watermark } from '../../src/platform/postgres/watermark.ts'
import type { QueueWorker } from '../../src/queue/worker.ts'
import { eventually, newPhone, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
type Body = any

export interface Play {
  /** Creates, publishes and enables a workflow. Returns its id. */
  workflow(definition: object, name?: string): Promise<string>
  publish(id: string, definition: object, body?: object): Promise<Body>
  /** Returns a new phone number. */
  phone(): string
  /** Records an event and returns the answer. */
  event(type: string, phone: string, data?: object): Promise<Body>
  /** Waits until the run that an event started satisfies `wanted`, and returns it. */
  run(id: string, wanted?: (run: Body) => boolean): Promise<Body>
  /** Records an event and returns the id of the run it starts. */
  start(type: string, phone: string, data?: object): Promise<string>
  /** Starts a run and returns its id when it waits. */
  parked(type: string, phone: string, data?: object): Promise<string>
}

export const play = (world: () => World): Play => {
  const publish: Play['publish'] = async (id, definition, body) => {
    await world().expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition } })
    return world().expect(200, 'POST', `/v1/workflows/${id}/publish`, body && { body })
  }
  const event: Play['event'] = (type, phone, data = {}) =>
    world().expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone, data } })
  const run: Play['run'] = (id, wanted = () => true) =>
    eventually(`run ${id}`, async () => {
      const found = await world().expect(200, 'GET', `/v1/runs/${id}`)
      return wanted(found) && found
    })
  const start: Play['start'] = async (type, phone, data) => {
    const { outcomes } = await event(type, phone, data)
    return outcomes.find(({ verdict }: Body) => verdict === 'started').runId
  }
  return {
    publish,
    event,
    run,
    start,
    phone: newPhone,
    workflow: (definition, name) => world().workflow(definition, name),
    parked: async (type, phone, data) => {
      const id = await start(type, phone, data)
      await run(id, ({ status }) => status === 'waiting')
      return id
    },
  }
}

/** Starts a worker that advances runs, for tests of a world without the role `worker`. */
export const startRuns = async (sql: Database, deps: Partial<RunsDeps> = {}): Promise<QueueWorker> => {
  const watermark = new Watermark(() => readTransactionSnapshot(sql))
  const worker = runs({ sql, watermark, wake: () => {}, log: pino({ level: 'silent' }), ...deps })
  await worker.start()
  return worker
}

export const outcomes = (run: Body): string[] => run.steps.map(({ stepId, outcome }: Body) => `${stepId}: ${outcome}`)

export const ended = ({ endedAt }: Body): boolean => endedAt !== null
