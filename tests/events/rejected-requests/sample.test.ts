/** Tests of the structure that is kept of a rejected event. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleOf } from '../../../src/events/rejected-requests/index.ts'

describe('the sample of an event', () => {
  test('has names, types and lengths, and only the value of the type', () => {
    const event = {
      type: 'Order.Created',
      phone: '0151 23456',
      name: null,
      optIn: { evidence: 'Ticked the box' },
      data: {
        total: 12.5,
        big: 2n ** 70n,
        paid: true,
        type: 'secret',
        items: [{ sku: 'A-1' }, 1, 'x', [], 7],
        none: [],
      },
    }
    expect(sampleOf(event)).toEqual({
      type: 'Order.Created',
      phone: 'string(10)',
      name: 'null',
      optIn: { evidence: 'string(14)' },
      data: {
        ...{ total: 'number', big: 'number', paid: 'boolean', type: 'string(6)', none: [] },
        items: [{ sku: 'string(3)' }, 'number', 'string(1)', '… 2 more'],
      },
    })
  })

  test.each(['ana@shop.example', '+4915112345678', 'customer 1', 'C-20260301', 'x'.repeat(65)])(
    'replaces the name %s',
    name => expect(sampleOf({ data: { [name]: 1 } })).toEqual({ data: { [`name(${name.length})`]: 'number' } }),
  )

  test.each([[null], ['text'], [[1]], [undefined]])('is null for %p', value => expect(sampleOf(value)).toBeNull())

  test('keeps every field of a level before it opens the next', () => {
    const large = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`field${n % 10}.${'a'.repeat(n % 40)}.${n}`, n]),
    )
    const sample = sampleOf({ data: large, phone: 7, __proto__x: 1, type: 'a' })
    expect(Object.keys(sample!)).toEqual(['data', 'phone', '__proto__x', 'type'])
    expect(sample!.data).toMatchObject({ '…': 'omitted' })
  })

  test('has at most 4 KiB and none of the values, for any event', () => {
    const secret = 'Zq7Secret'
    const leaf = fc.oneof(
      fc.constant(secret),
      fc.constant(`${secret} more`),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
      tree: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        leaf,
        fc.array(tie('tree'), { maxLength: 30 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 30 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), tree, { maxKeys: 100 }), event => {
        const text = JSON.stringify(sampleOf(event))
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096)
        expect(text).not.toContain(secret)
      }),
    )
  })
})
