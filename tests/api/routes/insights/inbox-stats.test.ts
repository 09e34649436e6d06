/** Tests of inbox statistics: waits, first responses and closings, compared with a count by hand. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { deleteOldInboxActions } from '../../../../src/messaging/messages/index.ts'
import { newPhone, type Person, useWorld } from '../../../support/world.ts'

const world = useWorld()
const sql = () => world.database.sql
let channelId: string
let agent: Person
beforeAll(async () => {
  channelId = await world.sandbox()
  agent = await world.person()
})

const stats = (query = '', as: 'owner' | Record<string, string> = 'owner') =>
  world.expect(200, 'GET', `/v1/inbox/stats${query}`, { as })
/** Results of today without the waits, which other tests change. */
const today = async () => {
  const { answered, firstResponseP50, resolved, byMember } = await stats()
  return { answered, firstResponseP50, resolved, byMember }
}
const write = async (from: string, text = 'Where is my order?') => {
  const body = { from, text }
  const path = `/v1/channels/${channelId}/sandbox/messages`
  return (await world.expect(201, 'POST', path, { body })).conversationId as string
}
const waitFor = (id: string, seconds: number) => sql()`
  update conversations set waiting_since = now() - ${seconds} * interval '1 second' where id = ${id}`
const reply = (id: string) =>
  world.expect(201, 'POST', `/v1/conversations/${id}/messages`, { as: agent.as, body: { text: 'Today.' } })
const change = (id: string, status: string) =>
  world.expect(200, 'PATCH', `/v1/conversations/${id}`, { as: agent.as, body: { status } })
const clear = () => sql()`delete from inbox_actions`

describe('recording', () => {
  test('counts the first response of a wait once, for its author, and not after it failed', async () => {
    await clear()
    const failing = newPhone().replace(/....$/, '0000')
    const [ana, ben] = [await write(newPhone()), await write(failing)]
    await waitFor(ana, 600)
    await waitFor(ben, 60)
    for (const id of [ana, ana, ben]) await reply(id)
    const until = async (answered: number) => {
      for (;;) {
        const counted = await today()
        if (counted.answered === answered) return counted
      }
    }
    // The sandbox rejects messages to numbers that end with 0000.
    const { firstResponseP50, byMember } = await until(1)
    expect(firstResponseP50).toBeWithin(600, 660)
    expect(byMember).toEqual([{ userId: agent.id, answered: 1, firstResponseP50, resolved: 0 }])
    expect(await world.expect(200, 'GET', `/v1/conversations/${ben}`)).toMatchObject({
      waitingSince: expect.any(String),
    })
  })

  test('counts each closing of an open conversation, and a later message starts a new wait', async () => {
    await clear()
    const phone = newPhone()
    const id = await write(phone)
    await waitFor(id, 7200)
    for (const status of ['closed', 'closed', 'open', 'closed']) await change(id, status)
    expect(await today()).toMatchObject({ answered: 0, resolved: 2, byMember: [{ userId: agent.id, resolved: 2 }] })
    await write(phone)
    const { waitingSince } = await world.expect(200, 'GET', `/v1/conversations/${id}`)
    expect(Date.now() - Date.parse(waitingSince)).toBeLessThan(600_000)
  })

  test('counts no message of a workflow', async () => {
    await clear()
    const steps = { say: { type: 'send_message', text: 'hello', next: null } }
    await world.workflow({ trigger: { eventType: 'greet' }, start: 'say', steps })
    const phone = newPhone()
    const id = await write(phone)
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body: { type: 'greet', phone } })
    for (;;) if ((await world.expect(200, 'GET', `/v1/conversations/${id}`)).waitingSince === null) break
    await reply(id)
    expect(await today()).toMatchObject({ answered: 0 })
  })
})

