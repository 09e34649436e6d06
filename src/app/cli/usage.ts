/** Parses command lines, before any setting is read. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../../config.ts'

/** Parses the arguments of a command and returns the function that runs it. Throws UsageError. */
export type Command = (args: string[]) => (config: Config) => Promise<number>

/** Thrown for invalid arguments. The message is one sentence, followed by the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(reason: string, usages: readonly string[]) {
    super(`${reason}\n${usageLines(usages)}`)
  }
}

export const usageLines = (usages: readonly string[]): string => usages.map(usage => `Usage: ${usage}`).join('\n')

/** Creates a command without arguments. */
export const withoutArguments =
  (name: string, work: (config: Config) => Promise<number>): Command =>
  ([extra]) => {
    if (extra === undefined) return work
    throw new UsageError(`${name} does not accept the argument "${extra}". Settings come from the environment.`, [name])
  }

/**
 * Returns the action of a command, which its words name. Throws UsageError if there is no such action, or if the usage
 * of the action lacks one of the options. `all` are the usages to print for an unknown action.
 */
export const findAction = <Action extends string>(
  command: string,
  usages: Record<Action, string>,
  { values, positionals }: { values: object; positionals: readonly string[] },
  all: readonly string[] = Object.values(usages),
): Action => {
  const action = positionals.join(' ')
  if (!Object.hasOwn(usages, action))
    throw new UsageError(action === '' ? 'The action is missing.' : `Unknown action "${command} ${action}".`, all)
  const usage = usages[action as Action]
  const invalidOption = Object.keys(values).find(option => !new RegExp(`--${option}\\b`).test(usage))
  if (invalidOption !== undefined) throw new UsageError(`The option --${invalidOption} is not valid here.`, [usage])
  return action as Action
}

/** Calls `parseArgs` and converts its errors to UsageError. */
export const parseArguments = <T extends ParseArgsConfig>(
  config: T,
  usages: readonly string[],
): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    // The first sentence names the option. The following ones are for developers.
    const [reason] = error instanceof Error ? error.message.split(/(?<=\.) |\n/, 1) : []
    throw new UsageError(reason ?? 'The options are not valid.', usages)
  }
}
