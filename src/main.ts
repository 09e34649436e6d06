/** Entry point: runs the command in argv. */
import { run } from './app/cli/index.ts'

const status = await run(process.argv.slice(2))
// A failed output has set the status already.
process.exitCode ||= status
