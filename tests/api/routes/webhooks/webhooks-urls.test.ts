import { beforeAll, describe, expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'
import { accepted, refused } from '../../../webhooks/endpoints/urls.ts'

const world = useWorld()
let path: string
beforeAll(async () => {
  path = `/v1/webhooks/${(await create('https://hooks.example.com/before')).body.id}`
})

const create = (url: string) =>
  world.call('POST', '/v1/webhooks', { body: { url, events: ['message.status'], description: 'tried' } })
const change = (url: string) => world.call('PATCH', path, { body: { url } })

const hostile = Object.entries(refused).flatMap(([cause, { urls }]) => urls.map(url => ({ cause, url })))

/** Runs eight at a time, because the test is not about two thousand open sockets. */
const inTurns = async <T>(items: readonly T[], work: (item: T) => Promise<void>) => {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

describe.each([
  ['at its creation', create],
  ['when it is changed', change],
] as const)('the URL of an endpoint %s', (_, send) => {
  test('is rejected with 400 and a reason when it is hostile', async () => {
    expect(hostile.length).toBeGreaterThanOrEqual(120)
    await inTurns(hostile, async ({ cause, url }) => {
      const { status, body } = await send(url)
      const what = `${cause}: ${JSON.stringify(url).slice(0, 90)}`
      expect(`${status} ${body.error?.code}`, what).toBe('400 invalid_request')
      // Text that cannot be stored is rejected before the URL is checked.
      const field = url.includes('\0') || !url.isWellFormed() ? 'body' : 'url'
      expect(Object.keys(body.error.details), what).toEqual([field])
      expect(body.error.details[field], what).toMatch(/^[A-Z].*[.!]$/)
    })
  })

  test('is accepted and stored unchanged when it is valid', async () => {
    expect(accepted.length).toBeGreaterThanOrEqual(25)
    for (const url of accepted) {
      const { status, body } = await send(url)
      expect({ status: status < 300, url: body.url }, url).toEqual({ status: true, url })
      if (status === 201) await world.expect(204, 'DELETE', `/v1/webhooks/${body.id}`)
    }
  })
})

test('a rejected change leaves the endpoint unchanged, including its other fields', async () => {
  await change('https://hooks.example.com/good')
  const before = await world.expect(200, 'GET', path)
  for (const { url } of hostile.slice(0, 5))
    await world.expect(400, 'PATCH', path, { body: { url, enabled: false, description: 'other' } })
  expect(await world.expect(200, 'GET', path)).toEqual(before)
})

test('ten of fifty endpoints created concurrently succeed', async () => {
  const as = await world.otherOwner()
  const body = { url: 'https://hooks.example.com/x', events: ['message.status'] }
  const replies = await Promise.all(Array.from({ length: 50 }, () => world.call('POST', '/v1/webhooks', { as, body })))
  const counted = Object.groupBy(replies, ({ status, body }) => `${status} ${body.error?.code ?? 'made'}`)
  expect(Object.fromEntries(Object.entries(counted).map(([what, all]) => [what, all!.length]))).toEqual({
    '201 made': 10,
    '422 unprocessable': 40,
  })
  expect((await world.expect(200, 'GET', '/v1/webhooks', { as })).data).toHaveLength(10)
})
