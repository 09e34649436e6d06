import { describe, expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const path = '/v1/templates'
const unknownId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'
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
const refusedAt = async (body: Record<string, unknown>): Promise<string[]> =>
  Object.keys(await detailsOf('POST', path, { ...order, ...body })).sort()

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

  test('needs neither variables nor a provider', async () => {
    const { variables, provider } = await world.expect(201, 'POST', path, {
      body: { name: 'Closed', category: 'marketing', body: 'We are closed today.' },
    })
    expect({ variables, provider }).toEqual({ variables: [], provider: null })
  })

  test('keeps every character of a text, in any writing direction', async () => {
    const body = 'مرحبا {{name}} \u200f🙂\n\tשלום {{order}}'
    expect((await create({ body })).body).toBe(body)
  })
})

describe('errors name the field', () => {
  test('in single fields', async () => {
    expect(await refusedAt({ name: ' ' })).toEqual(['name'])
    expect(await refusedAt({ name: 'x'.repeat(101) })).toEqual(['name'])
    expect(await refusedAt({ name: 'a\nb' })).toEqual(['name'])
    expect(await refusedAt({ category: 'news' })).toEqual(['category'])
    expect(await refusedAt({ body: ' \n' })).toContain('body')
    expect(await refusedAt({ provider: { name: 'two words', language: 'en' } })).toEqual(['provider.name'])
    expect(await refusedAt({ provider: { name: 'a', language: 'english!' } })).toEqual(['provider.language'])
    expect(await refusedAt({ provider: { name: 'a' } })).toEqual(['provider.language'])
    expect(await refusedAt({ varaibles: [] })).toEqual(['varaibles'])
  })

  test('in variables', async () => {
    const withNames = (...names: unknown[]) =>
      refusedAt({ body: 'Hello', variables: names.map(name => ({ name, sample: 'x' })) })
    expect(await withNames('a-b')).toEqual(['variables.0.name'])
    expect(await withNames('_a')).toEqual(['variables.0.name'])
    expect(await withNames('größe')).toEqual(['variables.0.name'])
    expect(await withNames('x'.repeat(33))).toEqual(['variables.0.name'])
    expect(await withNames('')).toEqual(['variables.0.name'])
    expect(await withNames('a', 'b')).toEqual(['variables.0.name', 'variables.1.name'])
    expect(await refusedAt({ variables: [order.variables[0], { name: 'order', sample: '' }] })).toEqual([
      'variables.1.sample',
    ])
    expect(await refusedAt({ variables: [order.variables[0], { name: 'order', sample: 'x'.repeat(201) }] })).toEqual([
      'variables.1.sample',
    ])
    const many = Array.from({ length: 51 }, (_, n) => ({ name: `v${n}`, sample: 'x' }))
    expect(await refusedAt({ body: many.map(({ name }) => `{{${name}}}`).join(), variables: many })).toEqual([
      'variables',
    ])
    await create({
      body: many
        .slice(1)
        .map(({ name }) => `{{${name}}}`)
        .join(),
      variables: many.slice(1),
    })
  })

  test('in a body and variables that do not match', async () => {
    const unused = await detailsOf('POST', path, { ...order, body: 'Hello {{name}}' })
    expect(unused).toEqual({
      'variables.1.name': 'Is not used: the body does not contain {{order}}. Use or remove it.',
    })
    expect(await refusedAt({ body: `${order.body} {{more}}` })).toEqual(['body'])
    expect(await refusedAt({ body: `${order.body} {{` })).toEqual(['body'])
    expect(await refusedAt({ variables: [...order.variables, order.variables[0]!] })).toEqual(['variables.2.name'])
  })

  test('in a body over 4096 characters, where an emoji is one character', async () => {
    const body = '🙂'.repeat(4096)
    expect((await create({ body, variables: [] })).body).toBe(body)
    expect(await refusedAt({ body: `${body}x`, variables: [] })).toEqual(['body'])
  })
})

describe('changing a template', () => {
  test('changes the given fields, and validates the result', async () => {
    const { id } = await create()
    const changed = await world.expect(200, 'PATCH', `${path}/${id}`, {
      body: { body: 'Hi {{name}}', variables: [order.variables[0]], provider: null },
    })
    expect(changed).toMatchObject({
      name: order.name,
      body: 'Hi {{name}}',
      variables: [order.variables[0]],
      provider: null,
    })
    expect(changed.updatedAt > changed.createdAt).toBe(true)
    const details = await detailsOf('PATCH', `${path}/${id}`, { body: 'Hi' })
    expect(Object.keys(details)).toEqual(['variables.0.name'])
    expect(await world.expect(200, 'GET', `${path}/${id}`)).toEqual(changed)
    expect(Object.keys(await detailsOf('PATCH', `${path}/${id}`, {}))).toEqual(['body'])
  })

  test('never leaves an invalid template after two concurrent changes', async () => {
    const { id } = await create()
    const replies = await Promise.all([
      world.call('PATCH', `${path}/${id}`, { body: { body: 'Hi {{name}}', variables: [order.variables[0]] } }),
      world.call('PATCH', `${path}/${id}`, { body: { body: `${order.body} Bye {{name}} {{order}}` } }),
    ])
    const { body, variables } = await world.expect(200, 'GET', `${path}/${id}`)
    for (const { name } of variables) expect(body).toContain(`{{${name}}}`)
    expect(replies.map(({ status }) => status).filter(status => status === 200).length).toBeWithin(1, 3)
  })
})

