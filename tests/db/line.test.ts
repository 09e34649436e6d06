import { describe, expect, test } from 'bun:test'
import { Line, LineFull, type LineOptions } from '../../src/db/line.ts'

const roomy: LineOptions = { maxHeldEach: 10, maxWaiting: 100, maxWaitingEach: 100, maxWaitMs: 60_000 }

/**
 * Creates a `Line` with a number of permits and records the order of grants. The holder is the first letter of a name:
 * `a` for `a 2`.
 */
const lineBefore = (places: number, options: Partial<LineOptions> = {}) => {
  const line = new Line(
    Array.from({ length: places }, (_, n) => n),
    { ...roomy, ...options },
  )
  const served: string[] = []
  const held = new Map<string, number>()
  const enter = (name: string, signal?: AbortSignal) =>
    line.enter(name[0]!, signal).then(place => {
      served.push(name)
      held.set(name, place)
    })
  const leave = async (name: string) => {
    line.leave(name[0]!, held.get(name)!)
    await settled()
  }
  return { line, served, enter, leave }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('a permit has one holder at a time, and requests of one holder are granted in order', async () => {
  const { line, served, enter, leave } = lineBefore(3)
  for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void enter(name)
  await settled()
  expect(served).toEqual(['a 1', 'a 2'])
  expect([line.lent, line.waiting]).toEqual([2, 2])
  await leave('a 2')
  await leave('a 1')
  expect(served).toEqual(['a 1', 'a 2', 'a 3', 'a 4'])
  await leave('a 3')
  await leave('a 4')
  expect([line.lent, line.waiting]).toEqual([0, 0])
})

test('reports whether a permit is wanted: by its own holder, or by one without a permit when none is free', async () => {
  const { line, enter, leave } = lineBefore(3, { maxHeldEach: 1 })
  const wanted = () => ['a', 'b'].map(who => line.isWantedFrom(who))
  await enter('a 1')
  expect(wanted()).toEqual([false, false])
  void enter('a 2')
  expect(wanted()).toEqual([true, false])
  await enter('b 1')
  await enter('c 1')
  void enter('d 1')
  expect(wanted()).toEqual([true, true])
  await leave('c 1')
  expect(wanted()).toEqual([true, false])
  await leave('a 1')
  expect(wanted()).toEqual([false, false])
})

describe('shares', () => {
  test('a holder never exceeds its maximum, even with free permits, and gets the next one after a release', async () => {
    const { line, served, enter, leave } = lineBefore(3, { maxHeldEach: 2 })
    for (const name of ['a 1', 'a 2', 'a 3']) void enter(name)
    await settled()
    expect([served, line.lent, line.waiting]).toEqual([['a 1', 'a 2'], 2, 1])
    await enter('b 1')
    await leave('b 1')
    expect(served).not.toContain('a 3')
    await leave('a 1')
    expect(served).toContain('a 3')
  })

  test('the last permit is reserved for a holder without one', async () => {
    const { line, served, enter, leave } = lineBefore(3)
    for (const name of ['a 1', 'b 1', 'a 2', 'b 2']) void enter(name)
    await settled()
    expect([served, line.lent, line.waiting]).toEqual([['a 1', 'b 1'], 2, 2])
    await enter('c 1')
    await leave('a 1')
    await leave('b 1')
    expect(served).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2'])
  })

  test('the next permit goes to the holder with the fewest, and equal holders alternate', async () => {
    const { served, enter, leave } = lineBefore(3)
    for (const name of ['a 1', 'a 2', 'c 1', 'a 3', 'a 4', 'c 2', 'b 1', 'b 2', 'd 1']) void enter(name)
    await settled()
    expect(served).toEqual(['a 1', 'a 2', 'c 1'])
    for (const name of ['a 1', 'a 2', 'c 1', 'b 1', 'a 3', 'c 2']) await leave(name)
    expect(served.slice(3)).toEqual(['b 1', 'a 3', 'c 2', 'd 1', 'b 2', 'a 4'])
  })
})

describe('the limits', () => {
  test('reject a request immediately if the queue, or the part for one holder, is full', async () => {
    const { served, enter, leave } = lineBefore(1, { maxWaiting: 3, maxWaitingEach: 2 })
    for (const name of ['a 1', 'a 2', 'a 3']) void enter(name)
    expect(enter('a 4')).rejects.toBeInstanceOf(LineFull)
    void enter('b 1')
    expect(enter('c 1')).rejects.toBeInstanceOf(LineFull)
    await settled()
    for (const name of ['a 1', 'a 2', 'b 1', 'a 3']) await leave(name)
    expect(served).toEqual(['a 1', 'a 2', 'b 1', 'a 3'])
    await enter('c 2')
  })

  test('reject a request that waited too long, and it holds no permit afterwards', async () => {
    const { line, served, enter, leave } = lineBefore(1, { maxWaitMs: 5 })
    await enter('a 1')
    expect(await enter('a 2').catch(error => error)).toBeInstanceOf(LineFull)
    expect(line.waiting).toBe(0)
    await leave('a 1')
    expect([served, line.lent]).toEqual([['a 1'], 0])
  })

  test('remove a request whose caller disconnected, and reject one that had disconnected before', async () => {
    const { line, served, enter, leave } = lineBefore(1)
    await enter('a 1')
    const caller = new AbortController()
    const waiting = enter('b 1', caller.signal).catch(error => error)
    void enter('c 1')
    caller.abort(new Error('gone'))
    expect(await waiting).toEqual(new Error('gone'))
    expect(await enter('b 2', caller.signal).catch(error => error)).toEqual(new Error('gone'))
    expect(line.waiting).toBe(1)
    await leave('a 1')
    expect(served).toEqual(['a 1', 'c 1'])
  })
})
