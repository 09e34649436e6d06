import { describe, expect, test } from 'bun:test'
import { rollUpStats } from '../../../../src/webhooks/statistics/index.ts'
import { randomFrom } from '../../../support/random.ts'
import { unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()

interface Entry {
  at: string
  delivered: number
  failed: number
  retried: number
  p50Ms: number | null
  p95Ms: number | null
}
interface Attempt {
  hour: string
  code: number
  ms: number
  status: 'delivered' | 'failed' | 'retried'
}

const hourMs = 3_600_000
const stats = (
  id: string,
  query: string,
): Promise<{ data: Entry[]; codes: { statusCode: number | null; count: number }[] }> =>
  world.expect(200, 'GET', `/v1/webhooks/${id}/stats?${query}`)

const makeWebhook = async (url: string): Promise<string> =>
  (await world.expect(201, 'POST', '/v1/webhooks', { body: { url, events: ['message.status'] } })).id

/** Writes counts as a batch of attempts does. */
const record = (webhookId: string, { hour, code, ms, status }: Attempt) => world.database.sql`
  insert into hourly_stat_changes (workspace_id, hour, attempts, deliveries_delivered, deliveries_failed, kind, group_id,
    status_codes, durations_ms)
  values (${world.workspaceId}, ${hour}, 1, ${Number(status === 'delivered')}, ${Number(status === 'failed')}, 'webhook', ${webhookId},
    array[${code}]::smallint[], array[${ms}]::integer[])`

/** The nearest-rank percentile of all durations. */
const exact = (attempts: readonly Attempt[], fraction: number) =>
  attempts.map(({ ms }) => ms).toSorted((one, other) => one - other)[Math.ceil(attempts.length * fraction) - 1] ?? null

const expectClose = (found: number | null, wanted: number | null): void => {
  if (wanted === null || found === null) expect(found).toBe(wanted)
  else expect(Math.abs(found - wanted)).toBeLessThanOrEqual(Math.max(1, wanted * 0.05))
}

describe('GET /v1/webhooks/{id}/stats', () => {
  test('returns what a count of all attempts returns', async () => {
    const random = randomFrom(4)
    const [id, other] = [await makeWebhook('https://example.com/one'), await makeWebhook('https://example.com/two')]
    const first = Date.parse('2026-02-01T00:00:00Z')
    const attempts = Array.from({ length: 400 }, (): Attempt => {
      const hour = new Date(first + Math.floor(random() * 60) * hourMs).toISOString()
      const [code, status] = (
        [
          [200, 'delivered'],
          [204, 'delivered'],
          [500, 'retried'],
          [0, 'failed'],
        ] as const
      )[Math.floor(random() * 4)]!
      return { hour, code, status, ms: Math.floor(random() * 4 * 10 ** (random() * 4)) }
    })
    for (const [n, attempt] of attempts.entries()) {
      await record(id, attempt)
      if (n % 10 === 0) await record(other, attempt)
      if (n === 250) await rollUpStats(world.database.sql)
    }
    for (const [by, ms] of [
      ['hour', hourMs],
      ['day', 24 * hourMs],
    ] as const) {
      const { data, codes } = await stats(id, `by=${by}&since=2026-02-01T00:30:00Z&until=2026-02-04T00:00:00Z`)
      expect(data).toHaveLength((72 * hourMs) / ms)
      for (const { at, delivered, failed, retried, p50Ms, p95Ms } of data) {
        const inside = attempts.filter(({ hour }) => Math.floor(Date.parse(hour) / ms) * ms === Date.parse(at))
        const count = (status: Attempt['status']) => inside.filter(one => one.status === status).length
        expect({ delivered, failed, retried }).toEqual({
          delivered: count('delivered'),
          failed: count('failed'),
          retried: count('retried'),
        })
        expectClose(p50Ms, exact(inside, 0.5))
        expectClose(p95Ms, exact(inside, 0.95))
      }
      const counted = Map.groupBy(attempts, ({ code }) => code || null)
      expect(codes).toHaveLength(counted.size)
      for (const { statusCode, count } of codes) expect(count).toBe(counted.get(statusCode)!.length)
    }
  })

  test('returns 24 hours or 30 days by default, and rejects ranges that are too long', async () => {
    const id = await makeWebhook('https://example.com/new')
    const empty = { delivered: 0, failed: 0, retried: 0, p50Ms: null, p95Ms: null }
    for (const [query, count] of [
      ['', 24],
      ['by=day', 30],
    ] as const) {
      const { data, codes } = await stats(id, query)
      expect(codes).toEqual([])
      expect(data.map(({ at: _, ...entry }) => entry)).toEqual(Array(count).fill(empty))
    }
    for (const [query, field] of [
      ['by=week', 'by'],
      ['since=yesterday', 'since'],
      ['until=now', 'until'],
      ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
      ['since=2024-01-01T00:00:00Z&until=2024-02-01T00:00:00.001Z', 'since'],
      ['since=2024-01-01T00:00:00Z&until=2025-02-04T00:00:00.001Z&by=day', 'since'],
    ] as const)
      expect(await world.answer('GET', `/v1/webhooks/${id}/stats?${query}`), query).toBe(`400 invalid_request ${field}`)
  })

  test('does not know other endpoints', async () => {
    const id = await makeWebhook('https://example.com/mine')
    const as = await world.otherOwner()
    for (const path of [unknownId, 'none'])
      expect(await world.answer('GET', `/v1/webhooks/${path}/stats`)).toBe('404 not_found')
    expect(await world.answer('GET', `/v1/webhooks/${id}/stats`, { as })).toBe('404 not_found')
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    expect(await world.answer('GET', `/v1/webhooks/${id}/stats`)).toBe('404 not_found')
  })
})
