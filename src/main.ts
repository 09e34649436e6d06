/** argv -> a command; nothing else. */
import { run } from './cli/index.ts'

process.exitCode = await run(process.argv.slice(2))
