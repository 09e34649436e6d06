/**
 * Sealing: what must be read back, and that nobody may read who has the database alone. AES-256-GCM under keys that the
 * operator holds; what a sealed value belongs to is sealed with it, so that it opens in no other place.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../db/client.ts'

const algorithm = 'aes-256-gcm'
/** The form of what is sealed: this byte, the id of the key, the nonce, the tag, and what was sealed. */
const version = 1
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + idBytes + nonceBytes + tagBytes

/** It was sealed under a key that is not there, for another place, or was changed since. Says nothing of what it holds. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}

/** Keys of 32 bytes: the first seals, each opens, so that a key can be changed while what the old one sealed is kept. */
export class Seals {
  readonly #current: Key
  readonly #keys: readonly Key[]

  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    const [first, ...others] = keys
    this.#current = keyOf(first)
    this.#keys = [this.#current, ...others.map(keyOf)]
  }

  /** What tells its keys apart, and nothing of them, in their order. */
  get ids(): string[] {
    return this.#keys.map(({ id }) => id.toString('hex'))
  }

  /** Whether the first of its keys has sealed it. */
  isUnderFirst(sealed: Uint8Array): boolean {
    return this.#current.id.equals(sealed.subarray(1, 1 + idBytes))
  }

  /** `place`: what it belongs to; it opens for the same place alone. `under`: the id of one of its keys. */
  seal(text: string, place: readonly string[], under?: string): Buffer {
    const { id, bytes } = this.#keys.find(key => key.id.toString('hex') === under) ?? this.#current
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes })
    cipher.setAAD(associated(place))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), sealed])
  }

  /** Throws CannotOpen. */
  open(sealed: Uint8Array, place: readonly string[]): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.byteLength < headBytes || bytes[0] !== version) throw new CannotOpen('It is not of a form that is known.')
    const id = bytes.subarray(1, 1 + idBytes)
    const key = this.#keys.find(one => one.id.equals(id))
    if (!key) throw new CannotOpen('None of the keys there are has sealed it.')
    try {
      const nonce = bytes.subarray(1 + idBytes, 1 + idBytes + nonceBytes)
      const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes })
      decipher.setAAD(associated(place))
      decipher.setAuthTag(bytes.subarray(headBytes - tagBytes, headBytes))
      return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]).toString('utf8')
    } catch {
      throw new CannotOpen('It belongs to another place, or was changed since it was sealed.')
    }
  }
}

/** A row that keeps something sealed. */
export interface SealedRow extends RowKey {
  /** Changes with the row. */
  version: string
  values: SealedValue[]
}

/** Of a table of no workspace's, `workspaceId` is the same for all. */
export interface RowKey {
  workspaceId: string
  id: string
}

export interface SealedValue {
  /** What there is of it, for the operator to read: "webhook secrets". */
  kind: string
  /** Where in the row. */
  column: string
  sealed: Uint8Array
  place: readonly string[]
}

/** What is to stand in the place of sealed values, in hex by their columns. */
export interface ResealedRow extends RowKey {
  version: string
  sealed: Record<string, string>
}

/** A table that keeps something sealed, for those who go through all there is. */
export interface SealedTable {
  /** A page of its rows in the order of their keys, behind this one. */
  findPage(sql: Sql, after: RowKey, limit: number): Promise<SealedRow[]>
  /** Puts it in the rows that are still as they were read; answers the ids of these. */
  replace(sql: Sql, rows: ResealedRow[]): Promise<string[]>
}

interface Key {
  /** Tells keys apart, and nothing of the key. */
  id: Buffer
  bytes: Uint8Array
}

const keyOf = (bytes: Uint8Array): Key => {
  if (bytes.byteLength !== 32) throw new Error('a key has 32 bytes')
  const id = createHash('sha256').update('key of sealed values').update(bytes).digest().subarray(0, idBytes)
  return { id, bytes }
}

/** As JSON, so that no two places are written alike. */
const associated = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place))
