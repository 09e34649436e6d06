import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { DecryptionError, Keyring } from '../../src/platform/encryption.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const place = ['workspace', 'channel']

describe('an encrypted text', () => {
  test('can be decrypted with its key, and reveals nothing', () => {
    const seals = new Keyring([current])
    const sealed = seals.encrypt('{"accessToken":"EAAG-secret ✓"}', place)
    expect(seals.decrypt(sealed, place)).toBe('{"accessToken":"EAAG-secret ✓"}')
    expect(sealed.includes('secret')).toBe(false)
    expect(seals.encrypt('same', place).equals(seals.encrypt('same', place))).toBe(false)
  })

  test('cannot be decrypted with other additional data, even if it is similar', () => {
    const seals = new Keyring([current])
    const sealed = seals.encrypt('secret', place)
    for (const other of [
      ['workspace', 'other'],
      ['other', 'channel'],
      ['workspacechannel'],
      ['workspace', 'channel', ''],
    ])
      expect(() => seals.decrypt(sealed, other)).toThrow(DecryptionError)
  })

  test('uses the first key or a given one, shows which one, and can be decrypted while that key is configured', () => {
    const [onlyOld, onlyCurrent, both] = [new Keyring([old]), new Keyring([current]), new Keyring([current, old])]
    expect(both.ids).toEqual([...onlyCurrent.ids, ...onlyOld.ids])
    const [under, other] = [both.encrypt('secret', place), both.encrypt('secret', place, both.ids[1]!)]
    expect([both.usesFirstKey(under), both.usesFirstKey(other)]).toEqual([true, false])
    expect([both.decrypt(other, place), onlyOld.decrypt(other, place)]).toEqual(['secret', 'secret'])
    expect(onlyCurrent.decrypt(under, place)).toBe('secret')
    expect(() => onlyOld.decrypt(under, place)).toThrow(DecryptionError)
    expect(() => onlyCurrent.decrypt(other, place)).toThrow(DecryptionError)
  })

  test('cannot be decrypted after a change of any bit or a truncation', () => {
    const seals = new Keyring([current])
    const sealed = seals.encrypt('secret', place)
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(() => seals.decrypt(changed, place)).toThrow(DecryptionError)
      expect(() => seals.decrypt(sealed.subarray(0, at), place)).toThrow(DecryptionError)
    }
  })

  test('and the key are not in the error of a failed decryption', () => {
    const seals = new Keyring([current])
    const sealed = seals.encrypt('very secret', place)
    try {
      seals.decrypt(sealed, ['elsewhere'])
      expect.unreachable()
    } catch (error) {
      const told = Bun.inspect(error)
      for (const secret of ['very secret', current.toString('base64'), current.toString('hex')])
        expect(told).not.toContain(secret)
    }
  })
})
