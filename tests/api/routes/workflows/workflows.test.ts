import { beforeAll, describe, expect, test } from 'bun:test'
import { Step } from '../../../../src/workflows/steps/index.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

const world = useWorld()
beforeAll(() => world.sandbox())

const sending = (eventType: string, text = 'hello', more: Record<string, unknown> = {}) => ({
  trigger: { eventType, ...more },
  start: 'say',
  steps: { say: { type: 'send_message', text, next: null } },
})

const create = (definition: object, name = 'Workflow') =>
  world.expect(201, 'POST', '/v1/workflows', { body: { name, definition } })
const change = (id: string, body: object, status = 200) =>
  world.expect(status, 'PATCH', `/v1/workflows/${id}`, { body })
const publish = (id: string, status = 200) => world.expect(status, 'POST', `/v1/workflows/${id}/publish`)
const check = (definition: unknown) => world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })
const record = (type: string, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), ...more } })

const messagesTo = async (customerId: string): Promise<Record<string, string>[]> =>
  (await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)).data

const endedRun = (workflowId: string) =>
  eventually('the run ends', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
    return data[0]?.endedAt && data[0]
  })

const someId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'

describe('a workflow', () => {
  test('matches events of its type only when it is published and switched on, and runs if its filter holds', async () => {
    const where = { path: 'data.total', op: 'gte', value: 100 }
    const { id, ...draft } = await create(sending('step.one', 'hello', { where }))
    expect(draft).toMatchObject({ enabled: false, publishedVersion: null, triggerType: 'step.one' })
    const resultOf = async (total: unknown, type = 'step.one') => {
      const { matchedWorkflows, event } = await record(type, { data: { total } })
      const [row] = await world.database.sql`select reason from events where id = ${event.id}`
      return [matchedWorkflows, row!.reason]
    }
    expect(await resultOf(100)).toEqual([0, 'switched_off'])
    await change(id, { enabled: true })
    expect(await resultOf(100)).toEqual([0, 'never_published'])
    expect(await publish(id)).toMatchObject({ publishedVersion: 1, enabled: true })
    expect(await resultOf('100')).toEqual([1, null])
    expect(await resultOf(99.5)).toEqual([1, 'not_run_for_customer'])
    expect(await resultOf(100, 'Step.One')).toEqual([0, 'no_listener'])
    await change(id, { enabled: false })
    expect(await resultOf(100)).toEqual([0, 'switched_off'])
  })

  test('with a template can be published when the template exists and has all its values', async () => {
    const saying = (templateId: string, variables: object) => ({
      ...sending('x'),
      steps: { say: { type: 'send_template', templateId, variables, next: null } },
    })
    const { id } = await create(saying(someId, {}))
    const field = 'definition.steps.say'
    expect((await publish(id, 400)).error.details).toEqual({
      [`${field}.templateId`]: 'No such template in this workspace. GET /v1/templates lists all templates.',
    })
    const variables = [{ name: 'name', sample: 'Ana' }]
    const body = { name: 'Hello', category: 'utility', body: 'Hello {{name}}', variables }
    const template = await world.expect(201, 'POST', '/v1/templates', { body })
    await change(id, { definition: saying(template.id, { nmae: 'Ana' }) })
    expect((await publish(id, 400)).error.details).toEqual({
      [`${field}.variables.name`]: 'Is required by the template.',
      [`${field}.variables.nmae`]: 'Is not a variable of the template. Its variables are name.',
    })
    const empty = await change(id, { definition: saying(template.id, { name: ' ' }) })
    const message = 'Is empty. Enter a text or a placeholder such as {{customer.name}}.'
    expect(empty.draftErrors).toEqual([{ path: `${field}.variables.name`, message }])
    expect((await publish(id, 400)).error.details).toEqual({ [`${field}.variables.name`]: message })
    await change(id, { definition: saying(template.id, { name: '{{customer.name|there}}' }) })
    expect((await publish(id)).publishedVersion).toBe(1)
    const tried = await world.expect(200, 'POST', `/v1/workflows/${id}/try`, { body: { event: { type: 'x' } } })
    expect(tried.messages).toMatchObject([{ text: 'Hello there', templateId: template.id }])
  })

  test('with a channel of another workspace cannot be published, as the check reports', async () => {
    const as = await world.otherOwner()
    const theirs = await world.expect(201, 'POST', '/v1/channels', { as, body: { kind: 'sandbox', name: 'Theirs' } })
    const over = (channelId: string) => {
      const definition = sending('x')
      return { ...definition, steps: { say: { ...definition.steps.say, channelId } } }
    }
    const { id, draftErrors } = await create(over(theirs.id))
    const said = 'No such channel in this workspace. GET /v1/channels lists all channels.'
    const details = { 'definition.steps.say.channelId': said }
    expect([draftErrors, (await publish(id, 400)).error.details]).toEqual([[], details])
    expect(await check(over(theirs.id))).toEqual({ valid: false, details })
    const { data } = await world.expect(200, 'GET', '/v1/channels')
    await change(id, { definition: over(data[0].id.toUpperCase()) })
    await publish(id)
  })
})

