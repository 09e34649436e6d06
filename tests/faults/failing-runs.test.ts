/** Tests of runs that cannot continue. They fail without an effect on other runs of the workflow or the customer. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { ended, outcomes, play } from '../support/workflows.ts'
import { useWorld } from '../support/world.ts'

setDefaultTimeout(60_000)

const world = useWorld({}, { errors: ['run could not be advanced'] })
const { workflow, publish, event, run, parked, phone } = play(() => world)

/** Workflow that waits for an event and then sends a message. */
const waits = (eventType: string) => ({
  trigger: { eventType },
  start: 'wait',
  steps: {
    wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: `${eventType}.on`, next: 'thanks' }] },
    thanks: { type: 'send_message', text: 'Thank you', next: null },
  },
})

type Waiting = ReturnType<typeof waits>
const again = { type: 'set_attribute', set: { again: true }, next: 'thanks' }

/** What happens to the published version, and the end reason of its runs. The API would reject these changes. */
const damages: [string, (whole: Waiting) => unknown, string][] = [
  ['missing', () => null, 'internal_error'],
  ['step', ({ steps, ...whole }) => ({ ...whole, steps: { other: steps.thanks } }), 'step_missing'],
  ['steps', ({ trigger }) => ({ trigger, start: 'wait' }), 'internal_error'],
  ['list', () => [7], 'internal_error'],
  ['circle', ({ steps, ...whole }) => ({ ...whole, steps: { ...steps, thanks: again } }), 'too_many_steps'],
]

test('fails runs whose version is damaged with a reason, and continues all others', async () => {
  await world.sandbox()
  const [good, ...names] = ['good', ...damages.map(([name]) => name)]
  const ids = new Map<string, string>()
  for (const name of [good!, ...names]) ids.set(name, await workflow(waits(name), name))
  const phones = Array.from({ length: 4 }, phone)
  const start = (name: string) => Promise.all(phones.slice(1).map(one => parked(name, one)))
  const others = await start(good!)
  const damaged = new Map<string, string[]>()
  for (const [name, damage] of damages) {
    const id = ids.get(name)!
    damaged.set(name, await start(name))
    // Runs of an undamaged version of the same workflow continue too.
    await publish(id, waits(name))
    others.push(await parked(name, phones[0]!))
    const { sql } = world.database
    const definition = damage(waits(name))
    if (definition === null) await sql`delete from workflow_versions where workflow_id = ${id} and version = 1`
    else
      await sql`
        update workflow_versions set definition = ${JSON.stringify(definition)}::text::jsonb
        where workflow_id = ${id} and version = 1`
  }
  await Promise.all([...ids.keys()].flatMap(name => phones.map(one => event(`${name}.on`, one))))
  for (const [name, , reason] of damages)
    for (const id of damaged.get(name)!)
      expect(await run(id, ended), name).toMatchObject({ status: 'failed', endReason: reason, wakeAt: null })
  for (const id of others) {
    const found = await run(id, ended)
    expect(found).toMatchObject({ status: 'done', endReason: 'completed' })
    expect(outcomes(found)).toEqual(['wait: waiting', 'wait: event', 'thanks: queued'])
  }
  // New runs start as before.
  const next = await parked(good!, phones[0]!)
  await event(`${good}.on`, phones[0]!)
  expect(await run(next, ended)).toMatchObject({ status: 'done' })
})
