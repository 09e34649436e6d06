import { beforeAll, describe, expect, test } from 'bun:test'
import { Step } from '../../../../src/workflows/steps/index.ts'
import { eventually, newPhone, useWorld } from '../../../support/world.ts'

/** All step types, in the order of the published document. */
const stepNames = Step.anyOf.map(({ properties }) => properties.type!.const).join(', ')

const world = useWorld()
beforeAll(() => world.sandbox())

const sending = (eventType: string, text = 'hello', more: Record<string, unknown> = {}) => ({
  trigger: { eventType, ...more },
  start: 'say',
  steps: { say: { type: 'send_message', text, next: null } },
})

const switchedOn = (definition: object) => world.workflow(definition)
const record = (type: string, more: Record<string, unknown> = {}) =>
  world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), ...more } })

const messagesTo = async (customerId: string): Promise<Record<string, string>[]> =>
  (await world.expect(200, 'GET', `/v1/messages?customerId=${customerId}`)).data

const endedRun = (workflowId: string) =>
  eventually('the run ends', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
    return data[0]?.endedAt && data[0]
  })

const reasonOf = async (eventId: string) =>
  (await world.database.sql`select reason from events where id = ${eventId}`)[0]!.reason

describe('a workflow', () => {
  test('matches events only when it is published and switched on', async () => {
    const { id, ...draft } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Steps', definition: sending('step.one') },
    })
    expect(draft).toMatchObject({ enabled: false, publishedVersion: null, triggerType: 'step.one' })
    const seen: [number, string][] = []
    const look = async () => {
      const { matchedWorkflows, event } = await record('step.one')
      seen.push([matchedWorkflows, await reasonOf(event.id)])
    }
    await look()
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
    await look()
    expect(await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)).toMatchObject({
      publishedVersion: 1,
      enabled: true,
    })
    await look()
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
    await look()
    expect(seen).toEqual([
      [0, 'switched_off'],
      [0, 'never_published'],
      [1, null as never],
      [0, 'switched_off'],
    ])
    const other = await record('Step.One')
    expect([other.matchedWorkflows, await reasonOf(other.event.id)]).toEqual([0, 'no_listener'])
  })

  test('with a false filter is matched and does not run', async () => {
    await switchedOn(sending('order.big', 'big', { where: { path: 'data.total', op: 'gte', value: 100 } }))
    const small = await record('order.big', { data: { total: 99.5 } })
    expect([small.matchedWorkflows, await reasonOf(small.event.id)]).toEqual([1, 'not_run_for_customer'])
    const big = await record('order.big', { data: { total: '100' } })
    expect(await reasonOf(big.event.id)).toBeNull()
  })

  test('keeps active runs on their version when it is published again', async () => {
    const waiting = (text: string) => ({
      trigger: { eventType: 'version' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '400ms', next: 'say' }, say: { type: 'send_message', text, next: null } },
    })
    const id = await switchedOn(waiting('first'))
    const before = await record('version')
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: waiting('second') } })
    expect(await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)).toMatchObject({ publishedVersion: 2 })
    const after = await record('version')
    for (const [{ event }, text] of [
      [before, 'first'],
      [after, 'second'],
    ] as const) {
      const [message] = await eventually('the message', async () => {
        const messages = await messagesTo(event.customerId)
        return messages.length > 0 && messages
      })
      expect(message!.text).toBe(text)
    }
  })

  const around = (step: unknown) => ({ trigger: { eventType: 'x' }, start: 'a', steps: { a: step } })
  const delay = (more: object = {}) => around({ type: 'delay', for: '1s', next: null, ...more })
  const say = (more: object = {}) => around({ type: 'send_message', text: 'hi', next: null, ...more })
  const where = (condition: unknown) => around({ type: 'condition', if: condition, then: null, else: null })
  const a = (field: string) => `definition.steps.a${field}`
  const duration = 'Must be a duration of at most 90 days, such as PT1H, P2D, 30s, 5m or 2d.'
  const next =
    'Must be the ID of the next step, or null to end the run. An ID is a letter, then letters, digits, _, - or ?.'
  const text = 'Must be a text of 1 to 4096 characters.'
  const types = `Must be one of ${stepNames}.`
  const list = 'Must be a list of 1 to 50 entries.'
  const operators = 'Must be one of eq, ne, gt, gte, lt, lte, in, contains, exists.'
  const condition =
    'Must be {path, op, value} with op one of eq, ne, gt, gte, lt, lte, in, contains, exists, or {all: [...]}, {any: [...]}, {not: {...}}.'
  const inSteps =
    'is not a known path. Use data.…, trigger.data.…, customer.attributes.…, answer.data.…, event.id, event.type, customer.id, customer.name, customer.phone, customer.externalId, answer.text and now.'
  const until = (time: object) => around({ type: 'delay', until: time, next: null })
  const waits = (more: object) =>
    around({ type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ reply: {}, next: null }], ...more })
  const sells = (more: object) => around({ type: 'mark_sale', amount: '1', currency: 'EUR', next: null, ...more })
  const someId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'
  const timeOfDay = 'Must be a time of day such as 09:00 or 17:30.'
  const zone = 'Must be an IANA time zone such as Europe/Berlin or UTC.'
  const days = 'Must be a list of mon, tue, wed, thu, fri, sat, sun, each at most once.'
  const exits = 'Must be {reply: {in?}, next} or {event, match?, next}.'
  const currency = 'Must be a currency of ISO 4217 such as EUR, or a text with a placeholder such as {{data.currency}}.'
  const amount =
    'Must be an amount from 0 to 999999999999.999, such as 129.90, or a text with a placeholder such as {{data.total}}.'
  const attribute =
    'Must be a text of at most 1000 characters, which can contain {{data.total}}, a number, true, false, or null to remove the attribute.'
  const path = 'data.total'
  const scalar = 'Must be a text, a number, true or false to compare with.'
  const number = 'Must be a number to compare with, or a text that contains a number.'
  const oneList = 'Must be a list of 1 to 1000 entries, each a text, a number, true or false.'
  const unclosed =
    'Contains {{ outside a placeholder. Write a placeholder as {{customer.name}} or {{customer.name|there}}.'
  const circle = 'Leads back to itself without waiting. The waits of a loop must add up to at least 1 second.'

  const mistakes: [name: string, definition: object, field: string, message: string][] = [
    ['no steps', { ...delay(), steps: {} }, 'steps', 'Must be an object of 1 to 200 steps by their ids.'],
    [
      'a step whose id nothing can point to',
      { ...delay(), steps: { ...delay().steps, '1a': { type: 'delay', for: '1s', next: null } } },
      'steps.1a',
      'Must be a step ID: a letter, then letters, digits, _, - or ?, at most 64 characters.',
    ],
    ['a start that is no step', { ...delay(), start: 'b' }, 'start', 'There is no step "b". The steps are a.'],
    [
      'an empty trigger',
      { ...delay(), trigger: { eventType: '' } },
      'trigger.eventType',
      'Must be an event type of 1 to 200 characters.',
    ],
    ['a step that is none', around('wait'), 'steps.a', `Must be an object whose type is one of ${stepNames}.`],
    ['an unknown step', around({ type: 'teleport', next: null }), 'steps.a.type', types],
    ['a step without a type', around({ for: '1s', next: null }), 'steps.a.type', types],
    ['no next', around({ type: 'delay', for: '1s' }), 'steps.a.next', 'Is required.'],
    [
      'a next that is no step',
      delay({ next: 'nowhere' }),
      'steps.a.next',
      'There is no step "nowhere". The steps are a.',
    ],
    ['a next that no step can be', delay({ next: '__proto__' }), 'steps.a.next', next],
    [
      'a branch that is no step',
      around({ type: 'condition', if: { path, op: 'exists' }, then: 'nowhere', else: null }),
      'steps.a.then',
      'There is no step "nowhere". The steps are a.',
    ],
    ['a field that steps do not have', delay({ since: 'noon' }), 'steps.a.since', 'Is not a known field. Remove it.'],
    ['a time of day that is none', delay({ until: 'noon' }), 'steps.a.until', 'Must be {time, zone?, weekdays?}.'],
    ['an hour that no clock shows', until({ time: '24:00' }), 'steps.a.until.time', timeOfDay],
    ['a zone that nobody knows', until({ time: '09:00', zone: 'Mars/Olympus' }), 'steps.a.until.zone', zone],
    ['an offset for a zone', until({ time: '09:00', zone: '+01:00' }), 'steps.a.until.zone', zone],
    ['a day twice', until({ time: '09:00', weekdays: ['mon', 'mon'] }), 'steps.a.until.weekdays', days],
    [
      'both a while and a time to wait for',
      delay({ until: { time: '09:00' } }),
      'steps.a.until',
      'Must not be combined with for. Use one of them.',
    ],
    ['neither a while nor a time', around({ type: 'delay', next: null }), 'steps.a.for', `${duration} Or use until.`],
    ['a wait without an exit', waits({ any: [] }), 'steps.a.any', 'Must be a list of 1 to 10 exits.'],
    ['a wait without exits', waits({ any: undefined }), 'steps.a.any', 'Is required.'],
    [
      'a wait with eleven exits',
      waits({ any: Array(11).fill({ reply: {}, next: null }) }),
      'steps.a.any',
      'Must be a list of 1 to 10 exits.',
    ],
    ['an exit of nothing', waits({ any: [{ next: null }] }), 'steps.a.any.0', exits],
    [
      'an exit to a step that is none',
      waits({ any: [{ reply: {}, next: 'nowhere' }] }),
      'steps.a.any.0.next',
      'There is no step "nowhere". The steps are a.',
    ],
    [
      'an event that is blank',
      waits({ any: [{ event: ' ', next: null }] }),
      'steps.a.any.0.event',
      'Must be an event type of 1 to 200 characters.',
    ],
    ['a wait of a century', waits({ timeout: '36500d' }), 'steps.a.timeout', duration],
    ['a wait that goes round at once', waits({ timeout: '0s', onTimeout: 'a' }), 'steps.a', circle],
    [
      'a match beside the data',
      waits({ any: [{ event: 'x', match: { total: 'data.total' }, next: null }] }),
      'steps.a.any.0.match.total',
      'total is not a known path. Use data.….',
    ],
    [
      'a match with what no run knows',
      waits({ any: [{ event: 'x', match: { 'data.total': 'triger.data.total' }, next: null }] }),
      'steps.a.any.0.match.data.total',
      `triger.data.total ${inSteps}`,
    ],
    [
      'an exit by an answer that comes later',
      { ...delay(), exitOn: [{ event: 'x', match: { 'data.a': 'answer.text' } }] },
      'exitOn.0.match.data.a',
      'answer.text is not a known path. Use data.…, trigger.data.…, customer.attributes.…, event.id, event.type, customer.id, customer.name, customer.phone and customer.externalId.',
    ],
    ['an exit that is none', { ...delay(), exitOn: [{ optOut: false }] }, 'exitOn.0.optOut', 'Must be true.'],
    [
      'eleven exits',
      { ...delay(), exitOn: Array(11).fill({ optOut: true }) },
      'exitOn',
      'Must be a list of at most 10.',
    ],
    [
      'a way in that is none',
      { ...delay(), entry: { reentry: 'twice' } },
      'entry.reentry',
      'Must be one of always, once, not_while_active.',
    ],
    [
      'a key that is no field of the event',
      { ...delay(), entry: { reentry: 'once', key: 'customer.id' } },
      'entry.key',
      'Must be a path in the data of the event, such as data.cartId.',
    ],
    ['an invalid currency', sells({ currency: 'EURO' }), 'steps.a.currency', currency],
    ['an amount that is none', sells({ amount: '12,50' }), 'steps.a.amount', amount],
    [
      'more decimals than the currency has',
      sells({ amount: '12.5', currency: 'JPY' }),
      'steps.a.amount',
      'Has decimals. Amounts in JPY have none: remove them.',
    ],
    ['an amount of nothing', sells({ amount: '{{total}}' }), 'steps.a.amount', `{{total}} ${inSteps}`],
    [
      'an attribute that is an object',
      around({ type: 'set_attribute', set: { a: {} }, next: null }),
      'steps.a.set.a',
      attribute,
    ],
    [
      'an attribute that no path could name',
      around({ type: 'set_attribute', set: { 'a.b': 1 }, next: null }),
      'steps.a.set.a.b',
      'The name of an attribute must be 1 to 100 letters, digits, _ and -.',
    ],
    ['no reason to exit', around({ type: 'exit' }), 'steps.a.reason', 'Is required.'],
    [
      'a template that is no id',
      around({ type: 'send_template', templateId: 'welcome', variables: {}, next: null }),
      'steps.a.templateId',
      'Must be the id of a template, a UUID.',
    ],
    [
      'a variable of nothing',
      around({ type: 'send_template', templateId: someId, variables: { name: '{{name}}' }, next: null }),
      'steps.a.variables.name',
      `{{name}} ${inSteps}`,
    ],
    ['a duration that is a number', delay({ for: 5 }), 'steps.a.for', duration],
    ['a duration that is none', delay({ for: 'soon' }), 'steps.a.for', duration],
    ['a delay over 90 days', delay({ for: 'P91D' }), 'steps.a.for', duration],
    ['an empty text', say({ text: '' }), 'steps.a.text', text],
    ['a text that is too long', say({ text: 'x'.repeat(4097) }), 'steps.a.text', text],
    ['a text of spaces', say({ text: ' \n ' }), 'steps.a.text', 'Must contain a visible character.'],
    ['an invisible text', say({ text: '\u200b \u2800\u2060' }), 'steps.a.text', 'Must contain a visible character.'],
    [
      'a channel that is no id',
      say({ channelId: 'sandbox' }),
      'steps.a.channelId',
      'Must be the id of a channel, a UUID.',
    ],
    ['a placeholder of nothing', say({ text: 'Hi {{user.name}}' }), 'steps.a.text', `{{user.name}} ${inSteps}`],
    [
      'a misspelt placeholder',
      say({ text: 'Hi {{customer.nmae|you}}' }),
      'steps.a.text',
      '{{customer.nmae}} is not a known path. Did you mean {{customer.name}}?',
    ],
    ['a placeholder that events lack', say({ text: '{{event.foo}}' }), 'steps.a.text', `{{event.foo}} ${inSteps}`],
    [
      'data looked for in the event',
      say({ text: '{{event.data.total}}' }),
      'steps.a.text',
      '{{event.data.total}} is not a known path. Did you mean {{data.total}}?',
    ],
    ['an empty placeholder', say({ text: '{{ }}' }), 'steps.a.text', `{{}} ${inSteps}`],
    ['a placeholder that is not closed', say({ text: 'Hi {{customer.name' }), 'steps.a.text', unclosed],
    [
      'one that is not closed before another',
      say({ text: 'Hi {{customer.name, {{data.a}}' }),
      'steps.a.text',
      unclosed,
    ],
    ['an unknown operator', where({ path, op: 'like', value: 1 }), 'steps.a.if.op', operators],
    [
      'a path of nothing',
      where({ path: 'total', op: 'eq', value: 1 }),
      'steps.a.if.path',
      'Must be a path such as data.total, event.type or customer.name.',
    ],
    [
      'an unknown path',
      where({ not: { path: 'customer.email', op: 'exists' } }),
      'steps.a.if.not.path',
      `customer.email ${inSteps}`,
    ],
    ['an empty all', where({ all: [] }), 'steps.a.if.all', list],
    [
      'a mistake far within',
      where({ any: [{ path, op: 'exists' }, { all: [{ path, op: 'is' }] }] }),
      'steps.a.if.any.1.all.0.op',
      operators,
    ],
    ['a condition of nothing', where({}), 'steps.a.if', condition],
    ['no condition', around({ type: 'condition', then: null, else: null }), 'steps.a.if', 'Is required.'],
    ['nothing to be equal to', where({ path, op: 'eq' }), 'steps.a.if.value', scalar],
    ['an object to be equal to', where({ path, op: 'ne', value: {} }), 'steps.a.if.value', scalar],
    ['a word to be greater than', where({ path, op: 'gt', value: 'many' }), 'steps.a.if.value', number],
    ['in without a list', where({ all: [{ path, op: 'in', value: 'a' }] }), 'steps.a.if.all.0.value', oneList],
    ['in an empty list', where({ path, op: 'in', value: [] }), 'steps.a.if.value', oneList],
    [
      'an existence that is neither',
      where({ path, op: 'exists', value: 'no' }),
      'steps.a.if.value',
      'Must be true or false. It defaults to true.',
    ],
    [
      'a filter that cannot know the customer',
      { ...delay(), trigger: { eventType: 'x', where: { path: 'customer.name', op: 'eq', value: 'Ana' } } },
      'trigger.where.path',
      'customer.name is not a known path. Use data.… and event.type.',
    ],
    ['a circle that never waits', say({ next: 'a' }), 'steps.a', circle],
    ['a circle that hardly waits', delay({ for: '999ms', next: 'a' }), 'steps.a', circle],
    [
      'a step that nothing leads to',
      { ...delay(), steps: { ...delay().steps, b: { type: 'delay', for: '1s', next: null } } },
      'steps.b',
      'No path leads to this step. Point to it from another step, or remove it.',
    ],
  ]
  /** Errors of the outline, with which a definition is not even saved as a draft. */
  const unsaved = [
    'no steps',
    'a step that is none',
    'a step without a type',
    'a wait with eleven exits',
    'eleven exits',
  ]

  test.each(mistakes)('with %s cannot run, and the error names the field', async (name, definition, field, message) => {
    const details = { [`definition.${field}`]: message }
    expect(await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })).toEqual({
      valid: false,
      details,
    })
    const { status, body } = await world.call('POST', '/v1/workflows', { body: { name: 'Broken', definition } })
    if (unsaved.includes(name)) {
      expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
        400,
        'invalid_request',
        [expect.stringContaining(field)],
      ])
      return
    }
    expect([status, pathsOf(body.draftErrors)]).toEqual([201, details])
    const refused = await world.expect(400, 'POST', `/v1/workflows/${body.id}/publish`)
    expect([refused.error.code, refused.error.details]).toEqual(['invalid_request', details])
    await world.expect(204, 'DELETE', `/v1/workflows/${body.id}`)
  })

  test('with a misspelt field names both, and suggests the correct one', async () => {
    const definition = around({ type: 'send_message', txet: 'hi', next: null })
    expect((await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })).details).toEqual({
      'definition.steps.a.text': 'Is required.',
      'definition.steps.a.txet': 'Is not a known field. Did you mean text?',
    })
  })

  test('with every kind of comparison and placeholder is accepted', async () => {
    const all = [
      { path: 'data.items.0.sku', op: 'eq', value: 'A' },
      { path: 'event.type', op: 'ne', value: 'b' },
      { path: 'customer.attributes.tier', op: 'in', value: ['gold', 1, true] },
      { path, op: 'gte', value: '12.50' },
      { path, op: 'exists' },
      { path, op: 'exists', value: false },
      { path: 'data.tags', op: 'contains', value: 'gift' },
    ]
    const steps = {
      ask: { type: 'condition', if: { all }, then: 'say', else: null },
      say: {
        type: 'send_message',
        text: '{ok} }} {{ data.größe | none }} {{customer.attributes.tier}} {{{event.id}}} {{customer.externalId|}}',
        next: 'wait',
      },
      wait: { type: 'delay', for: '1s', next: 'ask' },
    }
    await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Whole', definition: { trigger: { eventType: 'x' }, start: 'ask', steps } },
    })
  })

  test('with a template can be published when the template exists and has all its values', async () => {
    const publish = (id: string) => world.call('POST', `/v1/workflows/${id}/publish`)
    const sending = (templateId: string, variables: object) =>
      around({ type: 'send_template', templateId, variables, next: null })
    const { id } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Template', definition: sending(someId, {}) },
    })
    expect((await publish(id)).body.error.details).toEqual({
      [a('.templateId')]: 'No such template in this workspace. GET /v1/templates lists all templates.',
    })
    const variables = [{ name: 'name', sample: 'Ana' }]
    const body = { name: 'Hello', category: 'utility', body: 'Hello {{name}}', variables }
    const template = await world.expect(201, 'POST', '/v1/templates', { body })
    const change = (given: object) =>
      world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: sending(template.id, given) } })
    await change({ nmae: 'Ana' })
    expect((await publish(id)).body.error.details).toEqual({
      [a('.variables.name')]: 'Is required by the template.',
      [a('.variables.nmae')]: 'Is not a variable of the template. Its variables are name.',
    })
    await change({ name: '{{customer.name|there}}' })
    expect((await publish(id)).body.publishedVersion).toBe(1)
    const tried = await world.expect(200, 'POST', `/v1/workflows/${id}/try`, { body: { event: { type: 'x' } } })
    expect(tried.messages).toMatchObject([{ text: 'Hello there', templateId: template.id }])
  })

  test('can have 200 steps and not 201', async () => {
    const chain = (count: number) => ({
      trigger: { eventType: 'x' },
      start: 's0',
      steps: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `s${index}`,
          { type: 'delay', for: '1s', next: index + 1 < count ? `s${index + 1}` : null },
        ]),
      ),
    })
    const created = (count: number) =>
      world.call('POST', '/v1/workflows', { body: { name: 'Long', definition: chain(count) } })
    expect((await created(200)).status).toBe(201)
    expect((await created(201)).body.error.details).toEqual({
      'definition.steps': 'Must be an object of 1 to 200 steps by their ids.',
    })
  })

  test('with every feature is stored and returned unchanged', async () => {
    const match = { 'data.cartId': 'trigger.data.cartId' }
    const definition = {
      trigger: { eventType: 'cart.abandoned', where: { path: 'data.total', op: 'gte', value: 20 } },
      entry: { reentry: 'not_while_active', key: 'data.cartId' },
      exitOn: [{ event: 'order.paid', match, reason: 'paid' }, { optOut: true }],
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: 'PT1H', next: 'morning' },
        morning: { type: 'delay', until: { time: '09:00', zone: 'Europe/Berlin', weekdays: ['mon'] }, next: 'vip?' },
        'vip?': { type: 'condition', if: { path: 'data.total', op: 'gte', value: 200 }, then: 'vip', else: 'std' },
        vip: {
          type: 'send_template',
          templateId: someId,
          variables: { name: '{{customer.name|there}}' },
          next: 'answer',
        },
        std: { type: 'send_message', text: 'Still thinking about it?', next: 'answer' },
        answer: {
          type: 'wait_for',
          timeout: '2d',
          onTimeout: 'lost',
          any: [
            { reply: { in: ['yes', '1'] }, next: 'sold' },
            { event: 'order.paid', match, next: 'thanks' },
          ],
        },
        sold: {
          type: 'mark_sale',
          amount: '{{data.total}}',
          currency: '{{data.currency}}',
          note: 'cart',
          next: 'thanks',
        },
        thanks: { type: 'set_attribute', set: { lastCart: '{{now}}' }, next: null },
        lost: { type: 'exit', reason: 'no_answer' },
      },
    }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Cart', definition } })
    expect((await world.expect(200, 'GET', `/v1/workflows/${id}`)).draft).toEqual(definition)
  })

  test('with a channel of another workspace cannot be published', async () => {
    const elsewhere = await world.expect(201, 'POST', '/v1/channels', {
      as: await world.otherOwner(),
      body: { kind: 'sandbox', name: 'Theirs' },
    })
    const { id } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'Far', definition: say({ channelId: elsewhere.id }) },
    })
    const { status, body } = await world.call('POST', `/v1/workflows/${id}/publish`)
    expect([status, body.error.details]).toEqual([
      400,
      {
        'definition.steps.a.channelId': 'No such channel in this workspace. GET /v1/channels lists all channels.',
      },
    ])
    const { data } = await world.expect(200, 'GET', '/v1/channels')
    const definition = say({ channelId: data[0].id.toUpperCase() })
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition } })
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  })
})

