import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Slots } from '../../src/actors/slots.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/** Work that ends when the test says so, well or badly. */
const heldWork = (slots: Slots) => {
  const started: number[] = []
  const running = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()
  return {
    started,
    running,
    add: (name: number): Promise<void> =>
      slots.with(() => {
        started.push(name)
        return new Promise<void>((resolve, reject) => running.set(name, { resolve, reject }))
      }),
    end: (name: number, well = true) => {
      const { resolve, reject } = running.get(name)!
      running.delete(name)
      if (well) resolve()
      else reject(new Error(`${name} failed`))
    },
  }
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('slots', () => {
  test('start work at once while there is one free', () => {
    const work = heldWork(new Slots(2))
    for (const name of range(3)) void work.add(name)
    expect(work.started).toEqual([0, 1])
  })

  test('are as many as there are, never idle while somebody waits, and given in the order of coming', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'add' as const }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat(), well: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 60, size: 'max' }),
        async (max, steps) => {
          const work = heldWork(new Slots(max))
          let added = 0
          let ended = 0
          for (const taken of steps) {
            if (taken.kind === 'add') work.add(added++).catch(() => {})
            else if (work.running.size > 0) {
              work.end([...work.running.keys()][taken.which % work.running.size]!, taken.well)
              ended++
            }
            await nextTurn()
            expect(work.running.size).toBe(Math.min(max, added - ended))
            expect(work.started).toEqual(range(work.started.length))
          }
        },
      ),
    )
  })

  test('who comes while a slot is being handed on does not overtake the line', async () => {
    const work = heldWork(new Slots(1))
    for (const name of [0, 1]) void work.add(name)
    work.end(0)
    void work.add(2)
    await nextTurn()
    expect(work.started).toEqual([0, 1])
    expect([...work.running.keys()]).toEqual([1])
  })

  test.each<[string, () => Promise<void>]>([
    ['later', () => Promise.reject(new RangeError('broken'))],
    [
      'before its first await',
      () => {
        throw new RangeError('broken')
      },
    ],
  ])('come back from work that fails %s, and its failure is that of the caller', async (_, fail) => {
    const slots = new Slots(1)
    await expect(slots.with(fail)).rejects.toThrow('broken')
    let begun = false
    void slots.with(async () => {
      begun = true
    })
    expect(begun).toBe(true)
  })

  test('answer each caller with what its own work answered', async () => {
    const slots = new Slots(3)
    const answers = range(20).map(name => slots.with(async () => name))
    expect(await Promise.all(answers)).toEqual(range(20))
  })
})
