import { describe, expect, test } from 'bun:test'
import { unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()

const path = '/v1/templates'
const order = {
  name: 'Order on its way',
  category: 'utility',
  body: 'Hello {{name}}, your order {{order}} is on its way.',
  variables: [
    { name: 'name', sample: 'Ana' },
    { name: 'order', sample: 'A-1042' },
  ],
  provider: { name: 'order_shipped', language: 'en_US' },
}

const create = (body: Record<string, unknown> = {}) => world.expect(201, 'POST', path, { body: { ...order, ...body } })
const detailsOf = async (method: string, to: string, body: unknown): Promise<Record<string, string>> => {
  const { error } = await world.expect(400, method, to, { body })
  expect(error.code).toBe('invalid_request')
  return error.details
}
describe('a template', () => {
  test('is returned as it was written, read, and first in the list', async () => {
    const created = await create()
    expect(created).toEqual({
      ...order,
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await world.expect(200, 'GET', `${path}/${created.id}`)).toEqual(created)
    const { data } = await world.expect(200, 'GET', `${path}?limit=1`)
    expect(data).toEqual([created])
  })

  test('needs neither variables nor a provider, and keeps every character of its text', async () => {
    const body = 'مرحبا {{ name }} \u200f🙂\n\tשלום {{order}}'
    expect((await create({ body })).body).toBe(body)
    const closed = { name: 'Closed', category: 'marketing', body: 'We are closed today.' }
    const created = await world.expect(201, 'POST', path, { body: closed })
    expect(created).toMatchObject({ ...closed, variables: [], provider: null })
  })
})

const many = Array.from({ length: 51 }, (_, n) => ({ name: `v${n}`, sample: 'x' }))
const bodyOf = (variables: { name: string }[]) => variables.map(({ name }) => `{{${name}}}`).join()
const named = (...names: string[]) => ({ body: 'Hello', variables: names.map(name => ({ name, sample: 'x' })) })
const sampled = (sample: string) => ({ variables: [order.variables[0], { name: 'order', sample }] })
const emoji = '🙂'.repeat(4096)
test.each<[field: string, change: object]>([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: 'a\nb' }],
  ['category', { category: 'news' }],
  ['provider.name', { provider: { name: 'two words', language: 'en' } }],
  ['provider.language', { provider: { name: 'a', language: 'english!' } }],
  ['variables.0.name', named('a-b')],
  ['variables.0.name', named('_a')],
  ['variables.0.name', named('größe')],
  ['variables.0.name', named('x'.repeat(33))],
  ['variables.0.name variables.1.name', named('a', 'b')],
  ['variables.1.sample', sampled('')],
  ['variables.1.sample', sampled('x'.repeat(201))],
  ['variables', { body: bodyOf(many), variables: many }],
  ['body', { body: `${order.body} {{more}}` }],
  ['body', { body: `${order.body} {{` }],
  ['body', { body: `${order.body} {{  }}` }],
  ['body', { body: `${order.body} {{{{name}}}}` }],
  ['body', { body: `${order.body} \u0007` }],
  ['body', { body: `${order.body} \u0085` }],
  ['body', { body: `${emoji}x`, variables: [] }],
  ['variables.1.name', { body: 'Hello {{name}}' }],
  ['variables.2.name', { variables: [...order.variables, order.variables[0]!] }],
])('a template is rejected under %s for an invalid value', async (fields, change) => {
  const body = { ...order, ...change }
  expect(await world.answer('POST', path, { body })).toBe(`400 invalid_request ${fields}`)
})

test('a template can have 50 variables, or 4096 characters of which an emoji is one', async () => {
  await create({ body: bodyOf(many.slice(1)), variables: many.slice(1) })
  expect((await create({ body: emoji, variables: [] })).body).toBe(emoji)
})

describe('changing a template', () => {
  test('changes the given fields, and validates the result', async () => {
    const { id } = await create()
    const changes = { body: 'Hi {{name}}', variables: [order.variables[0]], provider: null }
    const changed = await world.expect(200, 'PATCH', `${path}/${id}`, { body: changes })
    expect(changed).toMatchObject({ name: order.name, ...changes })
    expect(changed.updatedAt > changed.createdAt).toBe(true)
    const details = await detailsOf('PATCH', `${path}/${id}`, { body: 'Hi' })
    expect(Object.keys(details)).toEqual(['variables.0.name'])
    expect(await world.expect(200, 'GET', `${path}/${id}`)).toEqual(changed)
    expect(Object.keys(await detailsOf('PATCH', `${path}/${id}`, {}))).toEqual(['body'])
  })

  test('never leaves an invalid template after two concurrent changes', async () => {
    const { id } = await create()
    const change = (body: string, variables?: object[]) =>
      world.call('PATCH', `${path}/${id}`, { body: { body, variables } })
    const replies = await Promise.all([
      change('Hi {{name}}', [order.variables[0]!]),
      change(`${order.body} Bye {{name}} {{order}}`),
    ])
    const { body, variables } = await world.expect(200, 'GET', `${path}/${id}`)
    for (const { name } of variables) expect(body).toContain(`{{${name}}}`)
    expect(replies.map(({ status }) => status)).toContain(200)
  })
})