describe('the limits of workflows', () => {
  test('reject a definition of more than 512 KiB with 400 and say what to do', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, n) => `${n} `.padEnd(1000, 'x'))
    const large = (count: number) =>
      sending('limit.bytes', 'hello', { where: { path: 'data.code', op: 'in', value: texts(count) } })
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'w', definition: large(500) } })
    for (const [method, path] of [
      ['POST', '/v1/workflows'],
      ['PATCH', `/v1/workflows/${id}`],
    ] as const) {
      const body = { ...(method === 'POST' && { name: 'w' }), definition: large(600) }
      const { error } = await world.expect(400, method, path, { body })
      expect(error.code).toBe('invalid_request')
      expect(error.details.definition).toStartWith('Must be at most 512 KiB of JSON. It has 588 KiB.')
    }
  })

  test('allow a workspace 500 workflows, also with concurrent calls, and deleting one allows another', async () => {
    const as = await world.otherOwner()
    const body = { name: 'w', definition: sending('limit.count') }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', { as, body })
    await world.database.sql`
      insert into workflows (workspace_id, name, draft, trigger_type)
      select workspace_id, name, draft, trigger_type from workflows, generate_series(1, 496) where id = ${id}`
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => world.call('POST', '/v1/workflows', { as, body })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(7).fill(422)])
    const refused = replies.find(({ status }) => status === 422)!.body.error
    expect(refused.code).toBe('unprocessable')
    expect(refused.message).toBe('A workspace has at most 500 workflows. Remove one that you no longer need.')
    await world.expect(204, 'DELETE', `/v1/workflows/${id}`, { as })
    await world.expect(201, 'POST', '/v1/workflows', { as, body })
  })
})

