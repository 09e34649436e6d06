import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { CannotOpen, Seals } from '../../src/domain/sealing.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const place = ['workspace', 'channel']

describe('an encrypted text', () => {
  test('can be decrypted with its key, and reveals nothing', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('{"accessToken":"EAAG-secret ✓"}', place)
    expect(seals.open(sealed, place)).toBe('{"accessToken":"EAAG-secret ✓"}')
    expect(sealed.includes('secret')).toBe(false)
    expect(seals.seal('same', place).equals(seals.seal('same', place))).toBe(false)
  })

  test('cannot be decrypted with other additional data, even if it is similar', () => {
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

  test('under an old key can be decrypted while that key is configured, and new texts use the first key', () => {
    const sealed = new Seals([old]).seal('secret', place)
    const both = new Seals([current, old])
    expect(both.open(sealed, place)).toBe('secret')
    const anew = both.seal('secret', place)
    expect(new Seals([current]).open(anew, place)).toBe('secret')
    expect(() => new Seals([old]).open(anew, place)).toThrow(CannotOpen)
    expect(() => new Seals([current]).open(sealed, place)).toThrow(CannotOpen)
  })

  test('uses the first key or a given one, and shows which one', () => {
    const both = new Seals([current, old])
    expect(both.ids).toEqual([...new Seals([current]).ids, ...new Seals([old]).ids])
    const [under, other] = [both.seal('secret', place), both.seal('secret', place, both.ids[1]!)]
    expect([both.isUnderFirst(under), both.isUnderFirst(other)]).toEqual([true, false])
    expect(new Seals([old]).open(other, place)).toBe('secret')
    expect(() => new Seals([old]).open(under, place)).toThrow(CannotOpen)
  })

  test('cannot be decrypted after a change of any bit or a truncation', () => {
    const seals = new Seals([current])
    const sealed = seals.seal('secret', place)
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => seals.open(changed, place)).toThrow(CannotOpen)
      expect(() => seals.open(sealed.subarray(0, at), place)).toThrow(CannotOpen)
    }
  })

  test('and the key are not in the error of a failed decryption', () => {
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