describe('the check of a definition', () => {
  const around = (step: unknown) => ({ trigger: { eventType: 'x' }, start: 'a', steps: { a: step } })
  const delay = (more: object = {}) => around({ type: 'delay', for: '1s', next: null, ...more })
  const changed = (more: object) => ({ ...delay(), ...more })
  const adding = (id: string) => changed({ steps: { ...delay().steps, [id]: delay().steps.a } })
  const say = (more: object = {}) => around({ type: 'send_message', text: 'hi', next: null, ...more })
  const where = (condition: unknown) => around({ type: 'condition', if: condition, then: null, else: null })
  const until = (time: object) => around({ type: 'delay', until: time, next: null })
  const waits = (more: object) =>
    around({ type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ reply: {}, next: null }], ...more })
  const exits = (exit: object) => waits({ any: [{ next: null, ...exit }] })
  const sells = (more: object) => around({ type: 'mark_sale', amount: '1', currency: 'EUR', next: null, ...more })
  const sets = (set: object) => around({ type: 'set_attribute', set, next: null })
  const fills = (variables: object, templateId = someId) =>
    around({ type: 'send_template', templateId, variables, next: null })
  const chain = (count: number) => ({
    ...changed({ start: 's1' }),
    steps: Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `s${n + 1}`,
        { type: 'delay', for: '1s', next: n + 1 < count ? `s${n + 2}` : null },
      ]),
    ),
  })

  const path = 'data.total'
  const duration = 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'
  const types = Step.anyOf.map(({ properties }) => properties.type!.const).join(', ')
  const operators = 'Must be one of eq, ne, gt, gte, lt, lte, in, contains, exists.'
  const steps = 'Must be an object of 1 to 200 steps by their ids.'
  const nowhere = 'There is no step "nowhere". The steps are a.'
  const ofRun = 'is not a known path. Use data.…, trigger.data.…, customer.attributes.…, answer.data.…, event.id,'
  const ofExit = 'is not a known path. Use data.…, trigger.data.…, customer.attributes.…, event.id, event.type,'
  const unclosed = 'Contains {{ outside a placeholder. Write a placeholder as {{customer.name}}'
  const circle = 'Leads back to itself without waiting. The waits of a loop must add up to at least 1 second.'
  const scalar = 'Must be a text, a number, true or false to compare with.'
  const entries = 'Must be a list of 1 to 1000 entries, each a text, a number, true or false.'
  const eventType = 'Must be an event type of 1 to 200 characters.'
  const zone = 'Must be an IANA time zone such as Europe/Berlin or UTC.'
  const text = 'Must be a text of 1 to 4096 characters.'
  const visible = 'Must contain a visible character.'
  const empty = 'Is empty. Enter a text or a placeholder such as {{customer.name}}.'
  const unknownField = 'steps.a.text: Is required. | steps.a.txet: Is not a known field. Did you mean text?'

  /** The errors with the beginning of their messages, and the definition. */
  test.each<[errors: string, definition: object]>([
    [`steps: ${steps}`, changed({ steps: {} })],
    [`steps: ${steps}`, chain(201)],
    ['steps.1a: Must be a step ID: a letter, then letters, digits, _, - or ?, at most 64 characters.', adding('1a')],
    ['start: There is no step "b". The steps are a.', changed({ start: 'b' })],
    [`trigger.eventType: ${eventType}`, changed({ trigger: { eventType: '' } })],
    ['trigger.eventType: Is required.', changed({ trigger: {} })],
    [`steps.a: Must be an object whose type is one of ${types}.`, around('wait')],
    [`steps.a.type: Must be one of ${types}.`, around({ type: 'teleport', next: null })],
    [`steps.a.type: Must be one of ${types}.`, around({ for: '1s', next: null })],
    ['steps.a.next: Is required.', around({ type: 'delay', for: '1s' })],
    [`steps.a.next: ${nowhere}`, delay({ next: 'nowhere' })],
    ['steps.a.next: Must be the ID of the next step, or null to end the run.', delay({ next: '__proto__' })],
    [
      `steps.a.then: ${nowhere}`,
      around({ type: 'condition', if: { path, op: 'exists' }, then: 'nowhere', else: null }),
    ],
    ['steps.a.since: Is not a known field. Remove it.', delay({ since: 'noon' })],
    [unknownField, around({ type: 'send_message', txet: 'hi', next: null })],
    ['steps.a.until: Must be {time, zone?, weekdays?}.', delay({ until: 'noon' })],
    ['steps.a.until.time: Must be a time of day such as 09:00 or 17:30.', until({ time: '24:00' })],
    [`steps.a.until.zone: ${zone}`, until({ time: '09:00', zone: 'Mars/Olympus' })],
    [`steps.a.until.zone: ${zone}`, until({ time: '09:00', zone: '+01:00' })],
    ['steps.a.until.weekdays: Must be a list of mon, tue', until({ time: '09:00', weekdays: ['mon', 'mon'] })],
    ['steps.a.until: Must not be combined with for. Use one of them.', delay({ until: { time: '09:00' } })],
    [`steps.a.for: ${duration} Or use until.`, around({ type: 'delay', next: null })],
    [`steps.a.for: ${duration}`, delay({ for: 5 })],
    [`steps.a.for: ${duration}`, delay({ for: 'soon' })],
    [`steps.a.for: ${duration}`, delay({ for: 'P91D' })],
    ['steps.a.any: Must be a list of 1 to 10 exits.', waits({ any: [] })],
    ['steps.a.any: Must be a list of 1 to 10 exits.', waits({ any: Array(11).fill({ reply: {}, next: null }) })],
    ['steps.a.any: Is required.', waits({ any: undefined })],
    ['steps.a.any.0: Must be {reply: {in?}, next} or {event, match?, next}.', exits({})],
    [`steps.a.any.0.next: ${nowhere}`, exits({ reply: {}, next: 'nowhere' })],
    [`steps.a.any.0.event: ${eventType}`, exits({ event: ' ' })],
    [`steps.a.any.0.reply.in.1: ${visible}`, exits({ reply: { in: ['yes', ' '] } })],
    [
      'steps.a.any.0.match.total: total is not a known path. Use data.….',
      exits({ event: 'x', match: { total: path } }),
    ],
    [`steps.a.any.0.match.data.total: dat.total ${ofRun}`, exits({ event: 'x', match: { [path]: 'dat.total' } })],
    [`steps.a.timeout: ${duration}`, waits({ timeout: '36500d' })],
    [`steps.a: ${circle}`, waits({ timeout: '0s', onTimeout: 'a' })],
    [
      `exitOn.0.match.data.a: answer.text ${ofExit}`,
      changed({ exitOn: [{ event: 'x', match: { 'data.a': 'answer.text' } }] }),
    ],
    ['exitOn.0.optOut: Must be true.', changed({ exitOn: [{ optOut: false }] })],
    ['exitOn: Must be a list of at most 10.', changed({ exitOn: Array(11).fill({ optOut: true }) })],
    ['entry.reentry: Must be one of always, once, not_while_active.', changed({ entry: { reentry: 'twice' } })],
    ['entry.key: Must be a path in the data of the event', changed({ entry: { reentry: 'once', key: 'customer.id' } })],
    ['steps.a.currency: Must be a currency of ISO 4217', sells({ currency: 'EURO' })],
    ['steps.a.amount: Must be an amount from 0 to 999999999999.999', sells({ amount: '12,50' })],
    ['steps.a.amount: Has decimals. Amounts in JPY have none', sells({ amount: '12.5', currency: 'JPY' })],
    [`steps.a.amount: {{total}} ${ofRun}`, sells({ amount: '{{total}}' })],
    ['steps.a.set.a: Must be a text of at most 1000 characters', sets({ a: {} })],
    ['steps.a.set.a.b: The name of an attribute must be 1 to 100 letters, digits, _ and -.', sets({ 'a.b': 1 })],
    ['steps.a.reason: Is required.', around({ type: 'exit' })],
    ['steps.a.templateId: Must be the id of a template, a UUID.', fills({}, 'welcome')],
    [`steps.a.variables.name: {{name}} ${ofRun}`, fills({ name: '{{name}}' })],
    [`steps.a.variables.name: ${empty} | steps.a.variables.item: ${empty}`, fills({ name: '', item: ' \n' })],
    ...['\u200b', '\u3164', '\u00ad', '\u2800', '\u2060 \u200d'].map((invisible): [string, object] => [
      `steps.a.variables.name: ${empty}`,
      fills({ name: invisible, item: `${invisible}lamp` }),
    ]),
    [`steps.a.text: ${text}`, say({ text: '' })],
    [`steps.a.text: ${text}`, say({ text: 'x'.repeat(4097) })],
    [`steps.a.text: ${text}`, say({ text: 7 })],
    [`steps.a.text: ${visible}`, say({ text: ' \n ' })],
    [`steps.a.text: ${visible}`, say({ text: '\u200b \u2800\u2060' })],
    ['steps.a.channelId: Must be the id of a channel, a UUID.', say({ channelId: 'sandbox' })],
    [`steps.a.text: {{user.name}} ${ofRun}`, say({ text: 'Hi {{user.name}}' })],
    [`steps.a.text: {{event.foo}} ${ofRun}`, say({ text: '{{event.foo}}' })],
    [
      'steps.a.text: {{customer.nmae}} is not a known path. Did you mean {{customer.name}}?',
      say({ text: 'Hi {{customer.nmae|you}}' }),
    ],
    [
      'steps.a.text: {{event.data.total}} is not a known path. Did you mean {{data.total}}?',
      say({ text: '{{event.data.total}}' }),
    ],
    [`steps.a.text: {{}} ${ofRun}`, say({ text: '{{ }}' })],
    [`steps.a.text: ${unclosed}`, say({ text: 'Hi {{customer.name' })],
    [`steps.a.text: ${unclosed}`, say({ text: 'Hi {{customer.name, {{data.a}}' })],
    [`steps.a.if.op: ${operators}`, where({ path, op: 'like', value: 1 })],
    ['steps.a.if.path: Must be a path such as data.total', where({ path: 'total', op: 'eq', value: 1 })],
    [`steps.a.if.not.path: customer.email ${ofRun}`, where({ not: { path: 'customer.email', op: 'exists' } })],
    ['steps.a.if.all: Must be a list of 1 to 50 entries.', where({ all: [] })],
    [
      `steps.a.if.any.1.all.0.op: ${operators}`,
      where({ any: [{ path, op: 'exists' }, { all: [{ path, op: 'is' }] }] }),
    ],
    ['steps.a.if: Must be {path, op, value} with op one of', where({})],
    ['steps.a.if: Is required.', around({ type: 'condition', then: null, else: null })],
    [`steps.a.if.value: ${scalar}`, where({ path, op: 'eq' })],
    [`steps.a.if.value: ${scalar}`, where({ path, op: 'ne', value: {} })],
    ['steps.a.if.value: Must be a number to compare with, or a text', where({ path, op: 'gt', value: 'many' })],
    [`steps.a.if.all.0.value: ${entries}`, where({ all: [{ path, op: 'in', value: 'a' }] })],
    [`steps.a.if.value: ${entries}`, where({ path, op: 'in', value: [] })],
    ['steps.a.if.value: Must be true or false. It defaults to true.', where({ path, op: 'exists', value: 'no' })],
    [
      'trigger.where.path: customer.name is not a known path. Use data.… and event.type.',
      changed({ trigger: { eventType: 'x', where: { path: 'customer.name', op: 'eq', value: 'Ana' } } }),
    ],
    [`steps.a: ${circle}`, say({ next: 'a' })],
    [`steps.a: ${circle}`, delay({ for: '999ms', next: 'a' })],
    ['steps.b: No path leads to this step. Point to it from another step, or remove it.', adding('b')],
  ])('returns %s', async (errors, definition) => {
    const { valid, details } = await check(definition)
    const found = Object.entries(details ?? {}).map(([field, message]) => `${field}: ${message}`)
    const expected = errors.split(' | ').map(error => expect.stringContaining(`definition.${error}`))
    expect([valid, found]).toEqual([false, expected])
  })

  test('accepts 200 steps and every kind of comparison and placeholder, and writes nothing', async () => {
    const all = [
      { path: 'data.items.0.sku', op: 'eq', value: 'A' },
      { path: 'event.type', op: 'ne', value: 'b' },
      { path: 'customer.attributes.tier', op: 'in', value: ['gold', 1, true] },
      { path, op: 'gte', value: '12.50' },
      { path, op: 'exists' },
      { path, op: 'exists', value: false },
      { path: 'data.tags', op: 'contains', value: 'gift' },
    ]
    const text = '{ok} }} {{ data.größe | none }} {{customer.attributes.tier}} {{{event.id}}} {{customer.externalId|}}'
    const before = (await world.expect(200, 'GET', '/v1/workflows')).data.length
    for (const definition of [chain(200), where({ all }), say({ text })])
      expect(await check(definition)).toEqual({ valid: true, details: null })
    expect((await world.expect(200, 'GET', '/v1/workflows')).data).toHaveLength(before)
  })
})

