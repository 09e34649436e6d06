/** Parses the arguments of the client commands. */
import { readFileSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ClientError } from './errors.ts'

/** Calls `parseArgs` and converts its errors to ClientError. */
export const parseArguments = <T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> => {
  try {
    return parseArgs(config)
  } catch (error) {
    // The first sentence names the option. The following ones are for developers.
    const [reason] = error instanceof Error ? error.message.split(/(?<=\.) |\n/, 1) : []
    throw new ClientError(reason ?? 'The options are not valid.', 2)
  }
}

/** Reads a JSON object from a file, or from standard input if the path is `-`. */
export const readObjectFile = (path: string): Record<string, unknown> => {
  try {
    return parseObject(readFileSync(path === '-' ? 0 : path, 'utf8'))
  } catch (error) {
    if (error instanceof ClientError) throw error
    throw new ClientError(`The file ${path} of --data cannot be read.`, 2)
  }
}

/** Parses a JSON object. Throws ClientError. */
export const parseObject = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below, with the same advice as for another JSON value.
  }
  throw new ClientError(`--data must be a JSON object, for example '{"total": 129.9}'.`, 2)
}
