/** Tests of runs that cannot continue. They fail without an effect on other runs of the workflow or the customer. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ended, outcomes, play } from '../support/workflows.ts'
import { useWorld } from '../support/world.ts'

setDefaultTimeout(60_000)

const world = useWorld({}, { errors: ['run could not be advanced'] })
const { workflow, publish, event, run, parked, phone } = play(() => world)

beforeAll(async () => {
  await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
})

/** Workflow that waits for an event and then sends a message. */
const waits = (eventType: string) => ({
  trigger: { eventType },
  start: 'wait',
  steps: {
    wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: `${eventType}.on`, next: 'thanks' }] },
    thanks: { type: 'send_message', text: 'Thank you', next: null },
  },
})

/** Overwrites the published version in the database, because the API would reject the change. */
const damage = (workflowId: string, definition: unknown, version = 1) => world.database.sql`
  update workflow_versions set definition = ${JSON.stringify(definition)}::text::jsonb
  where workflow_id = ${workflowId} and version = ${version}`

const went = ['wait: waiting', 'wait: event', 'thanks: queued']

const whole = waits('unused')
const damages: [string, string, object | null, string][] = [
  ['is gone', 'gone', null, 'internal_error'],
  ['has lost the step', 'step', { ...whole, steps: { other: whole.steps.thanks } }, 'step_missing'],
  ['has lost its next step', 'next', { ...whole, steps: { wait: { ...whole.steps.wait } } }, 'step_missing'],
  ['has no steps at all', 'steps', { trigger: whole.trigger, start: 'wait' }, 'internal_error'],
  ['is nonsense', 'nonsense', [7] as unknown as object, 'internal_error'],
  [
    'asks of a step what it cannot do',
    'broken',
    { ...whole, steps: { wait: whole.steps.wait, thanks: { type: 'send_message', text: 7, next: null } } },
    'internal_error',
  ],
  [
    'goes in a circle without a wait',
    'circle',
    { ...whole, steps: { ...whole.steps, thanks: { type: 'set_attribute', set: { again: true }, next: 'thanks' } } },
    'too_many_steps',
  ],
]

test.each(damages)(
  'fails runs whose version %s with a reason, and continues all others',
  async (_, name, damaged, reason) => {
    const [bad, good] = [`bad.${name}`, `good.${name}`]
    const badId = await workflow(waits(bad), bad)
    await workflow(waits(good), good)
    const phones = Array.from({ length: 5 }, phone)
    const badRuns = await Promise.all(phones.map(one => parked(bad, one)))
    const goodRuns = await Promise.all(phones.map(one => parked(good, one)))
    // Runs of an undamaged version of the same workflow continue too.
    await publish(badId, waits(bad))
    const laterRun = await parked(bad, phone())
    const { phone: laterPhone } = await world.expect(200, 'GET', `/v1/customers/${(await run(laterRun)).customerId}`)

    if (damaged === null)
      await world.database.sql`delete from workflow_versions where workflow_id = ${badId} and version = 1`
    else await damage(badId, exitedAt(damaged, bad))
    await Promise.all([...phones, laterPhone].flatMap(one => [event(`${bad}.on`, one), event(`${good}.on`, one)]))
    for (const id of badRuns) {
      const found = await run(id, ended)
      expect(found).toMatchObject({ status: 'failed', endReason: reason, wakeAt: null })
    }
    for (const id of [...goodRuns, laterRun]) {
      const found = await run(id, ended)
      expect(found).toMatchObject({ status: 'done', endReason: 'completed' })
      expect(outcomes(found)).toEqual(went)
    }
    // New runs start as before.
    const next = await parked(good, phones[0]!)
    await event(`${good}.on`, phones[0]!)
    expect(await run(next, ended)).toMatchObject({ status: 'done' })
  },
)

/** The damaged definition still waits for the same event as the others. */
const exitedAt = (definition: object, eventType: string): unknown =>
  JSON.parse(JSON.stringify(definition).replaceAll('unused', eventType))