describe('deleting a workflow', () => {
  test('deletes its draft and versions, and keeps its runs and events', async () => {
    const id = await switchedOn(sending('remove.done'))
    const { event } = await record('remove.done')
    const { id: runId } = await endedRun(id)
    const on = await world.call('DELETE', `/v1/workflows/${id}`)
    expect([on.status, on.body.error.message]).toEqual([422, 'The workflow is enabled. Switch it off, then remove it.'])
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
    await world.expect(204, 'DELETE', `/v1/workflows/${id}`)
    await world.expect(404, 'DELETE', `/v1/workflows/${id}`)
    await world.expect(404, 'GET', `/v1/workflows/${id}`)
    await world.expect(404, 'GET', `/v1/workflows/${id}/versions/1`)
    expect(await world.expect(200, 'GET', `/v1/runs/${runId}`)).toMatchObject({ workflowId: id, status: 'done' })
    const { outcomes } = await world.expect(200, 'GET', `/v1/events/${event.id}`)
    expect(outcomes).toMatchObject([{ workflowId: id, runId }])
    expect(await record('remove.done')).toMatchObject({ matchedWorkflows: 0, outcomes: [] })
  })

  test('is rejected with active runs', async () => {
    const waiting = await switchedOn({
      trigger: { eventType: 'remove.waits' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: '1d', next: null } },
    })
    await record('remove.waits')
    await world.expect(200, 'PATCH', `/v1/workflows/${waiting}`, { body: { enabled: false } })
    const refused = await world.call('DELETE', `/v1/workflows/${waiting}`)
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      'The workflow has active runs. Wait until they end or stop them, then remove it.',
    ])
    await world.expect(200, 'PATCH', `/v1/workflows/${waiting}`, { body: { enabled: false, running: 'stop' } })
    await eventually(
      'the run is stopped',
      async () => (await world.call('DELETE', `/v1/workflows/${waiting}`)).status === 204,
    )
  })
})