test('a definition of more than 512 KiB is rejected with 400, which says what to do', async () => {
  const large = (count: number) => {
    const value = Array.from({ length: count }, (_, n) => `${n} `.padEnd(1000, 'x'))
    return sending('limit.bytes', 'hello', { where: { path: 'data.code', op: 'in', value } })
  }
  const { id } = await create(large(500))
  const body = { name: 'w', definition: large(600) }
  for (const refused of [await change(id, body, 400), await world.expect(400, 'POST', '/v1/workflows', { body })])
    expect(refused.error.details.definition).toStartWith('Must be at most 512 KiB of JSON. It has 588 KiB.')
})

test('a workspace has at most 500 workflows, also with concurrent calls, and deleting one allows another', async () => {
  const as = await world.otherOwner()
  const body = { name: 'w', definition: sending('limit.count') }
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { as, body })
  await world.database.sql`
    insert into workflows (workspace_id, name, draft, trigger_type)
    select workspace_id, name, draft, trigger_type from workflows, generate_series(1, 496) where id = ${id}`
  const replies = await Promise.all(Array.from({ length: 10 }, () => world.call('POST', '/v1/workflows', { as, body })))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(7).fill(422)])
  expect(replies.find(({ status }) => status === 422)!.body.error).toEqual({
    code: 'unprocessable',
    message: 'A workspace has at most 500 workflows. Remove one that you no longer need.',
  })
  await world.expect(204, 'DELETE', `/v1/workflows/${id}`, { as })
  await world.expect(201, 'POST', '/v1/workflows', { as, body })
})

