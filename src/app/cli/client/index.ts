/**
 * Commands for integrators, which only use the HTTP API. This folder imports only modules of Node, because it is also
 * bundled into an npm package.
 */
import { ClientError } from './errors.ts'
import { listen, listenUsage } from './listen.ts'
import { watchOutput } from './output.ts'
import { sendEvent, sendEventUsage } from './send-event.ts'
import { trigger, triggerUsage } from './trigger.ts'

export interface ClientCommand {
  usage: string
  /** Runs the command and returns the exit status. Throws ClientError. */
  run(args: string[]): Promise<number>
}

export const clientCommands = {
  listen: { usage: listenUsage, run: listen },
  trigger: { usage: triggerUsage, run: trigger },
  'send-event': { usage: sendEventUsage, run: sendEvent },
} satisfies Record<string, ClientCommand>

/** Runs a command. A ClientError is printed in one sentence, for invalid arguments with the first line of the usage. */
export const runClientCommand = async ({ usage, run }: ClientCommand, args: string[]): Promise<number> => {
  watchOutput()
  try {
    return await run(args)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    process.stderr.write(`${error.message}\n${error.status === 2 ? `Usage: ${usageLine(usage)}\n` : ''}`)
    return error.status
  }
}

/** Returns the first line of a usage, without the options. */
export const usageLine = (usage: string): string => usage.split('\n', 1)[0]!
