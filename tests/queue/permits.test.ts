import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type HolderHealth, Permits } from '../../src/queue/permits.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

interface Running {
  holder: string
  resolve: (health: HolderHealth) => void
  reject: (error: Error) => void
}

/** Creates work that the test ends with a result or an error. */
const heldWork = (permits: Permits) => {
  const started: number[] = []
  const running = new Map<number, Running>()
  let count = 0
  const end = async (name: number, health: HolderHealth | 'fails' = 'answers') => {
    const { resolve, reject } = running.get(name)!
    running.delete(name)
    if (health === 'fails') reject(new Error(`${name} failed`))
    else resolve(health)
    await nextTurn()
  }
  const heldBy = (holder: string) => [...running.values()].filter(one => one.holder === holder).length
  const add = (holder: string): number => {
    const name = count++
    const work = () => {
      started.push(name)
      return new Promise<HolderHealth>((resolve, reject) => running.set(name, { holder, resolve, reject }))
    }
    permits.run(holder, work, health => health).catch(() => {})
    return name
  }
  /** Gives a holder a health by running one piece of work that ends with it. */
  const becomes = async (holder: string, health: HolderHealth) => end(add(holder), health)
  return { started, running, add, end, heldBy, becomes }
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('permits', () => {
  test('never exceed the maximum, and at least one is held while a holder waits', async () => {
    const health = fc.constantFrom<HolderHealth | 'fails'>('answers', 'slow', 'unknown', 'hangs', 'fails')
    const step = fc.oneof(
      fc.record({ holder: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
      fc.record({ which: fc.nat(), health }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 80, size: 'max' }),
        async (max, steps) => {
          const work = heldWork(new Permits(max))
          let added = 0
          let ended = 0
          for (const taken of steps) {
            if ('holder' in taken) {
              work.add(taken.holder)
              added++
            } else if (work.running.size > 0) {
              await work.end([...work.running.keys()][taken.which % work.running.size]!, taken.health)
              ended++
            }
            await nextTurn()
            expect(work.running.size).toBeLessThanOrEqual(Math.min(max, added - ended))
            if (added > ended) expect(work.running.size).toBeGreaterThan(0)
          }
          while (work.running.size > 0) {
            await work.end(work.running.keys().next().value!)
            ended++
          }
          expect(ended).toBe(added)
        },
      ),
    )
  })

  test('are granted in order of request to one holder', async () => {
    const work = heldWork(new Permits(4))
    for (const _ of range(10)) work.add('a')
    while (work.running.size > 0) await work.end(work.running.keys().next().value!)
    expect(work.started).toEqual(range(10))
  })

  test('go to the holder with the fewest, and then to the one that has waited longest', async () => {
    const work = heldWork(new Permits(8))
    for (const holder of ['a', 'b', 'c']) await work.becomes(holder, 'answers')
    const last = range(8).map(n => work.add(`other ${n}`))
    const [a, b, c] = ['a', 'b', 'c'].map(holder => work.add(holder))
    for (const name of last.slice(0, 3)) if (work.running.has(name)) await work.end(name)
    expect(work.started.filter(name => name === a || name === b || name === c)).toEqual([a!, b!, c!])
  })

  /** Adds a holder that answers and requests the given number of permits. */
  const addWide = async (work: ReturnType<typeof heldWork>, holder: string, count = 120) => {
    await work.becomes(holder, 'answers')
    for (const _ of range(count)) work.add(holder)
  }
  /** Ends the oldest work of a holder the given number of times. */
  const endSome = async (
    work: ReturnType<typeof heldWork>,
    holder: string,
    count: number,
    health: HolderHealth = 'answers',
  ) => {
    for (const _ of range(count)) {
      const [name] = [...work.running].find(([, one]) => one.holder === holder)!
      await work.end(name, health)
    }
  }

  test('go to a holder that answers until half are taken, and then up to half of the free ones to each holder', async () => {
    const work = heldWork(new Permits(120))
    for (const n of range(5)) await addWide(work, `wide ${n}`)
    expect(range(5).map(n => work.heldBy(`wide ${n}`))).toEqual([60, 20, 14, 9, 6])
    const small = range(3).map(n => work.add(`small ${n}`))
    expect(small.filter(name => work.running.has(name)).length).toBe(3)
  })

  test('are limited to a quarter for a single holder that does not answer', async () => {
    for (const health of ['hangs', 'unknown'] as const) {
      const work = heldWork(new Permits(120))
      await work.becomes('wide', health)
      for (const _ of range(120)) work.add('wide')
      expect(work.heldBy('wide')).toBe(30)
    }
  })

  test('go to a slow holder as to a fast one, and many slow holders leave a quarter to fast ones', async () => {
    const work = heldWork(new Permits(120))
    for (const n of range(10)) await work.becomes(`slow ${n}`, 'slow')
    await work.becomes('quick', 'answers')
    for (const _ of range(120)) work.add('slow 0')
    expect(work.heldBy('slow 0')).toBe(60)
    for (const n of range(10)) for (const _ of range(120)) work.add(`slow ${n}`)
    await endSome(work, 'slow 0', 60, 'slow')
    expect(work.running.size).toBeLessThanOrEqual(90)
    expect(work.running.size).toBeGreaterThan(70)
    for (const _ of range(12)) work.add('quick')
    expect(work.heldBy('quick')).toBeGreaterThanOrEqual(10)
  })

  test('are available for a holder that answers, next to hanging holders and a large one of any health', async () => {
    const step = fc.constantFrom('wide begins', 'wide ends', 'hanging begins', 'hanging ends')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: 60 }),
        fc.array(fc.tuple(step, fc.integer({ min: 1, max: 40 })), { maxLength: 40, size: 'max' }),
        async (max, steps) => {
          const permits = new Permits(max)
          const work = heldWork(permits)
          permits.setInitialHealth('wide', 'answers')
          permits.setInitialHealth('probe', 'answers')
          let hanging = 0
          const endOne = async (isOne: (holder: string) => boolean, health: HolderHealth) => {
            const found = [...work.running].find(([, { holder }]) => isOne(holder))
            if (found) await work.end(found[0], health)
          }
          for (const [what, times] of steps) {
            for (const _ of range(times)) {
              if (what === 'wide begins') work.add('wide')
              else if (what === 'wide ends') await endOne(holder => holder === 'wide', 'answers')
              else if (what === 'hanging ends') await endOne(holder => holder.startsWith('hangs'), 'hangs')
              else {
                permits.setInitialHealth(`hangs ${hanging}`, 'hangs')
                work.add(`hangs ${hanging++}`)
              }
            }
            const probe = work.add('probe')
            expect(work.running.has(probe)).toBe(true)
            await work.end(probe)
            expect(work.heldBy('wide')).toBeLessThanOrEqual(max / 2 + 1)
          }
        },
      ),
    )
  })

  test('go to unknown holders one at a time after those hold a quarter, so that others get a first one', () => {
    const work = heldWork(new Permits(64))
    for (const n of range(30)) for (const _ of range(4)) work.add(`new ${n}`)
    expect(range(30).map(n => work.heldBy(`new ${n}`))).toEqual([4, 4, 4, 4, ...range(26).map(() => 1)])
    expect(work.running.has(work.add('late'))).toBe(true)
  })

  test('follow the health that other processes know, until this process knows it', async () => {
    const permits = new Permits(16)
    const work = heldWork(permits)
    for (const n of range(12)) permits.setInitialHealth(`hangs ${n}`, 'hangs')
    for (const n of range(12)) work.add(`hangs ${n}`)
    expect(work.running.size).toBe(8)
    expect([permits.hasHealth('hangs 0'), permits.hasHealth('other')]).toEqual([true, false])
    await work.becomes('other', 'unknown')
    expect(permits.hasHealth('other')).toBe(true)
    permits.setInitialHealth('other', 'hangs')
    expect(work.running.has(work.add('other'))).toBe(true)
  })

  test('are released after work that fails, immediately or later, and the caller gets the error', async () => {
    const permits = new Permits(1)
    const fail = (): never => {
      throw new RangeError('broken')
    }
    for (const work of [fail, async () => fail()])
      await expect(permits.run('a', work, () => 'answers')).rejects.toThrow('broken')
    const results = range(20).map(name =>
      permits.run(
        `${name % 4}`,
        async () => name,
        () => 'answers',
      ),
    )
    expect(await Promise.all(results)).toEqual(range(20))
  })
})
