import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { CannotOpen, Seals } from '../../src/domain/sealing.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const place = ['workspace', 'channel']

describe('what was sealed', () => {
  test('opens with what it was sealed with, and shows nothing of it', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('{"accessToken":"EAAG-secret ✓"}', place)
    expect(seals.open(sealed, place)).toBe('{"accessToken":"EAAG-secret ✓"}')
    expect(sealed.includes('secret')).toBe(false)
    expect(seals.seal('same', place).equals(seals.seal('same', place))).toBe(false)
  })

  test('opens for no other place, not even one that is written alike', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('secret', place)
    for (const other of [
      ['workspace', 'other'],
      ['other', 'channel'],
      ['workspacechannel'],
      ['workspace', 'channel', ''],
    ])
      expect(() => seals.open(sealed, other)).toThrow(CannotOpen)
  })

  test('under the old key opens as long as that is named behind the new one, which seals from then on', () => {
    const sealed = new Seals([old]).seal('secret', place)
    const both = new Seals([current, old])
    expect(both.open(sealed, place)).toBe('secret')
    const anew = both.seal('secret', place)
    expect(new Seals([current]).open(anew, place)).toBe('secret')
    expect(() => new Seals([old]).open(anew, place)).toThrow(CannotOpen)
    expect(() => new Seals([current]).open(sealed, place)).toThrow(CannotOpen)
  })

  test('is sealed under the first key, or under another that is named; which one it was can be seen', () => {
    const both = new Seals([current, old])
    expect(both.ids).toEqual([...new Seals([current]).ids, ...new Seals([old]).ids])
    const [under, other] = [both.seal('secret', place), both.seal('secret', place, both.ids[1]!)]
    expect([both.isUnderFirst(under), both.isUnderFirst(other)]).toEqual([true, false])
    expect(new Seals([old]).open(other, place)).toBe('secret')
    expect(() => new Seals([old]).open(under, place)).toThrow(CannotOpen)
  })

  test('does not open with any of its bits changed, nor cut short', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('secret', place)
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => seals.open(changed, place)).toThrow(CannotOpen)
      expect(() => seals.open(sealed.subarray(0, at), place)).toThrow(CannotOpen)
    }
  })

  test('that does not open is not told of in the error, nor is the key', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('very secret', place)
    try {
      seals.open(sealed, ['elsewhere'])
      expect.unreachable()
    } catch (error) {
      const told = Bun.inspect(error)
      for (const secret of ['very secret', current.toString('base64'), current.toString('hex')])
        expect(told).not.toContain(secret)
    }
  })
})