describe('a run', () => {
  test('waits, decides and writes, and records its steps', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'order.created' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '100ms', next: 'vip?' },
        'vip?': {
          type: 'condition',
          if: {
            any: [
              { path: 'data.total', op: 'gte', value: 200 },
              { path: 'customer.name', op: 'eq', value: 'Vip' },
            ],
          },
          then: 'vip',
          else: 'thanks',
        },
        vip: { type: 'send_message', text: 'Dear {{ customer.name }}', next: null },
        thanks: {
          type: 'send_message',
          text: 'Hi {{customer.name|you}}, {{data.total}} {{data.missing}}{{data.items.0.sku}}',
          next: null,
        },
      },
    })
    const { event } = await record('order.created', { data: { total: 12.5, items: [{ sku: 'A-1' }] } })
    const run = await endedRun(id)
    expect(run).toMatchObject({
      status: 'done',
      endReason: 'completed',
      version: 1,
      eventId: event.id,
      customerId: event.customerId,
      stepId: null,
    })
    expect(run.steps.map(({ stepId, outcome }: Record<string, string>) => `${stepId} ${outcome}`)).toEqual([
      'wait waiting',
      'vip? else',
      'thanks queued',
    ])
    expect(await messagesTo(event.customerId)).toMatchObject([{ text: 'Hi you, 12.5 A-1' }])
  })

  test('counts its first delay from the time the event was recorded', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'measured' },
      start: 'wait',
      steps: { wait: { type: 'delay', for: 'PT1.5S', next: null } },
    })
    const { event } = await record('measured')
    const run = await eventually('the run waits', async () =>
      (await world.expect(200, 'GET', `/v1/workflows/${id}/runs`)).data.find(
        (run: Record<string, unknown>) => run.steps && run.stepId === 'wait',
      ),
    )
    expect(Date.parse(run.wakeAt) - Date.parse(event.createdAt)).toBe(1500)
  })

  test('writes at most 4096 characters, whatever its placeholders contain', async () => {
    const ids = await Promise.all(['huge', 'small'].map(type => switchedOn(sending(type, '{{data.a}}'.repeat(400)))))
    const data = { a: 'é😀'.repeat(150_000) }
    const huge = await Promise.all([1, 2, 3].map(() => record('huge', { data })))
    const small = await record('small', { data: { a: 'x' } })
    for (const id of ids) expect(await endedRun(id)).toMatchObject({ status: 'done', endReason: 'completed' })
    for (const { event } of huge) {
      const [message] = await eventually('the message', async () => {
        const messages = await messagesTo(event.customerId)
        return messages.length > 0 && messages
      })
      expect(message!.text).toBe('é😀'.repeat(2048))
    }
    expect(await messagesTo(small.event.customerId)).toMatchObject([{ text: 'x'.repeat(400) }])
  })

  test('does not write to a customer who opted out during a wait', async () => {
    const id = await switchedOn({
      trigger: { eventType: 'late' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '1h', next: 'say' },
        say: { type: 'send_message', text: 'too late', next: null },
      },
    })
    const { event } = await record('late')
    await world.expect(200, 'POST', `/v1/customers/${event.customerId}/opt-out`, {
      as: 'key',
      body: { reason: 'STOP' },
    })
    await eventually('the run waits', async () => {
      const runs = await world.database.sql`
        update workflow_runs set wake_at = now(), wait_until = now() where workflow_id = ${id} and waiting returning id`
      return runs.length > 0
    })
    await endedRun(id)
    const message = await eventually('the message is settled', async () => {
      const [message] = await messagesTo(event.customerId)
      return message?.status !== 'queued' && message
    })
    expect(message).toMatchObject({ status: 'skipped', detail: 'The customer has opted out.', providerMessageId: null })
  })

  test('shows a message that the provider failed', async () => {
    await switchedOn(sending('doomed'))
    const { event } = await world.expect(201, 'POST', '/v1/events', {
      as: 'key',
      body: { type: 'doomed', phone: '+491511230000' },
    })
    const message = await eventually('the message fails', async () => {
      const [message] = await messagesTo(event.customerId)
      return message?.status === 'failed' && message
    })
    expect(message.detail).toContain('0000')
  })

  test('skips a message without a phone or a channel, and records the reason', async () => {
    const { customerId } = (await record('plain')).event
    await world.database.sql`update customers set phone = null, external_id = 'no-phone' where id = ${customerId}`
    const id = await switchedOn(sending('unreachable'))
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'unreachable', externalId: 'no-phone' } })
    expect((await endedRun(id)).steps).toMatchObject([{ outcome: 'skipped', detail: { reason: 'no_address' } }])

    const gone = await world.expect(201, 'POST', '/v1/channels', { body: { kind: 'sandbox', name: 'Short-lived' } })
    const elsewhere = sending('elsewhere')
    const other = await switchedOn({
      ...elsewhere,
      steps: { say: { ...elsewhere.steps.say, channelId: gone.id } },
    })
    await world.database.sql`delete from channels where id = ${gone.id}`
    await record('elsewhere')
    expect((await endedRun(other)).steps).toMatchObject([{ outcome: 'skipped', detail: { reason: 'no_channel' } }])
  })

  test('survives a restart of the service during its delay', async () => {
    await switchedOn({
      trigger: { eventType: 'patient' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '700ms', next: 'say' },
        say: { type: 'send_message', text: 'still here', next: null },
      },
    })
    const { event } = await record('patient')
    await world.restart()
    const message = await eventually('the message', async () => (await messagesTo(event.customerId))[0])
    expect(message.text).toBe('still here')
  })
})