test('deleting a workflow keeps its runs and events, and is rejected while it is on or has active runs', async () => {
  const wait = { type: 'delay', for: '1d', next: null }
  const where = { path: 'data.waits', op: 'eq', value: true }
  const steps = { any: { type: 'condition', if: where, then: 'wait', else: null }, wait }
  const id = await world.workflow({ trigger: { eventType: 'removed' }, start: 'any', steps })
  const { event } = await record('removed')
  const { id: runId } = await endedRun(id)
  const refusal = async () => (await world.expect(422, 'DELETE', `/v1/workflows/${id}`)).error.message
  expect(await refusal()).toBe('The workflow is enabled. Switch it off, then remove it.')
  await record('removed', { data: { waits: true } })
  await change(id, { enabled: false })
  expect(await refusal()).toBe('The workflow has active runs. Wait until they end or stop them, then remove it.')
  await change(id, { enabled: false, running: 'stop' })
  await eventually('the run is stopped', async () => (await world.call('DELETE', `/v1/workflows/${id}`)).status === 204)
  for (const path of ['', '/versions/1']) await world.expect(404, 'GET', `/v1/workflows/${id}${path}`)
  expect(await world.expect(200, 'GET', `/v1/runs/${runId}`)).toMatchObject({ workflowId: id, status: 'done' })
  const { outcomes } = await world.expect(200, 'GET', `/v1/events/${event.id}`)
  expect(outcomes).toMatchObject([{ workflowId: id, runId }])
  expect(await record('removed')).toMatchObject({ matchedWorkflows: 0, outcomes: [] })
})

