/**
 * `user list`, `user password reset`, `user sign-in-link`, `user disable`, `user enable`: manage accounts as the
 * operator.
 */

import {
  type Account,
  disableAccount,
  enableAccount,
  listAccounts,
  makeResetLink,
  makeSignInLink,
} from '../../accounts/people/index.ts'
import type { Config } from '../../config.ts'
import { linkTo } from '../../core/links.ts'
import type { Database } from '../../platform/postgres/client.ts'
import { openDatabase } from '../database.ts'
import { displayUrl } from '../server.ts'
import { watchOutput } from './client/output.ts'
import { openRunningDemo } from './demo/environment.ts'
import { formatDay, formatTable } from './table.ts'
import { type Command, findAction, parseArguments, UsageError } from './usage.ts'
import { withMigration } from './with-database.ts'

const usages = {
  list: 'user list [--json], for example user list --json',
  'password reset':
    'user password reset --email ADDRESS [--print] [--without-second-factor] [--json], for example user password reset --email ana@shop.example',
  'sign-in-link':
    'user sign-in-link --email ADDRESS [--demo] [--json], for example user sign-in-link --email ana@shop.example',
  disable: 'user disable --email ADDRESS [--json], for example user disable --email ana@shop.example',
  enable: 'user enable --email ADDRESS [--json], for example user enable --email ana@shop.example',
} as const

/** All usages. */
export const userUsages = Object.values(usages)

type Action = keyof typeof usages

interface Options {
  email?: string
  print?: boolean
  'without-second-factor'?: boolean
  demo?: boolean
  json?: boolean
}

/** Runs an action with the settings and the database, and prints its output. */
type ActionHandler = (config: Config, sql: Database) => Promise<void>

/** Parses and runs one of the actions. */
export const user: Command = args => {
  const parsed = parseArguments({ args, allowPositionals: true, options: optionTypes }, userUsages)
  const options = parsed.values
  const handler = handlers[findAction('user', usages, parsed)](options)
  const open = options.demo ? openRunningDemo : openDatabase
  // The demo has one cell.
  const cellsOf = (config: Config) => (options.demo ? { ...config, cells: [], citus: false } : config)
  return config => withMigration(cellsOf(config), ({ sql }) => handler(config, sql).then(() => 0), { open })
}

const optionTypes = {
  email: { type: 'string' },
  print: { type: 'boolean' },
  'without-second-factor': { type: 'boolean' },
  demo: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

/** Prints the result as JSON with `--json`, otherwise as text. */
const print = ({ json }: Options, result: object, text: string): void => printLine(json ? JSON.stringify(result) : text)

/** Prints all accounts. With `--json`, each is an object on its own line. */
const list =
  (options: Options): ActionHandler =>
  async (_, sql) => {
    let isFirst = true
    const output = watchOutput()
    for await (const page of listAccounts(sql)) {
      if (output.aborted) return
      if (options.json) for (const account of page) printLine(JSON.stringify(account))
      else process.stdout.write(formatTable([...(isFirst ? [headings] : []), ...page.map(toCells)]))
      isFirst = false
    }
    if (isFirst && !options.json)
      printLine('There are no accounts yet. Create a workspace and its owner with "workspace create".')
  }

const headings = ['ID', 'CREATED', 'ADDRESS CONFIRMED', 'SECOND FACTOR', 'WORKSPACES', 'STATE', 'E-MAIL']

const toCells = (account: Account): string[] => [
  account.id,
  formatDay(account.createdAt),
  account.confirmedAt ? formatDay(account.confirmedAt) : 'no',
  account.hasSecondFactor ? 'yes' : 'no',
  String(account.workspaces),
  account.disabledAt ? 'disabled' : 'active',
  account.email,
]

const resetPassword = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'password reset')
  return async (config, sql) => {
    const byMail = config.mail !== null && !options.print
    const dropSecondFactor = options['without-second-factor'] === true
    const { token, secondFactorRemoved } = await makeResetLink(sql, email, { byMail, dropSecondFactor })
    const link = token === null ? null : linkTo(resolvePublicUrl(config), 'reset', token)
    const removal = secondFactorRemoved
      ? `The second factor of ${email} was removed.\n`
      : dropSecondFactor
        ? `${email} has no second factor.\n`
        : ''
    const text =
      link === null
        ? `The running service sends a password reset link to ${email}.`
        : `The password reset link for ${email} is valid once, for one hour. Keep it secret: it gives access to the account.\n${link}${addressHint(config)}`
    print(options, { email, link, isMailed: link === null, secondFactorRemoved }, removal + text)
  }
}

/** Prints a sign-in link. With `demo`, the link is for the running demo, which ignores PUBLIC_URL. */
const signInLink = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'sign-in-link')
  return async (config, sql) => {
    const base = resolvePublicUrl(options.demo ? { ...config, publicUrl: null } : config)
    const link = linkTo(base, 'sign_in', await makeSignInLink(sql, email))
    print(
      options,
      { email, link },
      `The sign-in link for ${email} is valid once, for ten minutes. Keep it secret: it gives access to the account.\n${link}${options.demo ? '' : addressHint(config)}`,
    )
  }
}

const disable = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'disable')
  return async (_, sql) => {
    await disableAccount(sql, email)
    print(
      options,
      { email, state: 'disabled' },
      `${email} is disabled, and all sessions have ended. Enable the account again with "user enable".`,
    )
  }
}

const enable = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'enable')
  return async (_, sql) => {
    await enableAccount(sql, email)
    print(options, { email, state: 'active' }, `${email} can sign in again with the existing password.`)
  }
}

const requireEmail = ({ email }: Options, action: Action): string => {
  if (email?.trim()) return email.trim()
  throw new UsageError('The option --email is missing.', [usages[action]])
}

/** Returns the base URL that people use, from the settings. */
export const resolvePublicUrl = ({ publicUrl, host, port }: Config): string => publicUrl ?? displayUrl(host, port)

/**
 * Returns a hint to print after a link. The link may have a wrong address, because a command only knows its own
 * settings.
 */
export const addressHint = (config: Config): string => {
  if (config.publicUrl !== null) return ''
  const where =
    config.port === 0 ? 'PORT is 0, so the link has no valid port' : `it uses the HOST and PORT of this command`
  return `\nPUBLIC_URL is not set. Check the address of the link: ${where}. Run this command with the PUBLIC_URL, or the HOST and PORT, of the service.`
}

const handlers: Record<Action, (options: Options) => ActionHandler> = {
  list,
  'password reset': resetPassword,
  'sign-in-link': signInLink,
  disable,
  enable,
}