describe('a preview', () => {
  const preview = async (body: unknown) => world.expect(200, 'POST', `${path}/${(await create()).id}/preview`, { body })

  test('contains the given values or without any the samples, and names the missing values', async () => {
    const text = (name: string, number: string) => `Hello ${name}, your order ${number} is on its way.`
    for (const [given, expected, missing] of [
      [{ variables: { name: 'Ana', order: 'B-1' } }, text('Ana', 'B-1'), []],
      [{ variables: { name: 'Ana' } }, text('Ana', '{{order}}'), ['order']],
      [{ variables: { name: 'Ana', order: ' ' } }, text('Ana', '{{order}}'), ['order']],
      [{ variables: {} }, order.body, ['name', 'order']],
      [{}, text('Ana', 'A-1042'), ['name', 'order']],
    ] as const)
      expect(await preview(given)).toEqual({ text: expected, missing })
  })

  test('fills in values of a customer', async () => {
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', {
      body: { externalId: 'C-1', name: 'Berta', attributes: { last: { order: 'C-77' } } },
    })
    const variables = { name: '{{customer.name|there}}', order: '#{{customer.attributes.last.order}}' }
    expect(await preview({ variables, customerId })).toEqual({
      text: 'Hello Berta, your order #C-77 is on its way.',
      missing: [],
    })
    expect(await preview({ variables: { name: '{{customer.phone}}', order: '1' }, customerId })).toEqual({
      text: 'Hello {{name}}, your order 1 is on its way.',
      missing: ['name'],
    })
  })

  test('rejects unknown variables, unknown paths and an unknown customer', async () => {
    const { id } = await create()
    const { id: customerId } = await world.expect(201, 'POST', '/v1/customers', { body: { externalId: 'C-2' } })
    const faults = (body: unknown) => detailsOf('POST', `${path}/${id}/preview`, body)
    expect(Object.keys(await faults({ variables: { nmae: 'Ana' } }))).toEqual(['variables.nmae'])
    expect(Object.keys(await faults({ variables: { name: 1 } }))).toEqual(['variables.name'])
    expect(await faults({ variables: { name: '{{customer.nmae}}' }, customerId })).toEqual({
      'variables.name': '{{customer.nmae}} is not a known path. Did you mean {{customer.name}}?',
    })
    expect(Object.keys(await faults({ variables: { name: '{{data.x}}' }, customerId }))).toEqual(['variables.name'])
    expect(await faults({ customerId: unknownId })).toEqual({ customerId: 'No such customer in this workspace.' })
  })
})

const workflowWith = (templateId: string, name: string): Promise<string> => {
  const variables = { name: '{{customer.name}}', order: '{{data.order}}' }
  const definition = {
    trigger: { eventType: 'x' },
    start: 'a',
    steps: { a: { type: 'send_template', templateId, variables, next: null } },
  }
  return world.workflow(definition, name)
}

describe('a template in use', () => {
  const wider = {
    body: `${order.body} {{shop}}`,
    variables: [...order.variables, { name: 'shop', sample: 'Ours' }],
  }

  test('cannot get a variable that its users have no value for while they are switched on', async () => {
    const { id } = await create()
    const workflowId = await workflowWith(id, 'Welcome')
    const { error } = await world.expect(409, 'PATCH', `${path}/${id}`, { body: wider })
    expect(error).toMatchObject({ code: 'conflict', details: { workflows: workflowId } })
    expect(error.message).toStartWith('The template is used by the workflow "Welcome".')
    expect((await world.expect(200, 'GET', `${path}/${id}`)).variables).toEqual(order.variables)
    const narrower = { body: 'Hello {{name}}', variables: order.variables.slice(0, 1) }
    await world.expect(200, 'PATCH', `${path}/${id}`, { body: narrower })

    const enable = (status: number, enabled: boolean) =>
      world.expect(status, 'PATCH', `/v1/workflows/${workflowId}`, { body: { enabled } })
    await enable(200, false)
    await world.expect(200, 'PATCH', `${path}/${id}`, { body: wider })
    const at = 'definition.steps.a.templateId'
    expect((await enable(422, true)).error.details).toEqual({
      [at]: 'The template requires a value that is not given.',
    })
    await world.expect(204, 'DELETE', `${path}/${id}`)
    expect((await enable(422, true)).error.details).toEqual({ [at]: 'No such template in this workspace.' })
  })

  test('cannot be deleted while the published version of an active workflow uses it', async () => {
    const { id } = await create()
    const first = await workflowWith(id.toUpperCase(), 'Thanks')
    const second = await workflowWith(id, 'Sorry')
    const other = await create()
    const { error } = await world.expect(409, 'DELETE', `${path}/${id}`)
    expect(error).toMatchObject({ code: 'conflict', details: { workflows: `${first}, ${second}` } })
    expect(error.message).toStartWith('The template is used by the workflow "Thanks" and the workflow "Sorry".')
    await world.expect(204, 'DELETE', `${path}/${other.id}`)
    for (const one of [first, second])
      await world.expect(200, 'PATCH', `/v1/workflows/${one}`, { body: { enabled: false } })
    await world.expect(204, 'DELETE', `${path}/${id}`)
  })
})

test('the allowance holds for concurrent calls, and deleting a template frees one', async () => {
  const { sql } = world.database
  await sql`insert into plans (id, name, features, allowances)
    select 'two', 'Two', features, allowances || '{"templates": 2}' from plans where id = 'unlimited'`
  const as = await world.otherOwner()
  const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
  await sql`update workspaces set plan_id = 'two' where id = ${workspace.id}`
  const replies = await Promise.all(Array.from({ length: 10 }, () => world.call('POST', path, { as, body: order })))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(8).fill(409)])
  const message = 'The plan allows 2 templates, and all are in use. Remove one, or upgrade the plan.'
  const refused = replies.find(({ status }) => status === 409)!
  expect(refused.body.error).toMatchObject({ code: 'plan_limit_reached', message })
  const { allowances } = await world.expect(200, 'GET', '/v1/entitlements', { as })
  expect(allowances.templates).toEqual({ limit: 2, used: 2 })
  const made = replies.find(({ status }) => status === 201)!
  await world.expect(204, 'DELETE', `${path}/${made.body.id}`, { as })
  await world.expect(201, 'POST', path, { as, body: order })
})
