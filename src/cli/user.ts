/**
 * `user list`, `user password reset`, `user sign-in-link`, `user disable`, `user enable`: manage accounts as the
 * operator.
 */
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import {
  type Account,
  disableAccount,
  enableAccount,
  listAccounts,
  makeResetLink,
  makeSignInLink,
} from '../domain/accounts/index.ts'
import { linkTo } from '../domain/links.ts'
import { migrateDatabase, openDatabase } from '../service/database.ts'
import { addressShown } from '../service/server.ts'
import { openRunningDemo } from './demo/stage.ts'
import { columns } from './table.ts'
import { type Command, parsedArguments, UsageError } from './usage.ts'

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
type Work = (config: Config, sql: Database) => Promise<void>

/** Parses and runs one of the actions. */
export const user: Command = args => {
  const { action, options } = readArguments(args)
  const work = works[action](options)
  return async config => {
    const database = await (options.demo ? openRunningDemo(config) : openDatabase(config))
    try {
      await migrateDatabase(database)
      await work(config, database.sql)
      return 0
    } finally {
      await database.close()
    }
  }
}

const readArguments = (args: string[]): { action: Action; options: Options } => {
  const { values, positionals } = parsedArguments({ args, allowPositionals: true, options: optionTypes }, userUsages)
  const action = positionals.join(' ')
  if (!isAction(action)) {
    const said = action === '' ? 'What about users?' : `There is no "user ${action}".`
    throw new UsageError(said, userUsages)
  }
  const surplus = Object.keys(values).find(option => !new RegExp(`--${option}\\b`).test(usages[action]))
  if (surplus !== undefined) throw new UsageError(`--${surplus} has no meaning here.`, [usages[action]])
  return { action, options: values }
}

const optionTypes = {
  email: { type: 'string' },
  print: { type: 'boolean' },
  'without-second-factor': { type: 'boolean' },
  demo: { type: 'boolean' },
} as const

const isAction = (text: string): text is Action => Object.hasOwn(usages, text)

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const list = (): Work => async (_, sql) => {
  let isFirst = true
  for await (const page of listAccounts(sql)) {
    process.stdout.write(columns([...(isFirst ? [heads] : []), ...page.map(cells)]))
    isFirst = false
  }
  if (isFirst) say('There is nobody yet; "workspace create" makes a workspace and its owner.')
}

const heads = ['ID', 'CREATED', 'ADDRESS CONFIRMED', 'SECOND FACTOR', 'WORKSPACES', 'STATE', 'E-MAIL']

const cells = (account: Account): string[] => [
  account.id,
  dayOf(account.createdAt),
  account.confirmedAt ? dayOf(account.confirmedAt) : 'no',
  account.hasSecondFactor ? 'yes' : 'no',
  String(account.workspaces),
  account.disabledAt ? 'disabled' : 'active',
  account.email,
]

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const resetPassword = (options: Options): Work => {
  const email = emailOf(options, 'password reset')
  return async (config, sql) => {
    const byMail = config.mail !== null && !options.print
    const dropSecondFactor = options['without-second-factor'] === true
    const { token, secondFactorRemoved } = await makeResetLink(sql, email, { byMail, dropSecondFactor })
    if (secondFactorRemoved) say(`The second factor of ${email} was removed.`)
    else if (dropSecondFactor) say(`${email} has no second factor.`)
    if (token === null) say(`A link to another password is mailed to ${email} by the running service.`)
    else
      say(
        `The link to another password for ${email} is good once, for an hour. Whoever has it can take over the account.\n${linkTo(publicUrlOf(config), 'reset', token)}${hintAtAddress(config)}`,
      )
  }
}

/** Prints a sign-in link. With `demo`, the link is for the running demo, which ignores PUBLIC_URL. */
const signInLink = (options: Options): Work => {
  const email = emailOf(options, 'sign-in-link')
  return async (config, sql) => {
    const base = publicUrlOf(options.demo ? { ...config, publicUrl: null } : config)
    const link = linkTo(base, 'sign_in', await makeSignInLink(sql, email))
    say(
      `The link that signs ${email} in is good once, for ten minutes. Whoever has it is in.\n${link}${options.demo ? '' : hintAtAddress(config)}`,
    )
  }
}

const disable = (options: Options): Work => {
  const email = emailOf(options, 'disable')
  return async (_, sql) => {
    await disableAccount(sql, email)
    say(`${email} is kept out from now on, and signed out everywhere. "user enable" lets them in again.`)
  }
}

const enable = (options: Options): Work => {
  const email = emailOf(options, 'enable')
  return async (_, sql) => {
    await enableAccount(sql, email)
    say(`${email} may sign in again, with the password they had.`)
  }
}

const emailOf = ({ email }: Options, action: Action): string => {
  if (email?.trim()) return email.trim()
  throw new UsageError('--email is missing.', [usages[action]])
}

/** Returns the base URL that people use, from the settings. */
export const publicUrlOf = ({ publicUrl, host, port }: Config): string => publicUrl ?? addressShown(host, port)

/**
 * Returns a hint to print after a link. The link may have a wrong address, because a command only knows its own
 * settings.
 */
export const hintAtAddress = (config: Config): string => {
  if (config.publicUrl !== null) return ''
  const where =
    config.port === 0 ? 'PORT is 0 here, which no link can lead to' : `it is made of HOST and PORT as they are here`
  return `\nPUBLIC_URL is not set, so look at the address of the link: ${where}. Give this command the PUBLIC_URL, or the HOST and PORT, that the service was started with.`
}

const works: Record<Action, (options: Options) => Work> = {
  list,
  'password reset': resetPassword,
  'sign-in-link': signInLink,
  disable,
  enable,
}
