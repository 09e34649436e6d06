/** Program: sends `POST /v1/customers/{id}/opt-out`, each for another customer, by writing digits into the path. */
import { hammer, type Load, type LoadResult, requestText, writeDigits } from './hammer.ts'
import { taskOfProgram } from './programs.ts'

export interface OptOutTask extends Load {
  apiKey: string
  /** Number of the first customer to opt out. Each request uses the next one. */
  firstCustomer: number
}

const digits = 12
const idPrefix = '01981b7e-3c00-7a51-9a64-'

/** Returns the id of an existing benchmark customer. */
export const numberedCustomer = (index: number): string => idPrefix + String(index).padStart(digits, '0')

const optOut = (task: OptOutTask): Promise<LoadResult> => {
  const path = `/v1/customers/${numberedCustomer(0)}/opt-out`
  const request = requestText('POST', path, { 'X-API-Key': task.apiKey }, JSON.stringify({ reason: 'stop' }))
  const digitsAt = request.indexOf(idPrefix) + idPrefix.length
  let next = task.firstCustomer
  return hammer(task, request, 200, bytes => writeDigits(bytes, next++, digitsAt, digits))
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await optOut(taskOfProgram<OptOutTask>())))
  process.exit(0)
}