describe('a preview', () => {
  const preview = async (body: unknown, template: Record<string, unknown> = {}) =>
    world.expect(200, 'POST', `${path}/${(await create(template)).id}/preview`, { body })

  test('contains the given values, and names the missing ones', async () => {
    expect(await preview({ variables: { name: 'Ana', order: 'B-1' } })).toEqual({
      text: 'Hello Ana, your order B-1 is on its way.',
      missing: [],
    })
    expect(await preview({ variables: { name: 'Ana' } })).toEqual({
      text: 'Hello Ana, your order {{order}} is on its way.',
      missing: ['order'],
    })
    expect(await preview({ variables: { name: 'Ana', order: ' ' } })).toMatchObject({ missing: ['order'] })
    expect(await preview({ variables: {} })).toEqual({ text: order.body, missing: ['name', 'order'] })
  })

  test('shows the samples without any values, and names them as missing', async () => {
    expect(await preview({})).toEqual({
      text: 'Hello Ana, your order A-1042 is on its way.',
      missing: ['name', 'order'],
    })
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

  test('rejects a variable that its users have no value for, and allows other changes', async () => {
    const { id } = await create()
    const workflowId = await workflowWith(id, 'Welcome')
    const { error } = await world.expect(409, 'PATCH', `${path}/${id}`, { body: wider })
    expect(error).toMatchObject({ code: 'conflict', details: { workflows: workflowId } })
    expect(error.message).toStartWith('The template is used by the workflow "Welcome".')
    expect((await world.expect(200, 'GET', `${path}/${id}`)).variables).toEqual(order.variables)
    const narrower = { body: 'Hello {{name}}', variables: order.variables.slice(0, 1) }
    await world.expect(200, 'PATCH', `${path}/${id}`, { body: narrower })
  })

  test('can get a new variable while its workflow is off, which then needs a value to be switched on', async () => {
    const { id } = await create()
    const workflowId = await workflowWith(id, 'Welcome again')
    const on = (enabled: boolean) => ({ body: { enabled } })
    await world.expect(200, 'PATCH', `/v1/workflows/${workflowId}`, on(false))
    await world.expect(200, 'PATCH', `${path}/${id}`, { body: wider })
    const { error } = await world.expect(422, 'PATCH', `/v1/workflows/${workflowId}`, on(true))
    expect(error).toMatchObject({
      code: 'unprocessable',
      details: { 'definition.steps.a.templateId': 'The template requires a value that is not given.' },
    })
    await world.expect(204, 'DELETE', `${path}/${id}`)
    const gone = await world.expect(422, 'PATCH', `/v1/workflows/${workflowId}`, on(true))
    expect(gone.error.details).toEqual({ 'definition.steps.a.templateId': 'No such template in this workspace.' })
  })
})

describe('deleting a template', () => {
  test('is rejected while the published version of an active workflow uses it', async () => {
    const { id } = await create()
    const first = await workflowWith(id.toUpperCase(), 'Thanks')
    const second = await workflowWith(id, 'Sorry')
    const other = await create()
    const { error } = await world.expect(409, 'DELETE', `${path}/${id}`)
    expect(error).toEqual({
      code: 'conflict',
      message:
        'The template is used by the workflow "Thanks" and the workflow "Sorry". Switch them off or change them first.',
      details: { workflows: `${first}, ${second}` },
    })
    await world.expect(204, 'DELETE', `${path}/${other.id}`)
    for (const one of [first, second])
      await world.expect(200, 'PATCH', `/v1/workflows/${one}`, { body: { enabled: false } })
    await world.expect(204, 'DELETE', `${path}/${id}`)
  })
})

describe('the allowance', () => {
  test('holds for concurrent calls, and deleting a template frees one', async () => {
    const { sql } = world.database
    await sql`insert into plans (id, name, features, allowances)
      select 'two', 'Two', features, allowances || '{"templates": 2}' from plans where id = 'unlimited'`
    const as = await world.otherOwner()
    const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    await sql`update workspaces set plan_id = 'two' where id = ${workspace.id}`
    const replies = await Promise.all(Array.from({ length: 10 }, () => world.call('POST', path, { as, body: order })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(8)
    expect(refused[0]!.body.error).toMatchObject({
      code: 'plan_limit_reached',
      message: 'The plan allows 2 templates, and all are in use. Remove one, or upgrade the plan.',
    })
    const { allowances } = await world.expect(200, 'GET', '/v1/entitlements', { as })
    expect(allowances.templates).toEqual({ limit: 2, used: 2 })
    const made = replies.find(({ status }) => status === 201)!
    await world.expect(204, 'DELETE', `${path}/${made.body.id}`, { as })
    await world.expect(201, 'POST', path, { as, body: order })
  })
})