const pathsOf = (errors: { path: string; message: string }[]) =>
  Object.fromEntries(errors.map(({ path, message }) => [path, message]))

describe('a draft', () => {
  const place = 'definition.steps.say.templateId'
  const incomplete = {
    trigger: { eventType: 'half' },
    start: 'say',
    steps: { say: { type: 'send_template', templateId: '', variables: {}, next: null } },
  }
  const made = async (): Promise<string> =>
    (await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Half', definition: sending('whole') } })).id
  const saved = (id: string, definition: unknown, status = 200) =>
    world.expect(status, 'PATCH', `/v1/workflows/${id}`, { body: { definition } })

  test('can be saved while incomplete with its errors, and cannot be tried or published', async () => {
    const id = await made()
    const path = `/v1/workflows/${id}`
    expect((await world.expect(200, 'GET', path)).draftErrors).toEqual([])
    const draftErrors = [{ path: place, message: 'Must be the id of a template, a UUID.' }]
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
    expect(await world.expect(200, 'POST', `${path}/publish`)).toMatchObject({ publishedVersion: 1, draftErrors: [] })
  })

  test('that is incomplete does not affect the published version and its runs', async () => {
    const id = await switchedOn(sending('keeps.on'))
    expect(await saved(id, incomplete)).toMatchObject({ triggerType: 'keeps.on', publishedVersion: 1, enabled: true })
    expect((await record('keeps.on')).matchedWorkflows).toBe(1)
    expect((await record('half')).matchedWorkflows).toBe(0)
    const replayed = await world.expect(200, 'POST', `/v1/workflows/${id}/replay`, { body: { days: 1, version: 1 } })
    expect(replayed.verdicts).toEqual({ started: 1 })
  })

  test('can be created while incomplete, without an event type', async () => {
    const definition = { ...incomplete, trigger: {} }
    const created = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'New', definition } })
    expect(created).toMatchObject({ draft: definition, enabled: false, publishedVersion: null, triggerType: '' })
    expect(created.draftErrors).toEqual([
      { path: 'definition.trigger.eventType', message: 'Is required.' },
      { path: place, message: 'Must be the id of a template, a UUID.' },
    ])
    for (const type of ['z', ' '])
      expect(await record(type)).toMatchObject({ matchedWorkflows: 0, didYouMean: null, outcomes: [] })
    await world.expect(400, 'POST', `/v1/workflows/${created.id}/publish`)
    expect(await saved(created.id, sending('new'))).toMatchObject({ triggerType: 'new', draftErrors: [] })
    expect(await world.expect(200, 'POST', `/v1/workflows/${created.id}/publish`)).toMatchObject({
      publishedVersion: 1,
    })
  })

  test('without a valid event type keeps the previous one', async () => {
    const id = await made()
    for (const trigger of [{}, { eventType: ' ' }, { eventType: 7 }, { eventType: 'x'.repeat(201) }]) {
      const { triggerType, draftErrors } = await saved(id, { ...sending('x'), trigger })
      expect([triggerType, draftErrors[0].path]).toEqual(['whole', 'definition.trigger.eventType'])
    }
  })

  test.each([
    ['a field that no definition has', { ...incomplete, stepz: {} }, 'definition.stepz'],
    ['no steps', { ...incomplete, steps: {} }, 'definition.steps'],
    ['a step without a type', { ...incomplete, steps: { say: {} } }, 'definition.steps.say.type'],
    ['a step that is not an object', { ...incomplete, steps: { say: 'hello' } }, 'definition.steps.say'],
    ['no trigger', { ...incomplete, trigger: null }, 'definition.trigger'],
    ['no start', { ...incomplete, start: undefined }, 'definition.start'],
    ['a start that is not a text', { ...incomplete, start: null }, 'definition.start'],
    ['too many ends', { ...incomplete, exitOn: Array(11).fill({}) }, 'definition.exitOn'],
    [
      'more than 512 KiB',
      { ...incomplete, steps: { ...incomplete.steps, say: { ...incomplete.steps.say, note: 'x'.repeat(512 * 1024) } } },
      'definition',
    ],
  ])('with %s is rejected', async (_, definition, field) => {
    const { error } = await saved(await made(), definition, 400)
    expect([error.code, Object.keys(error.details)]).toEqual(['invalid_request', [field]])
  })

  test('is saved with an empty start', async () => {
    const { draft, draftErrors } = await saved(await made(), { ...sending('x'), start: '' })
    expect([draft.start, draftErrors.map((one: { path: string }) => one.path)]).toEqual(['', ['definition.start']])
  })

  test('is saved when an error message truncates a name within a character', async () => {
    const steps = { ...sending('x').steps, [`${'a'.repeat(63)}😀`]: { type: 'exit', reason: 'x' } }
    const { draftErrors } = await saved(await made(), { ...sending('x'), steps })
    expect(draftErrors).toMatchObject([{ path: `definition.steps.${'a'.repeat(63)}\ufffd` }])
  })

  test('returns at most 20 of its errors', async () => {
    const steps = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`s${n}`, { type: 'unheard_of' }]))
    const { draftErrors } = await saved(await made(), { ...incomplete, start: 's0', steps })
    expect(draftErrors).toHaveLength(20)
  })
})

