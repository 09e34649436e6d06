import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { DecryptionError, Keyring } from '../../src/platform/encryption.ts'

const [old, current] = [randomBytes(32), randomBytes(32)]
const place = ['workspace', 'channel']

describe('an encrypted text', () => {
  test('can be decrypted with its key, and reveals nothing', () => {
    const keyring = new Keyring([current])
    const encrypted = keyring.encrypt('{"accessToken":"EAAG-secret ✓"}', place)
    expect(keyring.decrypt(encrypted, place)).toBe('{"accessToken":"EAAG-secret ✓"}')
    expect(encrypted.includes('secret')).toBe(false)
    expect(keyring.encrypt('same', place).equals(keyring.encrypt('same', place))).toBe(false)
  })

  test('cannot be decrypted with other additional data, even if it is similar', () => {
    const keyring = new Keyring([current])
    const encrypted = keyring.encrypt('secret', place)
    for (const other of [
      ['workspace', 'other'],
      ['other', 'channel'],
      ['workspacechannel'],
      ['workspace', 'channel', ''],
    ])
      expect(() => keyring.decrypt(encrypted, other)).toThrow(DecryptionError)
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
    const keyring = new Keyring([current])
    const encrypted = keyring.encrypt('secret', place)
    for (let at = 0; at < encrypted.byteLength; at++) {
      const changed = Buffer.from(encrypted)
      changed[at]! ^= 1
      expect(() => keyring.decrypt(changed, place)).toThrow(DecryptionError)
      expect(() => keyring.decrypt(encrypted.subarray(0, at), place)).toThrow(DecryptionError)
    }
  })

  test('and the key are not in the error of a failed decryption', () => {
    const keyring = new Keyring([current])
    const encrypted = keyring.encrypt('very secret', place)
    try {
      keyring.decrypt(encrypted, ['elsewhere'])
      expect.unreachable()
    } catch (error) {
      const shown = Bun.inspect(error)
      for (const secret of ['very secret', current.toString('base64'), current.toString('hex')])
        expect(shown).not.toContain(secret)
    }
  })
})
