/** Entry point of the npm package: `npx customer-engagement-client listen`. Runs the command in argv. */
import { clientCommands, runClientCommand, usageLine } from './index.ts'

const [name = '', ...args] = process.argv.slice(2)
const isHelp = (argument: string): boolean => ['help', '--help', '-h'].includes(argument)
const command = Object.entries(clientCommands).find(([known]) => known === name)?.[1]

const overview = `Usage: customer-engagement <command>

${Object.values(clientCommands)
  .map(({ usage }) => `  ${usageLine(usage)}`)
  .join('\n')}

"<command> --help" shows the options.
`

if (command && args.some(isHelp)) process.stdout.write(`Usage: ${command.usage}\n`)
else if (command) {
  const status = await runClientCommand(command, args)
  // A failed output has set the status already.
  process.exitCode ||= status
} else if (isHelp(name)) process.stdout.write(overview)
else {
  process.stderr.write(overview)
  process.exitCode = 2
}