describe('an empty text', () => {
  const empty = 'Is empty. Enter a text or a placeholder such as {{customer.name}}.'
  const templated = async (variables: Record<string, string>) => {
    const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', {
      body: {
        name: 'Cart',
        category: 'utility',
        body: 'Hi {{name}}, your {{item}} is still in your cart.',
        variables: ['name', 'item'].map(name => ({ name, sample: 'x' })),
      },
    })
    return { ...sending('e'), steps: { say: { type: 'send_template', templateId, variables, next: null } } }
  }

  test('in a template variable prevents publishing, and the error names the step', async () => {
    const definition = await templated({ name: '', item: ' \n' })
    const details = {
      'definition.steps.say.variables.name': empty,
      'definition.steps.say.variables.item': empty,
    }
    const { id, draftErrors } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'w', definition } })
    expect(draftErrors).toEqual(Object.entries(details).map(([path, message]) => ({ path, message })))
    const { body } = await world.call('POST', `/v1/workflows/${id}/publish`)
    expect([body.error.code, body.error.details]).toEqual(['invalid_request', details])
    expect(await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })).toEqual({
      valid: false,
      details,
    })
    const whole = { ...definition.steps.say, variables: { name: '{{customer.name|there}}', item: 'lamp' } }
    await world.expect(200, 'PATCH', `/v1/workflows/${id}`, {
      body: { definition: { ...definition, steps: { say: whole } } },
    })
    await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  })

  test.each(['\u200b', '\u3164', '\u00ad', '\u2800', '\u2060 \u200d'])(
    'is also one of invisible characters: %j',
    async invisible => {
      const definition = await templated({ name: invisible, item: `${invisible}lamp` })
      expect(await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })).toEqual({
        valid: false,
        details: { 'definition.steps.say.variables.name': empty },
      })
    },
  )

  test('among awaited replies prevents publishing', async () => {
    const wait = {
      type: 'wait_for',
      timeout: '1d',
      onTimeout: null,
      any: [{ reply: { in: ['yes', ' '] }, next: null }],
    }
    const definition = { ...sending('e'), start: 'wait', steps: { wait } }
    const { details } = await world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })
    expect(Object.keys(details)).toEqual(['definition.steps.wait.any.0.reply.in.1'])
  })
})