test('lists workflows by name or time over all pages, also after one that was renamed', async () => {
  const names = ['sort b', 'Sort A', 'sort É', 'sort b', 'SORT C']
  const ids: string[] = []
  for (const name of names) {
    const id = await world.workflow(sending('sorted'))
    await change(id, { name })
    ids.push(id)
  }
  const [b, a, e, b2, c] = ids as [string, string, string, string, string]
  const path = (sort: string) => `/v1/workflows?q=sort&limit=2&sort=${sort}`
  const sorted = async (sort: string) => (await world.pages(path(sort))).flat().map(({ id }) => id)
  expect(await sorted('newest')).toEqual([c, b2, e, a, b])
  expect(await sorted('oldest')).toEqual([b, a, e, b2, c])
  expect(await sorted('name')).toEqual([a, b, b2, c, e])
  expect(await sorted('name_descending')).toEqual([e, c, b2, b, a])
  const { nextCursor } = await world.expect(200, 'GET', path('name'))
  await change(b, { name: 'sort z' })
  const rest = await world.expect(200, 'GET', `${path('name')}&cursor=${encodeURIComponent(nextCursor)}`)
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([b2, c])
  const withNul = Buffer.from(`${b} name a\0`).toString('base64url')
  for (const query of [`name_descending&cursor=${nextCursor}`, `newest&cursor=${nextCursor}`, `name&cursor=${withNul}`])
    expect(await world.answer('GET', path(query))).toBe('400 invalid_request cursor')
  expect(await world.answer('GET', path('updated'))).toBe('400 invalid_request sort')
  for (const id of ids) await change(id, { archived: true })
})

