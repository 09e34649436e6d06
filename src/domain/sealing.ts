/**
 * Encryption of secrets that must be readable again, but not from the database alone. Uses AES-256-GCM with keys held
 * by the operator. The owner of a value (`place`) is the additional authenticated data (AAD), so a value cannot be
 * moved to another row.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../db/client.ts'

const algorithm = 'aes-256-gcm'
/** Format version. An encrypted value consists of this byte, the key id, the nonce, the tag and the ciphertext. */
const version = 1
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + idBytes + nonceBytes + tagBytes

/**
 * Thrown when decryption fails: the key is missing, the `place` differs, or the value was changed. Does not reveal the
 * content.
 */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
}

/**
 * A keyring of 32-byte keys. The first key encrypts and every key decrypts, so a key can be replaced while old values
 * stay readable.
 */
export class Seals {
  readonly #current: Key
  readonly #keys: readonly Key[]

  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    const [first, ...others] = keys
    this.#current = keyOf(first)
    this.#keys = [this.#current, ...others.map(keyOf)]
  }

  /** Ids of the keys, in their order. They reveal nothing about the keys. */
  get ids(): string[] {
    return this.#keys.map(({ id }) => id.toString('hex'))
  }

  /** Returns whether the value was encrypted with the first key. */
  isUnderFirst(sealed: Uint8Array): boolean {
    return this.#current.id.equals(sealed.subarray(1, 1 + idBytes))
  }

  /**
   * Encrypts a text. `place` is the owner of the value, used as AAD: decryption needs the same `place`. `under` is the
   * id of the key; defaults to the first key.
   */
  seal(text: string, place: readonly string[], under?: string): Buffer {
    const { id, bytes } = this.#keys.find(key => key.id.toString('hex') === under) ?? this.#current
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes })
    cipher.setAAD(associated(place))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), sealed])
  }

  /** Decrypts a value. Throws CannotOpen. */
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

/** A row that stores encrypted values. */
export interface SealedRow extends RowKey {
  /** Changes whenever the row changes. */
  version: string
  values: SealedValue[]
}

/** Key of a row. For a table without workspaces, `workspaceId` is the same in all rows. */
export interface RowKey {
  workspaceId: string
  id: string
}

export interface SealedValue {
  /** Plural name of the values for the operator, for example "webhook secrets". */
  kind: string
  /** Column that stores the value. */
  column: string
  sealed: Uint8Array
  place: readonly string[]
}

/** New encrypted values of a row, in hex by column. */
export interface ResealedRow extends RowKey {
  version: string
  sealed: Record<string, string>
}

/** A table that stores encrypted values, for key rotation. */
export interface SealedTable {
  /** Returns the next page of rows after `after`, in the order of their keys. */
  findPage(sql: Sql, after: RowKey, limit: number): Promise<SealedRow[]>
  /** Writes the new values to rows whose version is unchanged. Returns the ids of the updated rows. */
  replace(sql: Sql, rows: ResealedRow[]): Promise<string[]>
}

interface Key {
  /** Identifies the key and reveals nothing about it. */
  id: Buffer
  bytes: Uint8Array
}

const keyOf = (bytes: Uint8Array): Key => {
  if (bytes.byteLength !== 32) throw new Error('a key has 32 bytes')
  const id = createHash('sha256').update('key of sealed values').update(bytes).digest().subarray(0, idBytes)
  return { id, bytes }
}

/** Encoded as JSON, so that two different places never have the same encoding. */
const associated = (place: readonly string[]): Buffer => Buffer.from(JSON.stringify(place))