describe('POST /v1/workflows/check', () => {
  const check = (definition: unknown) => world.expect(200, 'POST', '/v1/workflows/check', { body: { definition } })

  test('returns no errors for a valid definition, and writes nothing', async () => {
    const before = (await world.expect(200, 'GET', '/v1/workflows')).data.length
    expect(await check(sending('checked.only'))).toEqual({ valid: true, details: null })
    expect((await world.expect(200, 'GET', '/v1/workflows')).data).toHaveLength(before)
  })

  test.each([
    ['the form', { ...sending('a'), steps: { say: { ...sending('a').steps.say, text: 7 } } }],
    ['the links between steps', { ...sending('a'), start: 'nowhere' }],
    ['a trigger', { ...sending('a'), trigger: {} }],
    ['steps', { ...sending('a'), steps: {} }],
  ])('returns the same errors as saving: %s', async (_, definition) => {
    const { body } = await world.call('POST', '/v1/workflows', { body: { name: 'w', definition } })
    const details = body.error?.details ?? pathsOf(body.draftErrors)
    expect(await check(definition)).toEqual({ valid: false, details })
  })

  test('returns the errors that only publishing finds', async () => {
    const definition = sending('a')
    const steps = { say: { ...definition.steps.say, channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01' } }
    const { id } = await world.expect(201, 'POST', '/v1/workflows', {
      body: { name: 'w', definition: { ...definition, steps } },
    })
    const refused = await world.expect(400, 'POST', `/v1/workflows/${id}/publish`)
    expect(await check({ ...definition, steps })).toEqual({ valid: false, details: refused.error.details })
  })
})
