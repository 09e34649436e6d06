/** Tests that every encrypted column is known to the code that rotates encryption keys. */
import { expect, test } from 'bun:test'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()

/** Each is listed in the `EncryptedTable` of its entity (`src/privacy/re-encryption/tables.ts`). */
const encrypted =
  'channels.credentials second_factors.secret webhooks.headers webhooks.previous_secret webhooks.secret'.split(' ')

/** Digests, which are never decrypted. */
const digests = [
  'account_links.token_hash api_keys.key_hash events.key_digest known_networks.key_hash members.token_hash',
  'rejected_requests.digest removed_events.key_digest removed_messages.key_digest second_factors.recovery_codes',
  'sessions.token_hash access_tokens.token_hash sign_in_tickets.invitation_hash sign_in_tickets.token_hash sign_in_attempts.key_hash',
  'identity_links.token_hash sso_states.state_hash',
  'attempt_budgets.key_hash webhooks.replaced_secret_hash webhooks.secret_hash',
].flatMap(names => names.split(' '))

test('a column of bytes is a digest, or encrypted and listed for key rotation', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and udt_name in ('bytea', '_bytea')`
  const known = [...encrypted, ...digests]
  expect(rows.map(({ name }) => name).filter(name => !known.includes(name))).toEqual([])
  expect(encrypted.filter(name => !rows.some(row => row.name === name))).toEqual([])
})
