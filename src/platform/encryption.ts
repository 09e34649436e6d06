/**
 * Encryption of secrets that must be readable again, but not from the database alone. Uses AES-256-GCM with keys held
 * by the operator. The owner of a value (`aad`) is the additional authenticated data (AAD), so a value cannot be
 * moved to another row.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Sql } from './postgres/client.ts'

const algorithm = 'aes-256-gcm'
/** Format version. An encrypted value consists of this byte, the key id, the nonce, the tag and the ciphertext. */
const version = 1
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16
const headerBytes = 1 + idBytes + nonceBytes + tagBytes

/** Returns whether a stored value is encrypted. No text begins with the byte of the format version. */
export const isEncrypted = (value: Uint8Array): boolean => value[0] === version

/**
 * Thrown when decryption fails: the key is missing, the `aad` differs, or the value was changed. Does not reveal the
 * content.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
}

/**
 * A keyring of 32-byte keys. The first key encrypts and every key decrypts, so a key can be replaced while old values
 * stay readable.
 */
export class Keyring {
  readonly #current: Key
  readonly #keys: readonly Key[]

  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    const [first, ...others] = keys
    this.#current = createKey(first)
    this.#keys = [this.#current, ...others.map(createKey)]
  }

  /** Ids of the keys, in their order. They reveal nothing about the keys. */
  get ids(): string[] {
    return this.#keys.map(({ id }) => id.toString('hex'))
  }

  /** Returns whether the value was encrypted with the first key. */
  usesFirstKey(encrypted: Uint8Array): boolean {
    return this.#current.id.equals(encrypted.subarray(1, 1 + idBytes))
  }

  /**
   * Encrypts a text. `aad` is the owner of the value, used as AAD: decryption needs the same `aad`. `keyId` is the
   * id of the key; defaults to the first key.
   */
  encrypt(text: string, aad: readonly string[], keyId?: string): Buffer {
    const { id, bytes } = this.#keys.find(key => key.id.toString('hex') === keyId) ?? this.#current
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagBytes })
    cipher.setAAD(encodeAad(aad))
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), encrypted])
  }

  /** Decrypts a value. Throws DecryptionError. */
  decrypt(encrypted: Uint8Array, aad: readonly string[]): string {
    const bytes = Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength)
    if (bytes.byteLength < headerBytes || bytes[0] !== version)
      throw new DecryptionError('The value has an unknown format.')
    const id = bytes.subarray(1, 1 + idBytes)
    const key = this.#keys.find(one => one.id.equals(id))
    if (!key) throw new DecryptionError('No available key can decrypt the value.')
    try {
      const nonce = bytes.subarray(1 + idBytes, 1 + idBytes + nonceBytes)
      const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes })
      decipher.setAAD(encodeAad(aad))
      decipher.setAuthTag(bytes.subarray(headerBytes - tagBytes, headerBytes))
      return Buffer.concat([decipher.update(bytes.subarray(headerBytes)), decipher.final()]).toString('utf8')
    } catch {
      throw new DecryptionError('The value belongs to another record, or was changed after its encryption.')
    }
  }
}

/** A row that stores encrypted values. */
export interface EncryptedRow extends RowKey {
  /** Changes whenever the row changes. */
  version: string
  values: EncryptedValue[]
}

/** Key of a row. For a table without workspaces, `workspaceId` is the same in all rows. */
export interface RowKey {
  workspaceId: string
  id: string
}

export interface EncryptedValue {
  /** Plural name of the values for the operator, for example "webhook secrets". */
  kind: string
  /** Column that stores the value. */
  column: string
  encrypted: Uint8Array
  aad: readonly string[]
  /** Text of a value that is stored in plain text, because there was no key. */
  plaintext?: string | undefined
}

/** New encrypted values of a row, in hex by column. */
export interface ReencryptedRow extends RowKey {
  version: string
  encrypted: Record<string, string>
}

/** Returns the rows as records for `json_to_recordset`. */
export const toRecords = (rows: readonly ReencryptedRow[]): object[] =>
  rows.map(({ workspaceId, encrypted, ...row }) => ({ workspace_id: workspaceId, ...row, ...encrypted }))

/** A table that stores encrypted values, for key rotation. */
export interface EncryptedTable {
  /** Returns the next page of rows after `after`, in the order of their keys. */
  findPage(sql: Sql, after: RowKey, limit: number): Promise<EncryptedRow[]>
  /** Writes the new values to rows whose version is unchanged. Returns the ids of the updated rows. */
  replace(sql: Sql, rows: ReencryptedRow[]): Promise<string[]>
}

interface Key {
  /** Identifies the key and reveals nothing about it. */
  id: Buffer
  bytes: Uint8Array
}

const createKey = (bytes: Uint8Array): Key => {
  if (bytes.byteLength !== 32) throw new Error('a key has 32 bytes')
  const id = createHash('sha256').update('key of sealed values').update(bytes).digest().subarray(0, idBytes)
  return { id, bytes }
}

/** Encodes the AAD as JSON, so that two different values never have the same encoding. */
const encodeAad = (aad: readonly string[]): Buffer => Buffer.from(JSON.stringify(aad))
