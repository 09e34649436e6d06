/** How a command line is read, before a setting or anything else is looked at. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'

/** Reads the arguments of a command and answers what then runs it. Throws UsageError. */
export type Command = (args: string[]) => (config: Config) => Promise<number>

/** Arguments that cannot be used; the message says why in one sentence, and shows the usage in the lines after it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(reason: string, usages: readonly string[]) {
    super(`${reason}\n${usageLines(usages)}`)
  }
}

export const usageLines = (usages: readonly string[]): string => usages.map(usage => `Usage: ${usage}`).join('\n')

/** A command that takes no arguments. */
export const withoutArguments =
  (name: string, work: (config: Config) => Promise<number>): Command =>
  ([surplus]) => {
    if (surplus === undefined) return work
    throw new UsageError(
      `${name} takes no arguments, but was given "${surplus}"; settings come from the environment.`,
      [name],
    )
  }

/** `parseArgs`, which throws UsageError instead of its own. */
export const parsedArguments = <T extends ParseArgsConfig>(
  config: T,
  usages: readonly string[],
): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    // The first sentence names the option; those after it speak to programmers.
    const [reason] = error instanceof Error ? error.message.split(/(?<=\.) |\n/, 1) : []
    throw new UsageError(reason ?? 'The options cannot be read.', usages)
  }
}