test('an archived workflow is off, hidden, and not named by events, until it is restored', async () => {
  const id = await world.workflow(sending('archived'))
  const isListed = async (query: string) =>
    (await world.pages(`/v1/workflows${query}`)).flat().some((one: { id: string }) => one.id === id)
  const lists = () => Promise.all(['', '?archived=false', '?archived=true'].map(isListed))
  await record('archived')
  const run = await endedRun(id)
  expect((await change(id, { archived: true, enabled: true }, 400)).error.details).toHaveProperty('enabled')
  expect(await change(id, { archived: true })).toMatchObject({ enabled: false, archivedAt: expect.any(String) })
  expect(await lists()).toEqual([false, false, true])
  expect((await world.expect(200, 'GET', `/v1/workflows/${id}/runs`)).data).toEqual([run])
  expect(await record('archived')).toMatchObject({ matchedWorkflows: 0, outcomes: [] })
  for (const { error } of [await change(id, { enabled: true }, 422), await publish(id, 422)])
    expect(error.message).toContain('Restore it from the archive')
  expect(await change(id, { name: 'Kept' })).toMatchObject({ archivedAt: expect.any(String) })
  expect(await change(id, { archived: false })).toMatchObject({ enabled: false, archivedAt: null, name: 'Kept' })
  expect(await lists()).toEqual([true, true, false])
  for (const query of [
    '?q=EPT',
    '?q=t%20k%C3%A8',
    '?triggerType=archived',
    '?enabled=false&q=kept&triggerType=archived',
  ])
    expect(await isListed(query), query).toBe(true)
  for (const query of ['?q=lost', '?q=kept%20lost', '?triggerType=archive', '?enabled=true', '?q=kept&archived=true'])
    expect(await isListed(query), query).toBe(false)
  await change(id, { archived: true, running: 'stop' })
  expect(await change(id, { archived: false, enabled: true })).toMatchObject({ enabled: true, archivedAt: null })
  expect(await record('archived')).toMatchObject({ matchedWorkflows: 1 })
  await change(id, { archived: true })
  await world.expect(204, 'DELETE', `/v1/workflows/${id}`)
})