describe('GET /v1/inbox/stats', () => {
  test('counts open conversations with unread messages, whether they wait or not', async () => {
    const { unread: before } = await stats('', agent.as)
    const [read, answered, closed] = [await write(newPhone()), await write(newPhone()), await write(newPhone())]
    await write(newPhone())
    expect((await stats('', agent.as)).unread).toBe(before + 4)
    await world.expect(204, 'POST', `/v1/conversations/${read}/read`)
    await reply(answered)
    await change(closed, 'closed')
    expect((await stats('', agent.as)).unread).toBe(before + 1)
  })

  test('groups open waiting conversations by age', async () => {
    await sql()`update conversations set waiting_since = null`
    const waits = [10, 299, 301, 1200, 4000, 20_000, 90_000, 100_000]
    const ids: string[] = []
    for (const seconds of waits) {
      const id = await write(newPhone())
      await waitFor(id, seconds)
      ids.push(id)
    }
    const closed = await write(newPhone())
    await change(closed, 'closed')
    // It needs no answer.
    await write(newPhone(), 'STOP')
    const { waiting, waitingByAge, longestWait } = await stats('', agent.as)
    expect(waiting).toBe(waits.length)
    expect(waitingByAge.map(({ from, to, count }: Record<string, number>) => [from, to, count])).toEqual([
      ...[
        [0, 300, 2],
        [300, 900, 1],
        [900, 3600, 1],
        [3600, 14_400, 1],
        [14_400, 86_400, 1],
      ],
      [86_400, null, 2],
    ])
    expect(longestWait.conversationId).toBe(ids.at(-1))
    expect(longestWait.seconds).toBeWithin(100_000, 100_060)
  })

  test('agrees with a count by hand, by day and by member', async () => {
    await clear()
    const members = [agent.id, (await world.person()).id, (await world.person()).id]
    const start = Date.parse('2026-03-01T00:00:00Z')
    const rows = Array.from({ length: 400 }, (_, n) => ({
      at: start + ((n * 7919) % 345_600) * 1000,
      userId: members[(n * n) % 3]!,
      waited: n % 4 === 0 ? null : (n * 613) % 5000,
    }))
    for (const { at, userId, waited } of rows)
      await sql()`insert into inbox_actions (workspace_id, id, user_id, waited_seconds)
        select ${world.workspaceId}, uuidv7(${new Date(at)}::timestamptz - now()), ${userId}, ${waited}`
    const rank = (of: typeof rows, share: number) => {
      const waits = of.flatMap(({ waited }) => (waited === null ? [] : [waited])).sort((a, b) => a - b)
      return waits[Math.ceil(share * waits.length) - 1] ?? null
    }
    const sum = (of: typeof rows) => ({
      answered: of.filter(({ waited }) => waited !== null).length,
      firstResponseP50: rank(of, 0.5),
      resolved: of.filter(({ waited }) => waited === null).length,
    })
    const within = rows.filter(({ at }) => at >= start + 86_400_000 && at < start + 3 * 86_400_000)
    const answer = await stats('?by=day&since=2026-03-02T11:00:00Z&until=2026-03-03T01:00:00Z')
    expect(answer).toMatchObject({
      ...{ since: '2026-03-02T00:00:00.000Z', until: '2026-03-04T00:00:00.000Z', complete: true },
      ...{ ...sum(within), firstResponseP90: rank(within, 0.9) },
    })
    expect(answer.byMember).toEqual(
      members
        .map(userId => ({ userId, ...sum(within.filter(row => row.userId === userId)) }))
        .filter(({ answered, resolved }) => answered + resolved > 0)
        .sort((a, b) => b.answered - a.answered),
    )
    expect(answer.data).toEqual(
      [1, 2].map(day => {
        const from = start + day * 86_400_000
        const ofDay = within.filter(({ at }) => at >= from && at < from + 86_400_000)
        return { at: new Date(from).toISOString(), ...sum(ofDay), firstResponseP90: rank(ofDay, 0.9) }
      }),
    )
    const empty = { answered: 0, firstResponseP50: null, firstResponseP90: null, resolved: 0 }
    const hours = await stats('?by=hour&since=2026-04-01T00:00:00Z&until=2026-04-01T02:00:00Z')
    expect(hours).toMatchObject({ ...empty, byMember: [], data: [{ at: '2026-04-01T00:00:00.000Z', ...empty }, empty] })
    expect(hours.data).toHaveLength(2)
  })

  test('says that only the newest actions are counted', async () => {
    await clear()
    await sql()`insert into inbox_actions (workspace_id, id, user_id, waited_seconds)
      select ${world.workspaceId}, uuidv7('2026-05-01'::timestamptz + n * interval '1 second' - now()), ${agent.id}, n
      from generate_series(0, 100000) n`
    const answer = await stats('?by=day&since=2026-05-01T00:00:00Z&until=2026-05-02T23:00:00Z')
    expect(answer).toMatchObject({ complete: false, answered: 100_000 })
  })

  test('rejects API keys and periods of more than 400 days', async () => {
    expect(await world.answer('GET', '/v1/inbox/stats', { as: 'key' })).toBe('403 forbidden')
    const long = '/v1/inbox/stats?by=day&since=2024-01-01T00:00:00Z&until=2026-01-01T00:00:00Z'
    expect(await world.answer('GET', long)).toBe('400 invalid_request since')
  })

  test('keeps actions for 400 days', async () => {
    await clear()
    for (const days of [399, 403])
      await sql()`insert into inbox_actions (workspace_id, user_id, created_at)
        values (${world.workspaceId}, ${agent.id}, now() - ${days} * interval '1 day')`
    await deleteOldInboxActions(sql(), 10)
    expect(await sql()`select from inbox_actions`).toHaveLength(1)
  })
})
