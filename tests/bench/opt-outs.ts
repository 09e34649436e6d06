/** Program: sends `POST /v1/customers/{id}/opt-out`, each for another customer, by writing digits into the path. */
import { hammer, type Load, type LoadResult, requestText, writeDigits } from './hammer.ts'
import { taskOfProgram } from './programs.ts'

export interface OptOutTask extends Load {
  apiKey: string
  /** The number of the customer who is opted out first; each request takes the next. */
  firstCustomer: number
}

const digits = 12
const idPrefix = '01981b7e-3c00-7a51-9a64-'

/** The id of a customer that the bench has made before. */
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