test('a run waits from the time of its event, decides and writes, and records its steps', async () => {
  const any = [
    { path: 'data.total', op: 'gte', value: 200 },
    { path: 'customer.name', op: 'eq', value: 'Vip' },
  ]
  const text = 'Hi {{customer.name|you}}, {{data.total}} {{data.missing}}{{data.items.0.sku}}'
  const id = await world.workflow({
    trigger: { eventType: 'order.created' },
    start: 'wait',
    steps: {
      wait: { type: 'delay', for: 'PT0.1S', next: 'vip?' },
      'vip?': { type: 'condition', if: { any }, then: 'vip', else: 'thanks' },
      vip: { type: 'send_message', text: 'Dear {{ customer.name }}', next: null },
      thanks: { type: 'send_message', text, next: null },
    },
  })
  const { event } = await record('order.created', { data: { total: 12.5, items: [{ sku: 'A-1' }] } })
  const { steps, ...run } = await endedRun(id)
  expect(run).toMatchObject({ status: 'done', endReason: 'completed', version: 1, stepId: null })
  expect(run).toMatchObject({ eventId: event.id, customerId: event.customerId })
  const outcomes = steps.map(({ stepId, outcome }: Record<string, string>) => `${stepId} ${outcome}`)
  expect(outcomes).toEqual(['wait waiting', 'vip? else', 'thanks queued'])
  expect(Date.parse(steps[0].detail.until) - Date.parse(event.createdAt)).toBe(100)
  expect(await messagesTo(event.customerId)).toMatchObject([{ text: 'Hi you, 12.5 A-1' }])
})

test('a run skips a message to a customer who opted out, without an address or without a channel', async () => {
  const { customerId } = (await record('plain')).event
  const path = `/v1/customers/${customerId}`
  await world.expect(200, 'PATCH', path, { body: { externalId: 'no-phone' } })
  await world.expect(200, 'POST', `${path}/opt-out`, { as: 'key', body: { reason: 'STOP' } })
  const skipped = async (definition: object, type: string) => {
    const id = await world.workflow(definition)
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, customerId } })
    const { steps } = await endedRun(id)
    expect(steps).toMatchObject([{ outcome: 'skipped' }])
    return steps[0].detail.reason
  }
  expect(await skipped(sending('opted.out'), 'opted.out')).toBe('opted_out')
  expect(await messagesTo(customerId)).toMatchObject([
    { status: 'skipped', detail: 'opted_out: The customer has opted out.', providerMessageId: null },
  ])
  await world.expect(200, 'PATCH', path, { body: { phone: null } })
  expect(await skipped(sending('unreachable'), 'unreachable')).toBe('no_address')
  const gone = await world.sandbox()
  const elsewhere = sending('elsewhere')
  const steps = { say: { ...elsewhere.steps.say, channelId: gone } }
  const id = await world.workflow({ ...elsewhere, steps })
  await world.database.sql`delete from channels where id = ${gone}`
  await record('elsewhere')
  expect((await endedRun(id)).steps).toMatchObject([{ outcome: 'skipped', detail: { reason: 'no_channel' } }])
})

