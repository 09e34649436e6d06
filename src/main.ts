/** Entry point: runs the command in argv. */
import { run } from './app/cli/index.ts'

process.exitCode = await run(process.argv.slice(2))
