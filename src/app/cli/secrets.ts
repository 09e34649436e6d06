/** `secrets reencrypt`: encrypts all stored secrets with the first key of SECRETS_KEY. */
import type { Config } from '../../config.ts'
import { findFirstKeyConflict } from '../../core/keyring.ts'
import { reencryptAll } from '../../privacy/re-encryption/index.ts'
import { loadKeyring } from '../encryption.ts'
import { StartError } from '../start-error.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { withMigration } from './with-database.ts'

export const secretsUsages = ['secrets reencrypt [--json], for example SECRETS_KEY=new,old secrets reencrypt'] as const

export const secrets: Command = args => {
  const { values, positionals } = parseArguments(
    { args, allowPositionals: true, options: { json: { type: 'boolean' } } },
    secretsUsages,
  )
  const action = positionals.join(' ')
  if (action === 'reencrypt') return config => reencrypt(config, values.json ?? false)
  throw new UsageError(action === '' ? 'The action is missing.' : `Unknown action "secrets ${action}".`, secretsUsages)
}

const reencrypt = (config: Config, asJson: boolean): Promise<number> =>
  withMigration(config, async ({ sql, embedded }) => {
    const keyring = await loadKeyring(config, embedded)
    if (keyring === null)
      throw new StartError('SECRETS_KEY is not set. Set it to the key that must encrypt the secrets.')
    const conflict = await findFirstKeyConflict(sql, keyring)
    if (conflict !== null) throw new StartError(conflict)
    const results = [...(await reencryptAll(sql, keyring))]
    const isComplete = results.every(([, one]) => one.undecryptable + one.left === 0)
    process.stdout.write(
      asJson
        ? `${JSON.stringify({ isComplete, kinds: Object.fromEntries(results) })}\n`
        : `${formatTable([headings, ...results.map(([kind, one]) => [kind, ...toCells(one)])])}${isComplete ? doneMessage : incompleteMessage}\n`,
    )
    return isComplete ? 0 : 1
  })

const headings = ['KIND', 'WITH FIRST KEY', 'NOT READABLE', 'CHANGED DURING RUN']

const toCells = ({
  underFirstKey,
  undecryptable,
  left,
}: {
  underFirstKey: number
  undecryptable: number
  left: number
}): string[] => [underFirstKey, undecryptable, left].map(String)

const doneMessage = 'All secrets are encrypted with the first key. You can remove the other keys from SECRETS_KEY.'
const incompleteMessage =
  'Keep the other keys. Run this command again for secrets that changed during the run. Unreadable secrets require their old key.'