describe('a draft', () => {
  const place = 'definition.steps.say.templateId'
  const incomplete = {
    trigger: { eventType: 'half' },
    start: 'say',
    steps: { say: { type: 'send_template', templateId: '', variables: {}, next: null } },
  }
  const made = async (): Promise<string> => (await create(sending('whole'))).id
  const saved = (id: string, definition: unknown, status = 200) => change(id, { definition }, status)
  const draftErrors = [{ path: place, message: 'Must be the id of a template, a UUID.' }]

  test('can be saved while incomplete with its errors, and cannot be tried or published', async () => {
    const id = await made()
    const path = `/v1/workflows/${id}`
    expect((await world.expect(200, 'GET', path)).draftErrors).toEqual([])
    expect(await saved(id, incomplete)).toMatchObject({ draft: incomplete, draftErrors, triggerType: 'half' })
    expect(await world.expect(200, 'GET', path)).toMatchObject({ draft: incomplete, draftErrors })
    const { data } = await world.expect(200, 'GET', '/v1/workflows')
    expect(data.find((one: { id: string }) => one.id === id)).toMatchObject({ draft: incomplete, draftErrors })
    await world.expect(200, 'GET', `${path}/impact`)
    for (const [action, body] of [
      ['publish', {}],
      ['try', { event: { type: 'half' } }],
      ['replay', { days: 1 }],
    ] as const)
      expect((await world.expect(400, 'POST', `${path}/${action}`, { body })).error.details).toEqual({
        [place]: draftErrors[0]!.message,
      })
    expect(await saved(id, sending('whole'))).toMatchObject({ draftErrors: [] })
    expect(await publish(id)).toMatchObject({ publishedVersion: 1, draftErrors: [] })
  })

  test('that is incomplete does not affect the published version and its runs', async () => {
    const id = await world.workflow(sending('keeps.on'))
    expect(await saved(id, incomplete)).toMatchObject({ triggerType: 'keeps.on', publishedVersion: 1, enabled: true })
    expect((await record('keeps.on')).matchedWorkflows).toBe(1)
    expect((await record('half')).matchedWorkflows).toBe(0)
    const replayed = await world.expect(200, 'POST', `/v1/workflows/${id}/replay`, { body: { days: 1, version: 1 } })
    expect(replayed.verdicts).toEqual({ started: 1 })
  })

  test('can be created without an event type, and keeps the previous one when it becomes invalid', async () => {
    const definition = { ...incomplete, trigger: {} }
    const created = await create(definition)
    expect(created).toMatchObject({ draft: definition, enabled: false, publishedVersion: null, triggerType: '' })
    expect(created.draftErrors).toEqual([
      { path: 'definition.trigger.eventType', message: 'Is required.' },
      ...draftErrors,
    ])
    for (const type of ['z', ' '])
      expect(await record(type)).toMatchObject({ matchedWorkflows: 0, didYouMean: null, outcomes: [] })
    expect(await saved(created.id, sending('new'))).toMatchObject({ triggerType: 'new', draftErrors: [] })
    for (const trigger of [{}, { eventType: ' ' }, { eventType: 7 }, { eventType: 'x'.repeat(201) }]) {
      const { triggerType, draftErrors } = await saved(created.id, { ...sending('x'), trigger })
      expect([triggerType, draftErrors[0].path]).toEqual(['new', 'definition.trigger.eventType'])
    }
  })

  test.each<[field: string, change: object]>([
    ['definition.stepz', { stepz: {} }],
    ['definition.steps', { steps: {} }],
    ['definition.steps.say.type', { steps: { say: {} } }],
    ['definition.steps.say', { steps: { say: 'hello' } }],
    ['definition.trigger', { trigger: null }],
    ['definition.start', { start: undefined }],
    ['definition.start', { start: null }],
    ['definition.exitOn', { exitOn: Array(11).fill({}) }],
  ])('with an invalid outline is rejected at %s: %j', async (field, changed) => {
    const { error } = await saved(await made(), { ...incomplete, ...changed }, 400)
    expect([error.code, Object.keys(error.details)]).toEqual(['invalid_request', [field]])
  })

  test('is saved with an empty start, a name that an error truncates in a character, or over 20 errors', async () => {
    const pathsOf = async (changed: object) => {
      const { draftErrors } = await saved(await made(), { ...sending('x'), ...changed })
      return draftErrors.map((one: { path: string }) => one.path.replace('definition.', ''))
    }
    expect(await pathsOf({ start: '' })).toEqual(['start'])
    const long = { [`${'a'.repeat(63)}😀`]: { type: 'exit', reason: 'x' } }
    expect(await pathsOf({ steps: { ...sending('x').steps, ...long } })).toEqual([`steps.${'a'.repeat(63)}\ufffd`])
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`s${n}`, { type: 'unheard_of' }]))
    expect(await pathsOf({ start: 's0', steps: many })).toHaveLength(20)
  })
})
