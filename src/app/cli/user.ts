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
import { migrateDatabase, openDatabase } from '../database.ts'
import { displayUrl } from '../server.ts'
import { openRunningDemo } from './demo/environment.ts'
import { formatTable } from './table.ts'
import { type Command, parseArguments, UsageError } from './usage.ts'

const usages = {
  list: 'user list',
  'password reset': 'user password reset --email ADDRESS [--print] [--without-second-factor]',
  'sign-in-link': 'user sign-in-link --email ADDRESS [--demo]',
  disable: 'user disable --email ADDRESS',
  enable: 'user enable --email ADDRESS',
} as const

/** All usages. */
export const userUsages = Object.values(usages)

type Action = keyof typeof usages

interface Options {
  email?: string
  print?: boolean
  'without-second-factor'?: boolean
  demo?: boolean
}

/** Runs an action with the settings and the database, and prints its output. */
type ActionHandler = (config: Config, sql: Database) => Promise<void>

/** Parses and runs one of the actions. */
export const user: Command = args => {
  const { action, options } = readArguments(args)
  const handler = handlers[action](options)
  return async config => {
    const database = await (options.demo ? openRunningDemo(config) : openDatabase(config))
    try {
      await migrateDatabase(database)
      await handler(config, database.sql)
      return 0
    } finally {
      await database.close()
    }
  }
}

const readArguments = (args: string[]): { action: Action; options: Options } => {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options: optionTypes }, userUsages)
  const action = positionals.join(' ')
  if (!isAction(action)) {
    const problem = action === '' ? 'The action is missing.' : `Unknown action "user ${action}".`
    throw new UsageError(problem, userUsages)
  }
  const invalidOption = Object.keys(values).find(option => !new RegExp(`--${option}\\b`).test(usages[action]))
  if (invalidOption !== undefined)
    throw new UsageError(`The option --${invalidOption} is not valid here.`, [usages[action]])
  return { action, options: values }
}

const optionTypes = {
  email: { type: 'string' },
  print: { type: 'boolean' },
  'without-second-factor': { type: 'boolean' },
  demo: { type: 'boolean' },
} as const

const isAction = (text: string): text is Action => Object.hasOwn(usages, text)

const printLine = (text: string): void => void process.stdout.write(`${text}\n`)

const list = (): ActionHandler => async (_, sql) => {
  let isFirst = true
  for await (const page of listAccounts(sql)) {
    process.stdout.write(formatTable([...(isFirst ? [headings] : []), ...page.map(toCells)]))
    isFirst = false
  }
  if (isFirst) printLine('There are no accounts yet. Create a workspace and its owner with "workspace create".')
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

const formatDay = (at: Date): string => at.toISOString().slice(0, 10)

const resetPassword = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'password reset')
  return async (config, sql) => {
    const byMail = config.mail !== null && !options.print
    const dropSecondFactor = options['without-second-factor'] === true
    const { token, secondFactorRemoved } = await makeResetLink(sql, email, { byMail, dropSecondFactor })
    if (secondFactorRemoved) printLine(`The second factor of ${email} was removed.`)
    else if (dropSecondFactor) printLine(`${email} has no second factor.`)
    if (token === null) printLine(`The running service sends a password reset link to ${email}.`)
    else
      printLine(
        `The password reset link for ${email} is valid once, for one hour. Keep it secret: it gives access to the account.\n${linkTo(resolvePublicUrl(config), 'reset', token)}${addressHint(config)}`,
      )
  }
}

/** Prints a sign-in link. With `demo`, the link is for the running demo, which ignores PUBLIC_URL. */
const signInLink = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'sign-in-link')
  return async (config, sql) => {
    const base = resolvePublicUrl(options.demo ? { ...config, publicUrl: null } : config)
    const link = linkTo(base, 'sign_in', await makeSignInLink(sql, email))
    printLine(
      `The sign-in link for ${email} is valid once, for ten minutes. Keep it secret: it gives access to the account.\n${link}${options.demo ? '' : addressHint(config)}`,
    )
  }
}

const disable = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'disable')
  return async (_, sql) => {
    await disableAccount(sql, email)
    printLine(`${email} is disabled, and all sessions have ended. Enable the account again with "user enable".`)
  }
}

const enable = (options: Options): ActionHandler => {
  const email = requireEmail(options, 'enable')
  return async (_, sql) => {
    await enableAccount(sql, email)
    printLine(`${email} can sign in again with the existing password.`)
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
