/** `secrets reencrypt`: encrypts all stored secrets with the first key of SECRETS_KEY. */
import type { Config } from '../../config.ts'
import { findFirstKeyConflict } from '../../core/keyring.ts'
import { reencryptAll } from '../../privacy/re-encryption/index.ts'
import { loadKeyring } from '../encryption.ts'
import { StartError } from '../start-error.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'
import { labelOf, withMigration } from './with-database.ts'

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
  withMigration(config, async cells => {
    const keyring = await loadKeyring(config, cells.embedded)
    if (keyring === null)
      throw new StartError('SECRETS_KEY is not set. Set it to the key that must encrypt the secrets.')
    for (const conflict of await cells.each(({ sql }) => findFirstKeyConflict(sql, keyring)))
      if (conflict !== null) throw new StartError(conflict)
    const inCells = await cells.each(async ({ sql, label }) => {
      const results = [...(await reencryptAll(sql, keyring))]
      return { label, results, isComplete: results.every(([, one]) => one.undecryptable + one.left === 0) }
    })
    const status = inCells.every(({ isComplete }) => isComplete) ? cells.status : 1
    const rows = inCells.flatMap(({ label, results }) =>
      results.map(([kind, one]) => [...label.column, kind, ...toCells(one)]),
    )
    process.stdout.write(
      asJson
        ? inCells
            .map(({ label: { field }, isComplete, results }) => ({
              ...field,
              isComplete,
              kinds: Object.fromEntries(results),
            }))
            .map(one => `${JSON.stringify(one)}\n`)
            .join('')
        : `${formatTable([[...labelOf(config, 'CELL').column, ...headings], ...rows])}${status === 0 ? doneMessage : incompleteMessage}\n`,
    )
    return status
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
