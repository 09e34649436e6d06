/** Program: sends the same request repeatedly. */
import { hammer, type Load } from './hammer.ts'
import { taskOfProgram } from './programs.ts'

export interface RepeatTask extends Load {
  /** Complete text of the HTTP request. */
  request: string
  status: number
}

if (import.meta.main) {
  const { request, status, ...load } = taskOfProgram<RepeatTask>()
  process.stdout.write(JSON.stringify(await hammer(load, request, status)))
  process.exit(0)
}
