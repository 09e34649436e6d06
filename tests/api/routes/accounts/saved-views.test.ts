import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const path = '/v1/saved-views'
const orders = { list: 'events', name: 'Orders', search: 'type=order.created&started=false' }
const save = (body: object, status = 201, as?: Record<string, string>) =>
  world.expect(status, 'POST', path, { body, ...(as && { as }) })
const namesOf = async (query = '', as?: Record<string, string>): Promise<string[]> => {
  const { data } = await world.expect(200, 'GET', `${path}${query}`, as && { as })
  return data.map(({ name }: { name: string }) => name)
}

test('a view is saved, listed by name, replaced under its name and deleted', async () => {
  const view = await save(orders)
  expect(view).toEqual({ ...orders, id: expect.any(String), createdAt: expect.stringMatching(/Z$/) })
  await save({ ...orders, name: 'all shops', search: '' })
  await save({ ...orders, list: 'messages', name: 'Failed' })
  expect(await namesOf('?list=events')).toEqual(['all shops', 'Orders'])
  expect(await namesOf()).toEqual(['all shops', 'Failed', 'Orders'])
  const replaced = await save({ ...orders, search: 'type=order.paid' }, 200)
  expect(replaced).toEqual({ ...view, search: 'type=order.paid' })
  const { data } = await world.expect(200, 'GET', `${path}?list=events`)
  expect(data[1]).toEqual(replaced)
  await world.expect(204, 'DELETE', `${path}/${view.id}`)
  expect(await world.answer('DELETE', `${path}/${view.id}`)).toBe('404 not_found')
  expect(await namesOf('?list=events')).toEqual(['all shops'])
})

test('a view belongs to one member, and an API key has none', async () => {
  const { as } = await world.person()
  const own = await save({ ...orders, name: 'Mine' }, 201, as)
  expect(await namesOf('', as)).toEqual(['Mine'])
  expect(await namesOf()).not.toContain('Mine')
  expect(await world.answer('DELETE', `${path}/${own.id}`)).toBe('404 not_found')
  expect(await namesOf('', as)).toEqual(['Mine'])
  expect(await world.answer('GET', path, { as: 'key' })).toBe('403 forbidden')
})

test('rejects values that are too long or no list', async () => {
  for (const list of ['', 'Events', '/events', 'x'.repeat(41)])
    expect(await world.answer('POST', path, { body: { ...orders, list } })).toBe('400 invalid_request list')
  for (const name of ['', ' ', 'x'.repeat(61)])
    expect(await world.answer('POST', path, { body: { ...orders, name } })).toBe('400 invalid_request name')
  const search = 'x'.repeat(2001)
  expect(await world.answer('POST', path, { body: { ...orders, search } })).toBe('400 invalid_request search')
  expect(await world.answer('GET', `${path}?list=Events`)).toBe('400 invalid_request list')
})

test('a member has at most 20 views of a list and 100 in a workspace, also with concurrent calls', async () => {
  const { as } = await world.person()
  const call = (list: string, name: string) => world.call('POST', path, { as, body: { ...orders, list, name } })
  const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => call('events', `View ${n}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(4).fill(422)])
  const refused = replies.find(({ status }) => status === 422)!.body.error
  expect(refused.message).toBe('A member has at most 20 saved views of a list. Delete a view that is not used.')
  const [name] = await namesOf('?list=events', as)
  expect((await call('events', name!)).status).toBe(200)
  for (const list of ['messages', 'runs', 'audit', 'customers'])
    for (let n = 0; n < 20; n++) expect((await call(list, `View ${n}`)).status).toBe(201)
  expect((await call('deliveries', 'One more')).body.error.message).toBe(
    'A member has at most 100 saved views in a workspace. Delete a view that is not used.',
  )
  expect((await call('events', name!)).status).toBe(200)
})

test('views are deleted with the membership and with the account', async () => {
  const [removed, leaving] = [await world.person(), await world.person()]
  for (const { as } of [removed, leaving]) await save(orders, 201, as)
  const count = async () => {
    const [row] = await world.database.sql`
      select count(*)::integer as count from saved_views v join members m on m.id = v.member_id
      where m.user_id = any(${[removed.id, leaving.id]}::uuid[])`
    const [orphans] = await world.database.sql`
      select count(*)::integer as count from saved_views v where not exists (select from members m where m.id = v.member_id)`
    return [row!.count, orphans!.count]
  }
  expect(await count()).toEqual([2, 0])
  const { data } = await world.expect(200, 'GET', '/v1/members')
  const { id } = data.find(({ userId }: { userId: string }) => userId === removed.id)
  await world.expect(204, 'DELETE', `/v1/members/${id}`)
  expect(await count()).toEqual([1, 0])
  await world.expect(204, 'DELETE', '/v1/auth/user', { as: leaving.as, body: { password: 'correct horse battery' } })
  expect(await count()).toEqual([0, 0])
})

test('an erasure deletes the views that name the customer, and no others', async () => {
  const customer = { phone: '+4915177712345', name: 'Ägnes Ümläut', externalId: 'C-88 771' }
  const { id } = await world.expect(201, 'POST', '/v1/customers', { body: customer })
  const searches = {
    'by phone': 'q=%2B4915177712345',
    'by name': String(new URLSearchParams({ q: customer.name })),
    'by external id': `externalId=${encodeURIComponent(customer.externalId)}`,
    'by id': `customerId=${id}`,
    'about ägnes ümläut': 'consent=in',
    'other customers': 'q=Ben',
  }
  for (const [name, search] of Object.entries(searches)) await save({ list: 'customers', name, search })
  await world.expect(204, 'DELETE', `/v1/customers/${id}`)
  expect(await namesOf('?list=customers')).toEqual(['other customers'])
})
